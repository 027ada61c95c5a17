import AlertBusModel
import AlertBusWire

/// `alertbus hold` and `alertbus release`: do not disturb.
enum HoldCommand {
    static let hold = Subcommand(
        name: "hold", summary: "Do not disturb: show nothing new on a surface, or on all below a path",
        operands: [.required("SCOPE", ScopeHelp.text)],
        notes: [
            "What is shown stays. Alerts with a granted breakthrough are shown all the same. The newest hold or release that "
                + "covers a surface counts. It prints how many surfaces it touched."
        ],
        examples: ["alertbus hold lobby/"],
        run: { (arguments) throws(CommandFailure) in
            try Replies.ask(.command(.hold(try arguments.scope() ?? .all)), arguments)
        })

    static let release = Subcommand(
        name: "release", summary: "End a hold",
        operands: [.required("SCOPE", ScopeHelp.text)],
        notes: ["It prints how many surfaces it touched."],
        examples: ["alertbus release lobby/"],
        run: { (arguments) throws(CommandFailure) in
            try Replies.ask(.command(.release(try arguments.scope() ?? .all)), arguments)
        })
}
