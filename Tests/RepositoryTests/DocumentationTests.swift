import AlertBusModel
import Foundation
import Testing

/// What is written down must be there, and what is there must be written down.
@Suite struct DocumentationTests {
    private static let pages = "Sources/AlertBus/AlertBus.docc"

    private func page(_ name: String) throws -> Repository.File {
        try #require(Repository.file("\(Self.pages)/\(name).md"))
    }

    @Test func `every reason is explained in the protocol`() throws {
        let text = try page("Protocol").text
        for reason in Reason.allCases { #expect(text.contains("| `\(reason.rawValue)` |"), "\(reason.rawValue)") }
    }

    /// Decided before the core, or by something that the core does not have.
    private static let beyondTheRules: Set<Reason> = [.superseded, .notAllowed, .released, .notLeader]

    @Test func `every reason that the core gives is in the rules`() throws {
        let text = try page("Rules").text
        let core = Repository.swift(under: "Sources/AlertBusCore").map { code(of: $0.text) }.joined(separator: "\n")
        for reason in Reason.allCases {
            let isGiven = contains(word: ".\(reason)", in: core)
            if Self.beyondTheRules.contains(reason) {
                #expect(!isGiven, "\(reason) is given by the core, so the rules must say when")
            } else {
                #expect(text.contains("`\(reason.rawValue)`"), "\(reason.rawValue)")
            }
        }
    }

    @Test func `every target is in the page of modules`() throws {
        let text = try page("Modules").text
        for target in ArchitectureTests.layers.keys.sorted() {
            #expect(text.contains("### \(target)") || text.contains("`\(target)`") || text.contains(target), "\(target)")
        }
    }

    // MARK: Links and commands

    @Test func `links lead to files`() {
        for file in Repository.files where file.path.hasSuffix(".md") {
            let folder = Repository.root.appending(path: file.path).deletingLastPathComponent()
            for target in links(in: file.text) {
                let place = String(target.split(separator: "#")[0])
                // The catalog names its pictures without a folder and an ending.
                let picture = folder.appending(path: "Resources/\(place).svg")
                let isThere = [folder.appending(path: place), picture].contains {
                    FileManager.default.fileExists(atPath: $0.path)
                }
                #expect(isThere, "\(file.path) links to \(target)")
            }
        }
    }

    @Test func `the readme's programs, options and products exist`() throws {
        let readme = try #require(Repository.file("README.md"))
        let commands = try page("Commands").text
        let package = try #require(Repository.file("Package.swift")).text
        let lines = shellLines(in: readme.text)
        #expect(lines.count > 5)
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            for (index, word) in words.enumerated() where word == "--product" && index + 1 < words.count {
                #expect(package.contains("name: \"\(words[index + 1])\""), "\(line)")
            }
            if words[0].hasPrefix("Config/") || words[0].hasPrefix(".") {
                let path = Repository.root.appending(path: words[0]).path
                #expect(FileManager.default.isExecutableFile(atPath: path), "\(line)")
            }
            guard words[0] == "alertbus", words.count > 1, !words[1].hasPrefix("-") else { continue }
            let section = try #require(chapter(words[1], of: commands), "there is no command \(words[1])")
            let shared = commands.components(separatedBy: "\n## arbiter")[0]
            for word in words.dropFirst(2) where word.hasPrefix("--") {
                let name = String(word.split(separator: "=")[0])
                #expect(section.contains("`\(name)") || shared.contains("`\(name)"), "\(line): \(name)")
            }
        }
    }

    @Test func `the detectors fire`() {
        #expect(links(in: "[a](b.md) and [c](https://d) and ![e](f.svg) and [g](#h)") == ["b.md", "f.svg"])
        #expect(shellLines(in: "x\n```sh\na b\n# c\n```\n```python\nd\n```\n") == ["a b"])
        #expect(chapter("raise", of: "## arbiter\n`--x`\n## raise\n`--y`\n## z\n") == "\n`--y`")
        #expect(chapter("raize", of: "## raise\n") == nil)
    }

    private func links(in text: String) -> [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { rest in
            let target = rest.components(separatedBy: ")")[0]
            return target.contains("://") || target.hasPrefix("#") || target.contains(" ") ? nil : target
        }
    }

    private func shellLines(in text: String) -> [String] {
        text.components(separatedBy: "```sh\n").dropFirst().flatMap { block in
            block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        }
    }

    private func chapter(_ name: String, of text: String) -> String? {
        let parts = ("\n" + text).components(separatedBy: "\n## \(name)\n")
        guard parts.count == 2 else { return nil }
        return "\n" + parts[1].components(separatedBy: "\n## ")[0]
    }
}
