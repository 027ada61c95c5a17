import AlertBusModel
import AlertBusWire

/// `alertbus dismiss`: ends an alert as a person would.
enum DismissCommand {
    static let definition = Subcommand(
        name: "dismiss", summary: "End an alert; without a name the top one of the surface",
        operands: [
            .required("SURFACE", "Its surface"), .optional("KEY", "Its name; waiting alerts can be named too"),
        ],
        options: [
            TargetOptions.instance,
            .option("revision", "N", "Refused as stale when the alert was changed since this revision"),
        ],
        examples: ["alertbus dismiss lobby/kiosk-1/modal", "alertbus dismiss lobby/kiosk-1/modal door --revision 2"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let command = Command.dismiss(
            surface: try arguments.surface(), try TargetOptions.target(arguments),
            revision: try arguments.integer("revision", 1...UInt32.max))
        return try Replies.ask(.command(command), arguments)
    }
}
