/// One subcommand: what it takes, what its help says, and what it does.
package struct Subcommand: Sendable {
    package let name: String
    /// One line for the table of subcommands.
    package let summary: String
    package let operands: [OperandDefinition]
    /// Its own options; those of every subcommand come on top.
    package let options: [OptionDefinition]
    /// Paragraphs that follow the options in the help.
    package let notes: [String]
    /// Command lines that work as they stand.
    package let examples: [String]
    package let run: @Sendable (Arguments) throws(CommandFailure) -> ExitCode

    package init(
        name: String, summary: String, operands: [OperandDefinition] = [], options: [OptionDefinition] = [],
        notes: [String] = [], examples: [String] = [],
        run: @escaping @Sendable (Arguments) throws(CommandFailure) -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.examples = examples
        self.run = run
    }

    package var allOptions: [OptionDefinition] { options + sharedOptions }

    /// Those of every subcommand, without the names that it has given another meaning.
    package var sharedOptions: [OptionDefinition] {
        Self.shared.filter { shared in !options.contains { $0.name == shared.name } }
    }

    /// The options that every subcommand takes.
    package static let shared: [OptionDefinition] =
        [
            .option(
                "requests", "ADDRESS",
                "The arbiter's address for requests; default $ALERTBUS_REQUESTS, else \(BusAddress.standard)")
        ] + ClientKeys.options + [
            .flag("json", "Print results as JSON for machines"),
            .option("timeout", "TIME", "How long to wait for the arbiter, such as 500ms, 5s or 2m; default 5s"),
            .flag("help", "Print this help"),
        ]
}
