import Command
import TestSupport
import Testing

@Suite("The help")
struct HelpTests {
    @Test("of the program names every command and every shared option")
    func program() {
        for subcommand in CommandTable.subcommands { #expect(HelpPages.program.contains("  \(subcommand.name) ")) }
        for option in Subcommand.shared { #expect(HelpPages.program.contains("--\(option.name)")) }
    }

    @Test("of a command mentions every word, option, note and example", arguments: CommandTable.subcommands.map(\.name))
    func page(name: String) throws {
        let subcommand = try #require(CommandTable.subcommands.first { $0.name == name })
        let page = HelpPages.page(of: subcommand)
        for operand in subcommand.operands { #expect(page.contains("  \(operand.name) ")) }
        for option in subcommand.allOptions { #expect(page.contains("  \(option.usage)"), "\(option.name)") }
        for example in subcommand.examples { #expect(page.contains(example)) }
        for code in ExitCode.allCases { #expect(page.contains("\(code.rawValue)  \(code.meaning)")) }
        let widest = page.split(separator: "\n").filter { !$0.contains("alertbus ") }.map(\.count).max() ?? 0
        #expect(widest <= 100)
    }

    @Test("has examples that the parser takes", arguments: CommandTable.subcommands.map(\.name))
    func examples(name: String) throws {
        let subcommand = try #require(CommandTable.subcommands.first { $0.name == name })
        #expect(!subcommand.examples.isEmpty)
        for example in subcommand.examples {
            let words = Self.words(example)
            #expect(words.prefix(2) == ["alertbus", name])
            #expect(throws: Never.self, "\(example)") {
                try ArgumentParser.parse(Array(words.dropFirst(2)), for: subcommand)
            }
        }
    }

    @Test("Names are unique, and no option is defined twice")
    func uniqueness() {
        let names = CommandTable.subcommands.map(\.name)
        #expect(Set(names).count == names.count)
        for subcommand in CommandTable.subcommands {
            let options = subcommand.allOptions.map(\.name)
            #expect(Set(options).count == options.count, "\(subcommand.name)")
        }
    }

    @Test("The reference page is up to date")
    func reference() {
        if Repository.regenerates {
            TextFile.write(CommandReference.page, to: Repository.commandsPage)
            return
        }
        let isCurrent = TextFile.read(Repository.commandsPage) == CommandReference.page
        #expect(isCurrent, "Commands.md is out of date; run: ALERTBUS_REGENERATE=1 swift test --filter HelpTests")
    }

    /// Splits as a shell does, as far as the examples need it: at spaces, single quotes keep together.
    private static func words(_ line: String) -> [String] {
        var words: [String] = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }
}
