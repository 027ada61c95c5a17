/// Help texts and the reference page, made from the table of subcommands.
package enum HelpPages {
    private static let width = 100

    /// What `alertbus --help` prints.
    package static var program: String {
        let names = CommandTable.subcommands.map(\.name)
        let rows = CommandTable.subcommands.map { ($0.name, $0.summary) }
        return """
            AlertBus decides which alert is on which screen, and when, for many processes at once.

            Usage: alertbus COMMAND [OPTION]… [WORD]…

            Commands:
            \(list(rows, indent: names.map(\.count).max() ?? 0))

            Options of every command:
            \(list(Subcommand.shared.map { ($0.usage, $0.help) }))

            alertbus COMMAND --help explains a command; alertbus --version prints the version.

            \(exitCodes)
            """
    }

    /// What `alertbus NAME --help` prints.
    package static func page(of subcommand: Subcommand) -> String {
        var parts = [subcommand.summary + ".", "Usage: \(usage(of: subcommand))"]
        if !subcommand.operands.isEmpty {
            parts.append("Words:\n" + list(subcommand.operands.map { ($0.name, $0.help) }))
        }
        if !subcommand.options.isEmpty {
            parts.append("Options:\n" + list(subcommand.options.map { ($0.usage + repeats($0), $0.help) }))
        }
        parts.append("Options of every command:\n" + list(subcommand.sharedOptions.map { ($0.usage, $0.help) }))
        parts += subcommand.notes.map { wrapped($0, width).joined(separator: "\n") }
        if !subcommand.examples.isEmpty {
            parts.append("Examples:\n" + subcommand.examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        parts.append(exitCodes)
        return parts.joined(separator: "\n\n")
    }

    package static func usage(of subcommand: Subcommand) -> String {
        (["alertbus", subcommand.name] + subcommand.operands.map(\.usage) + ["[OPTION]…"]).joined(separator: " ")
    }

    private static var exitCodes: String {
        "Exit codes:\n" + list(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    }

    private static func repeats(_ option: OptionDefinition) -> String { option.isRepeatable ? " …" : "" }

    /// Two columns, the right one wrapped.
    private static func list(_ rows: [(String, String)], indent: Int? = nil) -> String {
        let left = indent ?? min(28, rows.map(\.0.count).max() ?? 0)
        return rows.flatMap { name, text -> [String] in
            let lines = wrapped(text, width - left - 4)
            let padding = String(repeating: " ", count: left + 4)
            if name.count > left { return ["  " + name] + lines.map { padding + $0 } }
            let head = "  " + name + String(repeating: " ", count: left - name.count + 2)
            return [head + lines[0]] + lines.dropFirst().map { padding + $0 }
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
