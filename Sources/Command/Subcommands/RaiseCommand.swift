import AlertBusModel
import AlertBusWire

/// `alertbus raise`: a producer from the shell.
enum RaiseCommand {
    static let definition = Subcommand(
        name: "raise", summary: "Ask for an alert to be shown",
        operands: [
            .required("SURFACE", "Where: a path such as lobby/kiosk-1/modal"),
            .required("KEY", "Its name, unique per producer and surface"),
        ],
        options: [
            .option("priority", "N", "1 (low) to 3 (high), or more if the policy allows it; default 1"),
            .flag("no-intercept", "Do not wait: be shown at once, on top of what is there"),
            .flag("no-activate", "Do not come back: be refused when the surface is busy, end when covered"),
            .option("ttl", "TIME", "Ends as expired so long after it was accepted"),
            .option("display-for", "TIME", "Ends as timed_out after so long on screen with nothing over it"),
            .option("min-show", "TIME", "Not covered or replaced before it was shown for so long"),
        ] + AlertOptions.content + [
            .option(
                "source", "NAME[=JSON]", "A list that it needs before it is shown, and the request to its provider",
                repeatable: true),
            .option("selected", "NAME=ID,ID", "The ids of a source that are selected already", repeatable: true),
            .option("optional", "NAME", "Be shown without this source if it fails", repeatable: true),
            .option("source-timeout", "NAME=TIME", "How long the provider of a source may take; default 10s", repeatable: true),
            .option("load-timeout", "TIME", "How long all sources together may take"),
            .option("on-owner-loss", "WHAT", "close: ends when this connection ends (with --wait); keep is the default"),
            .flag("update", "If the key is in use with other content, replace the content in place"),
            .flag("breakthrough", "Be shown although the surface is held, if that is granted"),
            .option("producer", "NAME", "The name to raise it under; default none"),
            .flag("wait", "Wait for the outcome, also over restarts of the arbiter, and print it"),
        ],
        notes: [
            "A surface, a key and a name have at most 255 bytes and no control characters. Sending the same alert twice shows it once.",
            "With --wait it prints the answer as JSON, or the reason of the end where there is no answer; with --json an object with "
                + "both. It ends with 0 when the alert was shown to its end (answered, dismissed, timed_out), with 1 when it was refused "
                + "or ended in another way, with 3 when it was not accepted within the timeout; after that it waits for ever. A signal "
                + "ends the waiting, not the alert (unless --on-owner-loss close).",
        ],
        examples: [
            "alertbus raise lobby/kiosk-1/modal door --priority 3 --title 'Door open' --action ok=Understood",
            "alertbus raise lobby/kiosk-1/modal leave --title 'Leave?' --action yes=Yes --action no=No --wait",
            "alertbus raise lobby/kiosk-1/banner tea --ttl 10m --display-for 5s --title 'Tea is ready'",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let raise = try raise(arguments)
        if arguments.has("wait") { return try WaitingRaise.run(raise, arguments) }
        return try Replies.ask(.command(.raise(raise)), producer: try AlertOptions.producer(arguments), arguments)
    }

    static func raise(_ arguments: Arguments) throws(CommandFailure) -> Raise {
        let key = try Arguments.checked(arguments.required("KEY"), "KEY")
        var raise = Raise(surface: try arguments.surface(), key: key, update: arguments.has("update"))
        raise.content = try content(arguments)
        return raise
    }

    private static func content(_ arguments: Arguments) throws(CommandFailure) -> AlertContent {
        var content = AlertContent()
        content.priority = try arguments.integer("priority", 0...UInt8.max) ?? content.priority
        content.intercept = !arguments.has("no-intercept")
        content.activate = !arguments.has("no-activate")
        content.breakthrough = arguments.has("breakthrough")
        content.closesOnOwnerLoss = try closes(arguments)
        content.ttl = try arguments.duration("ttl")
        content.display = try arguments.duration("display-for")
        content.minShow = try arguments.duration("min-show", 0...WireLimits.longestClock)
        content.presentation = try AlertOptions.presentation(arguments)
        content.params = try AlertOptions.params(arguments) ?? []
        content.loadTimeout = try arguments.duration("load-timeout", 1...WireLimits.longestTimeout)
        content.sources = try SourceOptions.sources(arguments)
        return content
    }

    private static func closes(_ arguments: Arguments) throws(CommandFailure) -> Bool {
        switch arguments.text("on-owner-loss") {
        case nil, "keep": return false
        case "close": return true
        case let text?: throw .usage("--on-owner-loss takes keep or close, got \(Quoting.quoted(text))")
        }
    }
}
