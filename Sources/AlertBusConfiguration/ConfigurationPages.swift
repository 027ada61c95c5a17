import AlertBusModel

/// Texts that follow from the table of keys: the sample file and the reference page.
package enum ConfigurationPages {
    /// A file with every key at its default and one policy that shows every key, each with a comment.
    package static var sample: String {
        var configuration = Configuration()
        let shown = PolicyEntry()
        do {
            let rule = PolicyRule(pattern: try PathPattern(shown.surfaces), policy: shown.policy)
            configuration.policies.rules = [rule]
        } catch { preconditionFailure("the shown pattern: \(error)") }
        let head = [
            "# The configuration of an AlertBus arbiter: every key, each at its default.",
            "# What is left out has its default. A key that is not in this file is an error.",
            "# Check a changed file with: alertbus check FILE", "",
        ]
        return head.joined(separator: "\n") + "\n" + file(of: configuration)
    }

    /// A file that decodes to this configuration.
    package static func file(of configuration: Configuration) -> String {
        ConfigurationTable.sections.flatMap { section in
            section.values(in: configuration).map { text(of: section, with: $0) }
        }.joined(separator: "\n")
    }

    private static func text(of section: ConfigurationSection, with values: [Literal]) -> String {
        var lines = wrapped(section.meaning).map { "# " + $0 } + [section.header]
        for (index, (key, value)) in zip(section.keys, values).enumerated() {
            if index > 0 { lines.append("") }
            lines += wrapped(key.meaning).map { "# " + $0 }
            lines.append("# \(expectation(of: key))")
            lines.append("\(key.name) = \(value.toml)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The reference page of the documentation catalog.
    package static var reference: String {
        var lines = [
            "# Configuration", "",
            "Every key of the configuration file: what it takes, its default, and what it means.", "",
            "## Overview", "",
            "The file is TOML. `Config/alertbus.toml` has every key at its default. What is left out has its default,",
            "so that an empty file is a complete configuration. `alertbus check FILE` says everything that is wrong",
            "with a file at once, each fault with its line and column. `alertbus check FILE --surface PATH` says",
            "which policy a surface has, and why.", "",
            "- An unknown key, a wrong type or an impossible value is an error, never ignored.",
            "- Relative paths count from the directory of the file.",
            "- A pattern that an earlier one leaves nothing to match is an error: the first match wins.",
            "- `arbiter.feed` must differ from `arbiter.requests`; both must be loopback or ipc, unless",
            "  `security.curve_key_file` is set or `security.insecure` is true.",
            "- `limits.subscriber_backlog_bytes` and `limits.producer_backlog_bytes` must be at least",
            "  `limits.message_bytes`.",
            "- `feed.beat_after_ms` must be at most `feed.beat_cycle_ms`.",
            "- `security.permissions_file` needs `security.curve_key_file`.",
            "",
            "This page is generated from the table of keys in the source; change it there.",
        ]
        for section in ConfigurationTable.sections {
            lines += ["", "## \(section.header)", "", section.meaning, ""]
            lines += ["| Key | Takes | Default | Meaning |", "| --- | --- | --- | --- |"]
            for key in section.keys {
                let size = size(of: key)
                var standard = "`\(key.value.toml)`" + (size.isEmpty ? "" : " (\(size))")
                if key.isRequired { standard = "required" }
                let takes = cell(key.form.expectation)
                lines.append("| `\(key.name)` | \(takes) | \(standard) | \(cell(key.meaning)) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func expectation(of key: KeyDescription) -> String {
        let head = key.form.expectation.prefix(1).uppercased() + key.form.expectation.dropFirst()
        let size = size(of: key)
        let note = key.isRequired ? "; required" : size.isEmpty ? "" : "; the default is \(size)"
        return head + note + "."
    }

    /// A long number of bytes in the unit that people say.
    private static func size(of key: KeyDescription) -> String {
        guard case .integer(_, unit: "bytes") = key.form, case .integer(let bytes) = key.value else { return "" }
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] as [(Int64, String)] {
            if bytes >= 1 << shift && bytes % (1 << shift) == 0 { return "\(bytes >> shift) \(unit)" }
        }
        return ""
    }

    /// A bar would end the cell, and a star begin emphasis.
    private static func cell(_ text: String) -> String {
        var result = ""
        var isCode = false
        for character in text {
            if character == "`" { isCode.toggle() }
            if character == "|" || (!isCode && character == "*") { result += "\\" }
            result.append(character)
        }
        return result
    }

    private static func wrapped(_ text: String) -> [String] {
        let width = 100
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
