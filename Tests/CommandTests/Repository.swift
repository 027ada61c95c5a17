import Glibc

/// Files of the repository, and files of one test.
enum Repository {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    static let conformance = ["stack", "hide", "single"].map { root + "/Tests/Fixtures/conformance/\($0).jsonl" }
    static let commandsPage = root + "/Sources/AlertBus/AlertBus.docc/Commands.md"

    /// When set, the tests write the generated files instead of comparing them.
    static var regenerates: Bool { getenv("ALERTBUS_REGENERATE") != nil }

}
