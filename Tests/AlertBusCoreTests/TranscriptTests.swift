import Foundation
import Testing

/// Stories as text: a change of behaviour is read as a change of these files.
///
/// `ALERTBUS_REGENERATE=1 swift test --filter TranscriptTests` writes the outputs anew.
@Suite struct TranscriptTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

    static let stories: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted()
    }()

    @Test func `there are stories`() {
        #expect(Self.stories.count >= 8)
    }

    @Test(arguments: stories)
    func `a story goes as it was written down`(_ name: String) throws {
        let file = Self.folder.appending(path: name)
        let text = try String(contentsOf: file, encoding: .utf8)
        let found = try Transcript.run(text)
        if ProcessInfo.processInfo.environment["ALERTBUS_REGENERATE"] != nil {
            try found.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let (expectedLines, foundLines) = (text.components(separatedBy: "\n"), found.components(separatedBy: "\n"))
        let place = zip(expectedLines, foundLines).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(
            found == text,
            "\(name), line \((place?.offset ?? min(expectedLines.count, foundLines.count)) + 1): \(place.map { "expected \"\($0.element.0)\", found \"\($0.element.1)\"" } ?? "one is longer")"
        )
        #expect(!found.contains("VIOLATION"))
    }

    @Test func `a command that is misspelt is a fault, not a story`() {
        #expect(throws: TranscriptFault.self) { try Transcript.run("raize s a") }
        #expect(throws: TranscriptFault.self) { try Transcript.run("raise s a priorty=3") }
        #expect(throws: TranscriptFault.self) { try Transcript.run("at noon raise s a") }
    }
}
