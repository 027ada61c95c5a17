import ZeroMQ

/// All subcommands, in the order of the help. The help, the reference page and the parser follow from it.
package enum CommandTable {
    package static let version = "0.1.0"

    package static let subcommands: [Subcommand] = [
        ArbiterCommand.definition,
        RaiseCommand.definition, UpdateCommand.definition, WithdrawCommand.definition,
        WatchCommand.definition, KioskCommand.definition,
        DismissCommand.definition, AnswerCommand.definition, ClearCommand.definition,
        RefreshCommand.definition, ProvideCommand.definition,
        HoldCommand.hold, HoldCommand.release,
        ListCommand.definition, WhyCommand.definition,
        SwarmCommand.definition,
        SimulateCommand.definition, ReplayCommand.definition, CheckCommand.definition, KeygenCommand.definition,
    ]

    /// Carries out a command line without the program's name.
    static func run(_ words: [String]) -> ExitCode {
        guard let first = words.first else {
            StandardError.line(HelpPages.program)
            return .usage
        }
        switch first {
        case "--help", "-h":
            StandardOutput.line(HelpPages.program)
            return .done
        case "help": return help(words.dropFirst().first)
        case "--version":
            StandardOutput.line("alertbus \(version) (libzmq \(Library.version))")
            return .done
        default: break
        }
        guard let subcommand = find(first) else { return unknown(first) }
        return run(subcommand, Array(words.dropFirst()))
    }

    private static func run(_ subcommand: Subcommand, _ words: [String]) -> ExitCode {
        do throws(CommandFailure) {
            let arguments = try ArgumentParser.parse(words, for: subcommand)
            if arguments.has("help") {
                StandardOutput.line(HelpPages.page(of: subcommand))
                return .done
            }
            return try subcommand.run(arguments)
        } catch {
            if !error.message.isEmpty { StandardError.line("alertbus \(subcommand.name): \(error.message)") }
            if error.code == .usage { StandardError.line("Usage: \(HelpPages.usage(of: subcommand))") }
            return error.code
        }
    }

    static func find(_ name: String) -> Subcommand? { subcommands.first { $0.name == name } }

    private static func help(_ name: String?) -> ExitCode {
        guard let name else {
            StandardOutput.line(HelpPages.program)
            return .done
        }
        guard let subcommand = find(name) else { return unknown(name) }
        StandardOutput.line(HelpPages.page(of: subcommand))
        return .done
    }

    private static func unknown(_ word: String) -> ExitCode {
        let known = subcommands.map(\.name) + ["--help", "--version"]
        let kind = word.hasPrefix("-") ? "option" : "command"
        StandardError.line(
            "alertbus: unknown \(kind) \(Quoting.quoted(word))\(ArgumentParser.hint(word, known)) (see alertbus --help)")
        return .usage
    }
}
