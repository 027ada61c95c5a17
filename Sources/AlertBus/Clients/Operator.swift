import AlertBusModel
import AlertBusWire

/// Looks at what the arbiter holds, and intervenes.
///
/// Every call waits for the reply, and throws `refused` with the arbiter's reason, or `noArbiter`, `notAuthorised`,
/// `outboxFull`, `closed`. A command that is sent again over a new connection takes effect once.
public final class Operator: Sendable {
    private let client: CommandClient

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Throws: `endpoint` for a text that is none, `socket` when the system has no resources left.
    public init(
        requests: String = DefaultEndpoint.requests, options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        client = try CommandClient(requests: requests, producer: nil, options: options)
    }

    deinit { client.close() }

    public func close() { client.close() }

    public var link: LinkState { client.status.link }

    // MARK: Intervene

    /// Ends an alert, waiting or displayed.
    /// - Parameter target: the top one of what is displayed if nothing else is said.
    @discardableResult
    public func dismiss(
        _ surface: String, _ target: Target = .top, revision: UInt32? = nil
    ) async throws(ClientError) -> Done {
        try await client.done(
            .dismiss(surface: try Check.surface(surface), try Check.target(target), revision: revision))
    }

    /// Ends an alert with a value, which reaches its producer.
    @discardableResult
    public func answer(
        _ surface: String, _ target: Target = .top, with answer: JSONValue, revision: UInt32? = nil
    ) async throws(ClientError) -> Done {
        try await client.done(
            .answer(
                surface: try Check.surface(surface), try Check.target(target), revision: revision,
                Answer(json: answer.bytes)))
    }

    /// Ends everything that waits in a scope; with `shown` also what is displayed. Tells how many ended.
    @discardableResult
    public func clear(_ scope: String, shown: Bool = false) async throws(ClientError) -> Int {
        try await client.done(.clear(try Check.scope(scope), shown: shown)).count
    }

    /// Do not disturb: nothing is activated there until `release`. Tells how many surfaces that touches.
    @discardableResult
    public func hold(_ scope: String) async throws(ClientError) -> Int {
        try await client.done(.hold(try Check.scope(scope))).count
    }

    @discardableResult
    public func release(_ scope: String) async throws(ClientError) -> Int {
        try await client.done(.release(try Check.scope(scope))).count
    }

    /// Loads one source of an alert again.
    @discardableResult
    public func refresh(
        _ surface: String, _ target: Target, source: String, request: JSONValue? = nil
    ) async throws(ClientError) -> Done {
        try await client.done(
            .refresh(
                surface: try Check.surface(surface), try Check.target(target), source: try Check.name(source),
                request: request?.bytes ?? []))
    }

    // MARK: Look

    /// All alerts of a scope. A long list comes in parts: what changed meanwhile is told as it was when its part was made.
    public func list(_ scope: String = "/") async throws(ClientError) -> [AlertSummary] {
        let answer = try await client.perform(.list(try Check.scope(scope), subscribers: false))
        guard case .alerts(let alerts) = answer else { throw .unexpectedReply("no list of alerts") }
        return alerts.newestOfEach()
    }

    /// Who listens in a scope, and how far each screen is.
    public func listSubscribers(_ scope: String = "/") async throws(ClientError) -> [SubscriberSummary] {
        let answer = try await client.perform(.list(try Check.scope(scope), subscribers: true))
        guard case .subscribers(let subscribers) = answer else { throw .unexpectedReply("no list of subscribers") }
        return subscribers
    }

    /// What the arbiter has counted since its start and what it holds now, by name; the page "The protocol" has the names.
    public func counters() async throws(ClientError) -> [String: UInt64] {
        guard case .counters(let counters) = try await client.perform(.counters) else {
            throw .unexpectedReply("no counters")
        }
        return Dictionary(counters.map { ($0.name, $0.value) }) { $1 }
    }

    /// Why an alert is where it is.
    public func why(_ surface: String, _ target: Target = .top) async throws(ClientError) -> Explanation {
        let answer = try await client.perform(.why(surface: try Check.surface(surface), try Check.target(target)))
        guard case .explanation(let explanation) = answer else { throw .unexpectedReply("no explanation") }
        return explanation
    }

    /// What is on the screens of a scope now.
    public func sync(_ scope: String = "/") async throws(ClientError) -> [SurfaceSnapshot] {
        guard case .snapshot(_, let surfaces) = try await client.perform(.sync(try Check.scope(scope))) else {
            throw .unexpectedReply("no snapshot")
        }
        return surfaces
    }

    /// Where an alert stands, or how it ended if the arbiter still knows.
    public func status(_ surface: String, _ target: Target = .top) async throws(ClientError) -> Receipt {
        let answer = try await client.perform(
            .command(.status(surface: try Check.surface(surface), try Check.target(target))))
        guard case .event(let receipt) = answer else { throw .unexpectedReply("no event") }
        return receipt
    }
}
