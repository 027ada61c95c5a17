import AlertBusModel
import AlertBusWire

/// `alertbus refresh`: loads one source of an alert again.
enum RefreshCommand {
    static let definition = Subcommand(
        name: "refresh", summary: "Load one source of an alert again",
        operands: [
            .required("SURFACE", "Its surface"), .optional("KEY", "Its name, unless --instance gives it"),
            .required("SOURCE", "The name of the source"),
        ],
        options: [
            TargetOptions.instance,
            .option("request", "JSON", "What its provider is asked; default what the producer wrote"),
        ],
        notes: ["When the rows have come the screens are told. If the provider fails, they keep the old rows and hear why."],
        examples: [#"alertbus refresh lobby/kiosk-1/modal filter houses --request '{"region":3}'"#],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        var request: [UInt8] = []
        if let text = arguments.text("request") { request = try Arguments.json(text, of: "--request").bytes }
        let source = try Arguments.checked(arguments.required("SOURCE"), "SOURCE")
        let command = Command.refresh(
            surface: try arguments.surface(), try TargetOptions.named(arguments), source: source, request: request)
        return try Replies.ask(.command(command), arguments)
    }
}
