import AlertBusConfiguration

/// Reads a command line against the definition of a subcommand.
///
/// Strict: an unknown option, a missing or surplus word, and an option that is given twice are errors. `--option=value`
/// and `--option value` mean the same; after `--` every word is an operand; a negative number is one too.
package enum ArgumentParser {
    /// - Throws: a usage failure whose message names the word and, for a misspelt option, the nearest one.
    package static func parse(_ words: [String], for subcommand: Subcommand) throws(CommandFailure) -> Arguments {
        var arguments = Arguments()
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-", !isNegativeNumber(word) else {
                operands.append(word)
                continue
            }
            try readOption(word, &rest, subcommand, &arguments)
        }
        // Who asks for help has not finished the command line yet.
        if !arguments.has("help") { try assign(operands, subcommand, &arguments) }
        return arguments
    }

    private static func readOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ subcommand: Subcommand, _ arguments: inout Arguments
    ) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let written = parts[0] == "-h" ? "--help" : parts[0]
        guard let option = subcommand.allOptions.first(where: { "--" + $0.name == written }) else {
            throw .usage("unknown option \(written)" + hint(written, subcommand.allOptions.map { "--" + $0.name }))
        }
        if arguments.has(option.name) && !option.isRepeatable { throw .usage("--\(option.name) is given twice") }
        guard option.value != nil else {
            if parts.count > 1 { throw .usage("--\(option.name) takes no value") }
            arguments.values[option.name, default: []].append("")
            return
        }
        if parts.count > 1 {
            arguments.values[option.name, default: []].append(parts[1])
            return
        }
        // A forgotten value would otherwise swallow the next option.
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .usage(
                "--\(option.name) needs a value: \(option.usage) (write --\(option.name)=VALUE for one that begins with --)")
        }
        rest = rest.dropFirst()
        arguments.values[option.name, default: []].append(value)
    }

    /// Optional operands take what is left when every required one has its word, from left to right.
    private static func assign(
        _ words: [String], _ subcommand: Subcommand, _ arguments: inout Arguments
    ) throws(CommandFailure) {
        let required = subcommand.operands.filter { !$0.isOptional }.count
        var spare = words.count - required
        var rest = words[...]
        for operand in subcommand.operands {
            if operand.isOptional {
                if spare <= 0 { continue }
                spare -= 1
            }
            guard let word = rest.popFirst() else { throw .usage("\(operand.name) is missing: \(operand.help)") }
            arguments.operands[operand.name] = word
            if operand.isRepeatable {
                arguments.values[operand.name] = [word] + rest
                rest = []
            }
        }
        if let word = rest.first { throw .usage("unexpected word \(Quoting.quoted(word))") }
    }

    static func hint(_ word: String, _ known: [String]) -> String {
        Spelling.nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        word.dropFirst().utf8.first.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
    }
}
