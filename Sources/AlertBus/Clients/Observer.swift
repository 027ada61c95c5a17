import AlertBusModel
import ZeroMQ

/// Follows the feed of one or more scopes: for loggers and wallboards, of which any number costs the arbiter little.
///
/// The feed may lose messages; what was lost is found and fetched over the request port. A screen that people act on
/// uses a `Subscriber`.
public final class Observer: Sendable {
    private let connection: Connection<ObserverMachine>
    private let hub: ScreenHub

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Parameter onEvent: called for each event, one after the other on the callback queue; beside it any number of
    ///   `events` sequences can be read.
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public init(
        feed: String = DefaultEndpoint.feed, requests: String = DefaultEndpoint.requests, scopes: [String],
        options: ClientOptions = ClientOptions(), onEvent: (@Sendable (ScreenEvent) -> Void)? = nil
    ) throws(ClientError) {
        var checked: [SurfaceScope] = []
        for scope in scopes { checked.append(try Check.scope(scope)) }
        let hub = ScreenHub()
        let reader = onEvent.map { handler in ScreenReader(hub.follow(), options.queue) { event, _ in handler(event) } }
        let configuration = Connection<ObserverMachine>.Configuration(
            requests: try CommandClient.endpoint(requests),
            feed: (try CommandClient.endpoint(feed), SurfaceScope.disjoint(checked).map(\.topic)), options: options)
        connection = try Connection(ObserverMachine(checked), configuration) { notice in
            if let notice { hub.heard(notice, nil) } else { hub.close() }
            reader?.wake()
        }
        self.hub = hub
        reader?.begin { _ in }
    }

    deinit { connection.close() }

    /// Ends the connections and all sequences.
    public func close() { connection.close() }

    /// Whatever happens from now on, beginning with the state of now.
    public var events: ScreenEvents { ScreenEvents(hub: hub) { _ in } }
    /// What is on the screens now, sorted by surface.
    public var screens: [Screen] { hub.screens }
    /// What is on one surface now, from the bottom to the top.
    public func shown(on surface: String) -> [ShownAlert] { hub.shown(on: surface) }
    public var link: LinkState { hub.link }
    public var repairs: RepairCounts { hub.repairs }
    public var error: ClientError? { hub.error }
}

extension SurfaceScope {
    /// What a SUB subscribes to. The topic of a surface is its path with a slash at the end.
    var topic: String { self == .all ? "" : isPrefix ? text : text + "/" }
}
