import AlertBusWire

/// `alertbus why`: the comparison that keeps an alert where it is.
enum WhyCommand {
    static let definition = Subcommand(
        name: "why", summary: "Explain why an alert is where it is",
        operands: [
            .required("SURFACE", "Its surface"), .optional("KEY", "Its name, unless --instance gives it"),
        ],
        options: [TargetOptions.instance],
        notes: ["It prints which rule decides, which alert is above, and until when if nothing else happens."],
        examples: ["alertbus why lobby/kiosk-1/modal tea"],
        run: { (arguments) throws(CommandFailure) in
            try Replies.ask(
                .why(surface: try arguments.surface(), try TargetOptions.named(arguments)), arguments)
        })
}
