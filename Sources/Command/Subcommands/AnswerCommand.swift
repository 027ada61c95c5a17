import AlertBusModel
import AlertBusWire

/// `alertbus answer`: ends an alert with a value for its producer.
enum AnswerCommand {
    static let definition = Subcommand(
        name: "answer", summary: "End an alert with a value, which its producer receives",
        operands: [
            .required("SURFACE", "Its surface"), .optional("KEY", "Its name, unless --instance gives it"),
            .required("JSON", "The value: any JSON"),
        ],
        options: [
            TargetOptions.instance,
            .option("revision", "N", "Refused as stale when the alert was changed since this revision"),
        ],
        notes: [
            "The ids that were chosen from the data of an alert are given per source: {\"selected\":{\"regions\":[1,2]}}."
        ],
        examples: [#"alertbus answer lobby/kiosk-1/modal door '{"action":"ok"}'"#],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let value = try Arguments.json(arguments.required("JSON"), of: "JSON")
        let command = Command.answer(
            surface: try arguments.surface(), try TargetOptions.named(arguments),
            revision: try arguments.integer("revision", 1...UInt32.max), Answer(json: value.bytes))
        return try Replies.ask(.command(command), arguments)
    }
}
