import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import Testing

/// Journals that an earlier build wrote on another machine, with what its `replay` printed: every build, wherever these
/// tests run, must print the same bytes.
///
/// They are never written again. `ALERTBUS_RECORD_JOURNAL=NAME` records another one, when the format or the rules have
/// grown; `ALERTBUS_BINARY` names another build to be compared, which is what `Config/compare-builds` does.
@Suite(.serialized)
struct CommittedJournalTests {
    static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(2).joined(separator: "/") + "/Fixtures/journals"
    }()
    static let names: [String] = {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if !name.hasPrefix(".") && !name.hasSuffix(".md") { found.append(name) }
        }
        return found.sorted()
    }()

    /// What is printed, and with which words; POLICY stands for the path of other rules.
    static let outputs: [(file: String, words: [String])] = [
        ("summary.txt", []), ("story.txt", ["--surface", "/"]), ("story.jsonl", ["--surface", "/", "--json"]),
        ("policy.jsonl", ["--policy", "POLICY", "--json"]),
    ]

    let directory = JournalDirectory()

    private func replay(_ fixture: String, _ words: [String], _ settings: [String] = []) throws -> String {
        let words = words.map { $0 == "POLICY" ? "\(fixture)/policy.toml" : $0 }
        let process = try ArbiterProcess(
            ["replay", directory.journal] + words, place: directory.directory + "/replay", settings: settings)
        #expect(process.wait() == 0, "\(process.errors)")
        // Where the journal lies is no part of what it says.
        return process.output.replacing(directory.journal, with: "JOURNAL")
    }

    @Test(arguments: [[], ["SWIFT_DETERMINISTIC_HASHING=1"], ["TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"]])
    func thisBuildPrintsTheSameBytes(_ settings: [String]) throws {
        #expect(!Self.names.isEmpty)
        for name in Self.names {
            let fixture = "\(Self.folder)/\(name)"
            writeFile(directory.journal, readFile("\(fixture)/journal.sqlite"))
            for (file, words) in Self.outputs {
                let expected = String(decoding: readFile("\(fixture)/\(file)"), as: UTF8.self)
                #expect(expected.contains("digest") || file.hasPrefix("policy"))
                // Twice, since each process has a hash seed of its own.
                for _ in 0..<2 {
                    let found = try replay(fixture, words, settings)
                    #expect(found == expected, "\(name)/\(file): \(firstDifference(found, expected))")
                }
            }
        }
    }

    /// What a build printed on the other machine covers more than the easy part.
    @Test func theStoriesAreRich() throws {
        for name in Self.names {
            let story = String(decoding: readFile("\(Self.folder)/\(name)/story.jsonl"), as: UTF8.self)
            for word in [
                "accepted", "refused", "shown", "covered", "resumed", "ended", "updated", "held", "released", "timed_out",
                "expired",
                "dismissed", "answered", "withdrawn", "cleared", "displaced", "intercepted", "duplicate", "loading", "load_failed",
                "evicted", "owner_lost",
            ] {
                let isTold = story.contains("\"\(word)\"")
                #expect(isTold, "\(name): \(word)")
            }
        }
    }

    @Test func aChangedByteIsFoundOut() throws {
        let fixture = "\(Self.folder)/\(try #require(Self.names.first))"
        let expected = String(decoding: readFile("\(fixture)/story.txt"), as: UTF8.self)
        #expect(firstDifference(expected, expected) == "none")
        #expect(firstDifference("a\nb\nc", "a\nB\nc") == "line 2 is b, expected B")
    }

    private func firstDifference(_ found: String, _ expected: String) -> String {
        let (a, b) = (found.split(separator: "\n"), expected.split(separator: "\n"))
        for index in 0..<max(a.count, b.count) {
            let (left, right) = (index < a.count ? a[index] : "nothing", index < b.count ? b[index] : "nothing")
            if left != right { return "line \(index + 1) is \(left), expected \(right)" }
        }
        return "none"
    }

    // MARK: Recording

    /// Into a place of its own, unless it is to stay.
    @Test func anotherJournalCanBeRecorded() throws {
        let name = getenv("ALERTBUS_RECORD_JOURNAL").map { String(cString: $0) }
        let fixture = name.map { "\(Self.folder)/\($0)" } ?? "\(directory.directory)/recorded"
        try JournalPath.createDirectory(for: fixture + "/journal.sqlite")
        try JournalRecorder(directory: directory).record()
        writeFile("\(fixture)/journal.sqlite", readFile(directory.journal))
        writeFile("\(fixture)/policy.toml", Array("[[policy]]\nsurfaces = \"hall/**\"\ncovered = \"stay\"\nslots = 3\n".utf8))
        for (file, words) in Self.outputs {
            let output = try replay(fixture, words)
            #expect(!output.isEmpty)
            writeFile("\(fixture)/\(file)", Array(output.utf8))
        }
        #expect(String(decoding: readFile("\(fixture)/summary.txt"), as: UTF8.self).contains("digest"))
    }
}
