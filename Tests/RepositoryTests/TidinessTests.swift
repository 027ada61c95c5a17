import Testing

/// What must not be in any file.
@Suite struct TidinessTests {
    /// Files that may be longer than 400 lines, each with its reason.
    private static let long: [String: String] = [
        "Sources/AlertBus/AlertBus.docc/Protocol.md": "one page from which a client can be written",
        "Tests/Fixtures/": "data, a script a line",
    ]

    @Test func `files are short enough to be read`() {
        for file in Repository.files where file.lines.count > 400 {
            #expect(Self.long.keys.contains { file.path.hasPrefix($0) }, "\(file.path) has \(file.lines.count) lines")
        }
    }

    /// Written in two parts, so that this file does not have them.
    private static let places = ["/wo" + "rk/", "/ro" + "ot/", "/Us" + "ers/", "/ho" + "me/"]

    /// Paths that stand for something else than a developer's machine.
    private static let allowedPlaces: [String: String] = [
        "Config/common.sh": "where the toolchain's installer puts it for a superuser",
        "Tests/AlertBusJournalTests/OpeningTests.swift": "made-up values of HOME",
    ]

    @Test func `no file names a place on a developer's machine`() {
        for file in Repository.files where Self.allowedPlaces[file.path] == nil {
            for place in Self.places { #expect(!file.text.contains(place), "\(file.path) has \(place)") }
        }
    }

    /// Files of tests that may call a function that sleeps. A test must never sleep and hope.
    private static let sleepers: [String: String] = [
        "Tests/CommandTests/CommandProcess.swift": "polls with a deadline",
        "Tests/AlertBusTests/Bench.swift": "polls with a deadline; a limit for what must not hang",
        "Tests/AlertBusKioskTests/HTTPClient.swift": "polls with a deadline",
        "Tests/AlertBusTests/Sockets/InterfaceTests.swift": "a provider that is cancelled while it sleeps",
        "Tests/AlertBusTests/Sockets/Proxy.swift": "delays a network on purpose",
        "Tests/JournalCrasher/Measuring.swift": "a program of its own that keeps a rate",
        "Tests/Python/test_demo.py": "polls with a deadline",
        "Tests/Browser/processes.py": "polls with a deadline",
        "Tests/Browser/test_behaviour.py": "polls with a deadline",
        "Tests/Browser/test_bus.py": "gives a page time to say something wrong; random pauses of a long run",
    ]

    @Test func `tests do not sleep`() {
        let calls = ["sle" + "ep(", "usle" + "ep(", "nanosle" + "ep("]
        let found = Repository.files.filter { file in
            let isTest = file.path.hasPrefix("Tests/") && (file.path.hasSuffix(".swift") || file.path.hasSuffix(".py"))
            return isTest && calls.contains { file.text.contains($0) }
        }
        for file in found { #expect(Self.sleepers[file.path] != nil, "\(file.path) sleeps") }
        // An exception that nobody needs any more is a hole.
        for path in Self.sleepers.keys.sorted() { #expect(found.contains { $0.path == path }, "\(path) does not sleep any more") }
    }

    @Test func `no merge was left unfinished, and no test is switched off`() {
        for file in Repository.files {
            for mark in ["<<<<" + "<<<", ">>>>" + ">>>", ".disab" + "led(", "with" + "KnownIssue", "@pytest.mark." + "skip"] {
                #expect(!file.text.contains(mark), "\(file.path) has \(mark)")
            }
        }
    }

    /// It is said once why a type may cross threads although the compiler cannot prove it.
    @Test func `every unchecked Sendable has its proof`() {
        for file in Repository.swift(under: "Sources") {
            for (index, line) in file.lines.enumerated() where line.contains("@unchecked" + " Sendable") {
                let before = file.lines[max(0, index - 6)..<index]
                #expect(before.contains { $0.contains("//") }, "\(file.path):\(index + 1)")
            }
        }
    }

    @Test func `the files are found`() {
        #expect(Repository.files.count > 250)
        #expect(Repository.file("Package.swift") != nil)
    }
}
