import AlertBusModel
import AlertBusWire

/// `alertbus clear`: ends everything that waits.
enum ClearCommand {
    static let definition = Subcommand(
        name: "clear", summary: "End everything that waits on a surface, or on all below a path",
        operands: [.required("SCOPE", ScopeHelp.text)],
        options: [.flag("shown", "Also what is displayed")],
        notes: ["It prints how many alerts ended."],
        examples: ["alertbus clear lobby/ --shown"],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let scope = try arguments.scope() ?? .all
        return try Replies.ask(.command(.clear(scope, shown: arguments.has("shown"))), arguments)
    }
}

enum ScopeHelp {
    static let text = "A surface, or with a slash at its end all below a path: lobby/; a lone / means all"
}
