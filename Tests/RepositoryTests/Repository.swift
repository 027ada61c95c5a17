import Foundation

/// The files of the repository as they are in the working copy.
struct Repository {
    struct File {
        /// From the top of the repository.
        var path: String
        var text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    }

    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every text file of the project itself, sorted by path.
    static let files: [File] = {
        let kinds: Set<String> = [
            "swift", "c", "h", "cpp", "md", "txt", "toml", "yml", "py", "js", "css", "html", "modulemap", "jq", "jsonl", "sh",
            "svg", "",
        ]
        let unversioned: Set<String> = [".build", ".git", ".venv", "__pycache__", ".swiftpm", "node_modules"]
        var found: [File] = []
        func visit(_ folder: String) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
            for name in names.sorted() where !unversioned.contains(name) {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                let url = root.appending(path: path)
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
                if isFolder.boolValue {
                    visit(path)
                } else if kinds.contains(url.pathExtension), let text = try? String(contentsOf: url, encoding: .utf8) {
                    found.append(File(path: path, text: text))
                }
            }
        }
        visit("")
        return found
    }()

    static func file(_ path: String) -> File? { files.first { $0.path == path } }

    static func swift(under folder: String) -> [File] {
        files.filter { $0.path.hasPrefix(folder + "/") && $0.path.hasSuffix(".swift") }
    }
}

/// Swift source without comments and without the text inside string literals.
///
/// Simple on purpose: it knows line comments and quotes of one line, which is what the format of this project leaves.
func code(of text: String) -> String {
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
        var code = ""
        var isText = false
        var previous: Character = " "
        for (character, next) in zip(line, line.dropFirst() + " ") {
            if !isText && character == "/" && next == "/" { break }
            if character == "\"" && previous != "\\" { isText.toggle() }
            if !isText || character == "\"" { code.append(character) }
            previous = character == "\\" && previous == "\\" ? " " : character
        }
        return code
    }.joined(separator: "\n")
}

/// The modules that a Swift source imports.
func imports(of text: String) -> [String] {
    code(of: text).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
        // `import struct Module.Name` and `package import Module` too.
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let name = kinds.contains(words[place + 1]) && place + 2 < words.count ? words[place + 2] : words[place + 1]
        guard words[..<place].allSatisfy({ ["package", "public", "internal", "private", "fileprivate"].contains($0) })
        else { return nil }
        return String(name.split(separator: ".")[0])
    }
}

/// Whether a word stands by itself in a text.
func contains(word: String, in text: String) -> Bool {
    var rest = text[...]
    while let found = rest.range(of: word) {
        let before = found.lowerBound == text.startIndex ? " " : text[text.index(before: found.lowerBound)]
        let after = found.upperBound == text.endIndex ? " " : text[found.upperBound]
        let isName = { (character: Character) in character.isLetter || character.isNumber || character == "_" }
        if !isName(before) && !(isName(after) && isName(word.last!)) { return true }
        rest = text[found.upperBound...]
    }
    return false
}
