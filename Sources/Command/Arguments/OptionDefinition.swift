/// One option of a subcommand, as its help shows it and as the parser reads it.
package struct OptionDefinition: Sendable {
    /// Without the two dashes.
    package let name: String
    /// What stands for the value in the help, such as `SECONDS`; nil for a switch that takes none.
    package let value: String?
    package let isRepeatable: Bool
    /// One sentence without a full stop at its end.
    package let help: String

    package static func option(_ name: String, _ value: String, _ help: String, repeatable: Bool = false) -> Self {
        OptionDefinition(name: name, value: value, isRepeatable: repeatable, help: help)
    }

    package static func flag(_ name: String, _ help: String) -> Self {
        OptionDefinition(name: name, value: nil, isRepeatable: false, help: help)
    }

    /// As it is written on the command line: `--priority N`.
    package var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// A word of the command line that belongs to no option.
package struct OperandDefinition: Sendable {
    package let name: String
    package let isOptional: Bool
    /// Takes all words that are left; only for the last one of a subcommand.
    package let isRepeatable: Bool
    package let help: String

    package static func required(_ name: String, _ help: String) -> Self {
        OperandDefinition(name: name, isOptional: false, isRepeatable: false, help: help)
    }

    /// One word or more.
    package static func repeated(_ name: String, _ help: String) -> Self {
        OperandDefinition(name: name, isOptional: false, isRepeatable: true, help: help)
    }

    package static func optional(_ name: String, _ help: String) -> Self {
        OperandDefinition(name: name, isOptional: true, isRepeatable: false, help: help)
    }

    package var usage: String { isOptional ? "[\(name)]" : isRepeatable ? name + "…" : name }
}
