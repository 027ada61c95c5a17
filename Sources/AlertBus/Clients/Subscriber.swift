import AlertBusModel
import AlertBusWire
import Dispatch

/// Follows what is shown on the surfaces of one or more scopes, for a program that draws it.
///
/// Whatever gets lost on the way is repaired: the program sees only the differences, nothing twice, nothing left
/// behind. While the arbiter is away the screens stay as they are, and `link` says so.
public final class Subscriber: Commanding {
    private let connection: Connection<SubscriberMachine>
    private let hub: ScreenHub
    private let center: CommandCenter
    private let timeout: Milliseconds?
    private let confirm: @Sendable (ScreenPosition) -> Void

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Parameters:
    ///   - scopes: surfaces, or with a slash at the end everything below a path.
    ///   - onEvent: called for each event, one after the other on the callback queue; beside it any number of
    ///     `events` sequences can be read.
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public convenience init(
        requests: String = DefaultEndpoint.requests, scopes: [String], options: ClientOptions = ClientOptions(),
        onEvent: (@Sendable (ScreenEvent) -> Void)? = nil
    ) throws(ClientError) {
        let handler: (@Sendable (ScreenEvent, ScreenPosition?) -> Void)?
        if let onEvent { handler = { event, _ in onEvent(event) } } else { handler = nil }
        try self.init(requests: requests, scopes: scopes, options: options, onPlacedEvent: handler)
    }

    /// For programs that draw somewhere else, and hear later what has been drawn: the last event of a step comes with the
    /// position that is reached with it.
    package init(
        requests: String, scopes: [String], options: ClientOptions,
        onPlacedEvent: (@Sendable (ScreenEvent, ScreenPosition?) -> Void)?
    ) throws(ClientError) {
        let endpoint = try CommandClient.endpoint(requests)
        var checked: [SurfaceScope] = []
        for scope in scopes { checked.append(try Check.scope(scope)) }
        let machine = SubscriberMachine(
            checked, token: CommandClient.token(), options: CommandClient.outbox(options, endpoint, nil))
        let hub = ScreenHub()
        let center = CommandCenter()
        let reader = onPlacedEvent.map { ScreenReader(hub.follow(), options.queue, $0) }
        let connection = try Connection(machine, .init(requests: endpoint, feed: nil, options: options)) { notice in
            if let notice {
                hub.heard(notice, center)
            } else {
                center.close()
                hub.close()
            }
            reader?.wake()
        }
        self.connection = connection
        self.hub = hub
        self.center = center
        timeout = options.timeout?.milliseconds
        confirm = { [weak connection] position in
            hub.handled(position)
            guard options.confirmsDrawn else { return }
            connection?.order(.drawn(surface: position.surface, epoch: position.epoch, seq: position.seq))
        }
        reader?.begin(confirm)
    }

    /// The same for one scope.
    public convenience init(
        requests: String = DefaultEndpoint.requests, _ scope: String, options: ClientOptions = ClientOptions(),
        onEvent: (@Sendable (ScreenEvent) -> Void)? = nil
    ) throws(ClientError) {
        try self.init(requests: requests, scopes: [scope], options: options, onEvent: onEvent)
    }

    deinit { connection.close() }

    /// Ends the connection and all sequences.
    public func close() { connection.close() }

    /// Whatever happens from now on, beginning with the state of now.
    public var events: ScreenEvents { ScreenEvents(hub: hub, confirm: confirm) }

    /// What should be on the screens now, sorted by surface. Surfaces on which nothing was ever shown may be missing.
    public var screens: [Screen] { hub.screens }
    /// What should be on one surface now, from the bottom to the top.
    public func shown(on surface: String) -> [ShownAlert] { hub.shown(on: surface) }
    public var link: LinkState { hub.link }
    public var repairs: RepairCounts { hub.repairs }
    /// Why there is no connection, where that is known: not authorised, or a scope refused.
    public var error: ClientError? { hub.error }

    /// Says that everything that was handed out for a surface so far is drawn. Only needed with `confirmsDrawn` off.
    public func drawn(_ surface: String) {
        guard let position = hub.lastHandled(on: surface) else { return }
        connection.order(.drawn(surface: surface, epoch: position.epoch, seq: position.seq))
    }

    /// Says that a surface is drawn up to a position. Positions of the past do no harm.
    package func drawn(_ position: ScreenPosition) {
        connection.order(.drawn(surface: position.surface, epoch: position.epoch, seq: position.seq))
    }

    // MARK: What a person does

    /// Ends an alert as it was seen on a screen, with an answer or without one.
    /// - Parameter completion: called once, from a thread of the client's.
    package func end(
        _ instance: UInt64, on surface: String, revision: UInt32, answer: JSONValue?,
        completion: @escaping @Sendable (ClientError?) -> Void
    ) {
        let command: Command =
            if let answer {
                .answer(surface: surface, .instance(instance), revision: revision, Answer(json: answer.bytes))
            } else {
                .dismiss(surface: surface, .instance(instance), revision: revision)
            }
        submit(.command(command), receipts: nil) { result in
            if case .failure(let error) = result { completion(error) } else { completion(nil) }
        }
    }

    /// Ends an alert with a value, which reaches its producer.
    ///
    /// - Parameter answer: any JSON; `selected` in an object names the chosen ids of each source.
    /// - Throws: `refused` with `stale` when the alert changed meanwhile, `already_ended` when another one was first.
    @discardableResult
    public func answer(
        _ alert: ShownAlert, on surface: String, _ answer: JSONValue
    ) async throws(ClientError) -> Done {
        try await done(
            .answer(
                surface: try Check.surface(surface), .instance(alert.instance), revision: alert.revision,
                Answer(json: answer.bytes)))
    }

    /// The same from its parts, as screens usually answer: the chosen ids of each source, a button, a text.
    ///
    /// - Throws: as above, and `refused` with `malformed` for an id that was not offered.
    @discardableResult
    public func answer(
        _ alert: ShownAlert, on surface: String, selected: KeyValuePairs<String, [JSONValue]>, action: String? = nil,
        text: String? = nil
    ) async throws(ClientError) -> Done {
        var members: [JSONValue.Member] = []
        if let action { members.append(.init("action", .string(action))) }
        if let text { members.append(.init("text", .string(text))) }
        members.append(.init("selected", .object(selected.map { .init($0.key, .array($0.value)) })))
        return try await answer(alert, on: surface, .object(members))
    }

    /// Ends an alert.
    @discardableResult
    public func dismiss(_ alert: ShownAlert, on surface: String) async throws(ClientError) -> Done {
        try await done(.dismiss(surface: try Check.surface(surface), .instance(alert.instance), revision: nil))
    }

    /// Loads one source of an alert again; an `update` follows when the rows have come.
    @discardableResult
    public func refresh(
        _ alert: ShownAlert, on surface: String, source: String, request: JSONValue? = nil
    ) async throws(ClientError) -> Done {
        try await done(
            .refresh(
                surface: try Check.surface(surface), .instance(alert.instance), source: try Check.name(source),
                request: request?.bytes ?? []))
    }

    func submit(
        _ body: Request.Body, receipts: (@Sendable (Receipt?) -> Void)?, _ reply: @escaping CommandCenter.Reply
    ) {
        guard let id = center.register(receipts: receipts, reply) else { return }
        connection.order(.command(.submit(id: id, body, timeout: timeout)))
    }
}
