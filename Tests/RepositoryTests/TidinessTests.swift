import Testing

/// What must not be in any file.
@Suite struct TidinessTests {
    /// Files that may be longer than 400 lines, each with its reason.
    private static let long: [String: String] = [
        "Sources/AlertBus/AlertBus.docc/Protocol.md": "one page from which a client can be written",
        "Sources/AlertBus/AlertBus.docc/Commands.md": "made from the table of commands",
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

    /// Files of tests that sleep otherwise than between two looks before a deadline, each with its reason.
    private static let sleepers: [String: String] = [
        "Tests/AlertBusTests/Bench.swift": "the limit of what must not hang",
        "Tests/AlertBusTests/Sockets/InterfaceTests.swift": "a provider that is cancelled while it sleeps",
        "Tests/AlertBusTests/Sockets/Proxy.swift": "delays a network on purpose",
        "Tests/Browser/test_behaviour.py": "keeps a rate",
        "Tests/Browser/test_bus.py": "gives a page time to say something wrong",
        "Tests/Browser/test_examples.py": "outlasts the arbiter's patience with silence",
        "Tests/Browser/test_terminal.py": "keeps a rate",
        "Tests/Browser/tmux.py": "lets the guard of the input pass",
        "Tests/DataTests/ManyTests.swift": "a provider that takes its time",
        "Tests/DataTests/Support/Deadlines.swift": "the limit of what must not hang",
        "Tests/JournalCrasher/Measuring.swift": "a program of its own that keeps a rate",
    ]

    @Test func `tests do not sleep and hope`() {
        let files = Repository.files.filter {
            $0.path.hasPrefix("Tests/") && ($0.path.hasSuffix(".swift") || $0.path.hasSuffix(".py"))
        }
        let found = Set(files.filter { Self.sleepsBlindly($0.lines) }.map(\.path))
        for path in found.sorted() { #expect(Self.sleepers[path] != nil, "\(path) sleeps without looking at a deadline") }
        // An exception that nobody needs any more is a hole.
        for path in Self.sleepers.keys.sorted() { #expect(found.contains(path), "\(path) does not sleep any more") }
    }

    /// Whether a line sleeps that is not in a loop that looks again and again and ends at a time.
    private static func sleepsBlindly(_ lines: [Substring]) -> Bool {
        let ends = ["deadline", "end", "limit", "now", "monotonic", "milliseconds"]
        return lines.indices.contains { index in
            guard lines[index].contains("sle" + "ep(") else { return false }
            let before = lines[max(0, index - 8)...index]
            let isLoop = before.contains { $0.contains("while ") }
            return !(isLoop && before.contains { line in ends.contains { contains(word: $0, in: String(line)) } })
        }
    }

    @Test func `the detector of sleeping tests fires`() {
        let call = "    usle" + "ep(1000)"
        #expect(Self.sleepsBlindly(["start()", call[...], "check()"]))
        #expect(!Self.sleepsBlindly(["while now() < deadline {", call[...], "}"]))
        #expect(!Self.sleepsBlindly(["start()"]))
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
