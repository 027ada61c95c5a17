/// The reference page of the documentation catalog, made from the table of subcommands.
package enum CommandReference {
    package static var page: String {
        var lines = [
            "# Commands", "",
            "Every subcommand of `alertbus`: what it takes and how it ends.", "",
            "## Overview", "",
            "`alertbus COMMAND --help` prints the same in the terminal. Results go to standard output, errors to",
            "standard error. `--option value` and `--option=value` mean the same; after `--` every word is an operand.",
            "Times are written as `500ms`, `5s`, `1.5s`, `2m`, `1h` or `1d`.", "",
            "| Exit code | Meaning |", "| --- | --- |",
        ]
        lines += ExitCode.allCases.map { "| \($0.rawValue) | \(cell($0.meaning)) |" }
        lines += ["", "Options of every command:", ""]
        lines += options(Subcommand.shared)
        lines += ["", "This page is generated from the table of commands in the source; change it there."]
        for subcommand in CommandTable.subcommands { lines += section(subcommand) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ subcommand: Subcommand) -> [String] {
        var lines = ["", "## \(subcommand.name)", "", subcommand.summary + ".", ""]
        lines += ["```sh", HelpPages.usage(of: subcommand), "```"]
        if !subcommand.operands.isEmpty {
            lines += ["", "| Word | Meaning |", "| --- | --- |"]
            lines += subcommand.operands.map { "| `\($0.usage)` | \(cell($0.help)) |" }
        }
        if !subcommand.options.isEmpty { lines += [""] + options(subcommand.options) }
        for note in subcommand.notes { lines += ["", note] }
        if !subcommand.examples.isEmpty { lines += ["", "```sh"] + subcommand.examples + ["```"] }
        return lines
    }

    private static func options(_ options: [OptionDefinition]) -> [String] {
        ["| Option | Meaning |", "| --- | --- |"]
            + options.map { "| `\($0.usage)` | \(cell($0.help))\($0.isRepeatable ? "; may be repeated" : "") |" }
    }

    /// A bar would end the cell.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
