import AlertBus
import AlertBusModel
import Glibc
import ZeroMQ

/// `alertbus watch` for people: the library's subscriber repairs what was missed, and each difference is a line.
enum ScreenWatch {
    /// How often the state of the connection is looked at, and how long nobody is told that there is none.
    private static let glance: Milliseconds = 100
    private static let patience: Milliseconds = 3000

    static func run(
        _ endpoint: Endpoint, _ scope: SurfaceScope, _ timeout: Milliseconds?, _ security: Security?
    ) throws(CommandFailure) -> ExitCode {
        let subscriber = try subscribe(endpoint, scope, security)
        let notes = LinkNotes(endpoint)
        let start = SystemClock.monotonic()
        var heardAt: Milliseconds?
        var isLost = false
        while true {
            if let error = subscriber.error { throw failure(error) }
            let now = SystemClock.monotonic()
            if subscriber.link == .connected {
                heardAt = now
                if isLost { notes.back() }
                isLost = false
            } else {
                if heardAt == nil, let timeout, now - start >= timeout { throw .noArbiter(endpoint, timeout) }
                // A connection that was there is missed at once, one that never was only after a while.
                if !isLost && (heardAt != nil || now - start >= patience) {
                    notes.lost()
                    isLost = true
                }
            }
            _ = poll(nil, 0, CInt(glance))
        }
    }

    private static func subscribe(
        _ endpoint: Endpoint, _ scope: SurfaceScope, _ security: Security?
    ) throws(CommandFailure) -> Subscriber {
        let printer = EventPrinter()
        var options = ClientOptions()
        options.security = security
        options.reconnect = .milliseconds(200)
        options.longestReconnect = .seconds(2)
        do throws(ClientError) {
            return try Subscriber(requests: endpoint.description, scope.text, options: options) { event in
                switch event {
                case .show(let surface, let alert, let reason): printer.printEvent(surface, .show, alert, reason)
                case .update(let surface, let alert, let reason): printer.printEvent(surface, .update, alert, reason)
                case .hide(let surface, let alert, let reason): printer.printEvent(surface, .hide, alert, reason)
                case .link: break
                }
            }
        } catch {
            throw failure(error)
        }
    }

    static func failure(_ error: ClientError) -> CommandFailure {
        if case .refused(let refusal) = error { return Replies.failure(refusal) }
        return .refused(error.description)
    }
}
