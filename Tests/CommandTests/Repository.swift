import Glibc

/// Files of the repository, and files of one test.
enum Repository {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    static let conformance = ["stack", "hide", "single"].map { root + "/Tests/Fixtures/conformance/\($0).jsonl" }
    static let commandsPage = root + "/Sources/AlertBus/AlertBus.docc/Commands.md"

    /// When set, the tests write the generated files instead of comparing them.
    static var regenerates: Bool { getenv("ALERTBUS_REGENERATE") != nil }

    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    @discardableResult
    static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(text, file) >= 0
        return fclose(file) == 0 && isWritten
    }
}

/// A directory that goes with the test that made it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/alertbus-command-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp failed with errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }

    func file(_ name: String, _ text: String = "") -> String {
        let file = "\(path)/\(name)"
        if !text.isEmpty { Repository.write(text, to: file) }
        return file
    }
}
