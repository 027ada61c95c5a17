import AlertBus
import AlertBusModel
import AlertBusWire
import ZeroMQ

/// `alertbus watch`: a subscriber that prints.
enum WatchCommand {
    static let definition = Subcommand(
        name: "watch", summary: "Follow what is shown on a surface, or on all below a path",
        operands: [.required("SCOPE", ScopeHelp.text)],
        options: [
            .option("feed", "ADDRESS", "Follow the feed at this address as an observer; it may lose messages"),
            .flag("screen", "Draw the screen in the terminal, with keys to answer and to dismiss"),
            .option("slots", "N", "With --screen: how many alerts stand side by side, as in the policy; default 1"),
        ],
        notes: [
            "One line for each event: local time, surface, show, update or hide, key, priority, title, reason. Colours only on a "
                + "terminal, and not with NO_COLOR. With --json the messages of the protocol as they come: a snapshot first, and again "
                + "whenever something was lost in between.",
            "It goes on until a signal ends it. When the arbiter is not heard any more it says so on standard error, and again when "
                + "it is back; what was missed is repaired. With --timeout it ends with 3 when no arbiter is heard at first within that time.",
            "With --screen the terminal is the screen: what is on top lies over the others, and what a person does there is an "
                + "answer or a dismissal. Tab goes from one thing to the next, the arrows move in lists, Enter chooses there, typing searches a "
                + "list or fills the input, Enter presses a button, the digits press the buttons, Escape dismisses where that is allowed, Ctrl-L draws everything "
                + "again, Ctrl-C quits. Nothing counts in the first 300 ms after something came on top.",
        ],
        examples: [
            "alertbus watch lobby/", "alertbus watch lobby/kiosk-1/modal --screen", "alertbus watch lobby/kiosk-1/modal --json",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        guard let scope = try arguments.scope() else { preconditionFailure("SCOPE is required") }
        if arguments.has("screen") { return try draw(scope, arguments) }
        if arguments.has("slots") { throw .usage("--slots is only for --screen") }
        if let feed = arguments.text("feed") { return try FeedWatch.run(feed, scope, arguments) }
        let endpoint = try BusAddress.endpoint(arguments)
        let timeout = try arguments.duration("timeout")
        let security = try ClientKeys.security(arguments)
        if arguments.wantsJSON { return try followRaw(endpoint, scope, timeout, security) }
        return try ScreenWatch.run(endpoint, scope, timeout, security)
    }

    private static func draw(_ scope: SurfaceScope, _ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        for other in ["feed", "json"] where arguments.has(other) { throw .usage("--screen and --\(other) exclude each other") }
        return try TerminalWatch.run(
            try BusAddress.endpoint(arguments), scope, slots: try arguments.integer("slots", 1...16) ?? 1,
            try arguments.duration("timeout"))
    }

    private static func followRaw(
        _ endpoint: Endpoint, _ scope: SurfaceScope, _ timeout: Milliseconds?, _ security: Security?
    ) throws(CommandFailure) -> ExitCode {
        let stream: RawStream
        do throws(ZMQError) {
            stream = try RawStream(endpoint, scope, security)
        } catch {
            throw .refused("cannot connect to \(endpoint): \(error)")
        }
        let notes = LinkNotes(endpoint)
        let deadline = timeout.map { SystemClock.monotonic() + $0 }
        try stream.follow(until: deadline) { (notice) throws(CommandFailure) in
            switch notice {
            case .message(let json): StandardOutput.line(String(decoding: json, as: UTF8.self))
            case .refused(let refusal): throw Replies.failure(refusal)
            case .lost: notes.lost()
            case .back: notes.back()
            }
        }
        throw .noArbiter(endpoint, timeout ?? 0)
    }
}

/// What a person is told about the connection.
struct LinkNotes: Sendable {
    private let endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    func lost() {
        StandardError.line("bus lost: nothing is heard from \(endpoint); what was shown may be old")
    }

    func back() { StandardError.line("bus back: \(endpoint) is heard again") }
}
