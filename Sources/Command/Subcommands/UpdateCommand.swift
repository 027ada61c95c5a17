import AlertBusModel
import AlertBusWire

/// `alertbus update`: changes an alert where it is.
enum UpdateCommand {
    static let definition = Subcommand(
        name: "update", summary: "Change an alert where it is, under the name that raised it",
        operands: [
            .required("SURFACE", "Where it was raised"), .required("KEY", "Its name"),
        ],
        options: [
            .option("priority", "N", "Another priority"),
            .flag("intercept", "It waits when the surface is busy"),
            .flag("no-intercept", "It does not wait"),
            .flag("activate", "It comes back when covered"),
            .flag("no-activate", "It ends when covered"),
            .option("ttl", "TIME", "Ends as expired so long from now"),
            .option("display-for", "TIME", "Ends as timed_out after so long on screen from now"),
        ] + AlertOptions.content + [
            .option("revision", "N", "Refused as stale when the alert was changed since this revision"),
            .option("producer", "NAME", "The name that it was raised under; default none"),
        ],
        notes: [
            "What is not named stays as it is, but the parameters are replaced as a whole: give all of --title, --body, --icon, "
                + "--action and --params that are to remain."
        ],
        examples: ["alertbus update lobby/kiosk-1/modal door --title 'Door still open' --priority 3"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let key = try Arguments.checked(arguments.required("KEY"), "KEY")
        var update = Update(surface: try arguments.surface(), key: key)
        update.revision = try arguments.integer("revision", 1...UInt32.max)
        update.priority = try arguments.integer("priority", 0...UInt8.max)
        update.intercept = try choice("intercept", arguments)
        update.activate = try choice("activate", arguments)
        update.ttl = try arguments.duration("ttl")
        update.display = try arguments.duration("display-for")
        update.presentation = try AlertOptions.presentation(arguments)
        update.params = try AlertOptions.params(arguments)
        return try Replies.ask(.command(.update(update)), producer: try AlertOptions.producer(arguments), arguments)
    }

    private static func choice(_ name: String, _ arguments: Arguments) throws(CommandFailure) -> Bool? {
        let isOn = arguments.has(name)
        let isOff = arguments.has("no-\(name)")
        if isOn && isOff { throw .usage("--\(name) and --no-\(name) exclude each other") }
        return isOn ? true : isOff ? false : nil
    }
}
