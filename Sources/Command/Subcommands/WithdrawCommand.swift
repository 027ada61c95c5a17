import AlertBusModel
import AlertBusWire

/// `alertbus withdraw`: the producer takes an alert back.
enum WithdrawCommand {
    static let definition = Subcommand(
        name: "withdraw", summary: "Take an alert back, under the name that raised it",
        operands: [
            .required("SURFACE", "Where it was raised"), .required("KEY", "Its name"),
        ],
        options: [
            .option("revision", "N", "Refused as stale when the alert was changed since this revision"),
            .option("producer", "NAME", "The name that it was raised under; default none"),
        ],
        examples: ["alertbus withdraw lobby/kiosk-1/modal door"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let command = Command.withdraw(
            surface: try arguments.surface(), key: try Arguments.checked(arguments.required("KEY"), "KEY"),
            revision: try arguments.integer("revision", 1...UInt32.max))
        return try Replies.ask(.command(command), producer: try AlertOptions.producer(arguments), arguments)
    }
}
