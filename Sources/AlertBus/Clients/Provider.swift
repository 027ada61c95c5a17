import AlertBusModel
import AlertBusWire

/// Brings rows when an alert needs them.
///
/// Several providers may serve one name, in this process or in others: the arbiter asks each in turn.
public final class Provider: Sendable {
    /// What the producer wrote; nil when it wrote nothing. The task is cancelled when nobody waits for the rows
    /// any more. What is thrown reaches the arbiter as the cause.
    public typealias Handler = @Sendable (JSONValue?) async throws -> [JSONValue]

    private let connection: Connection<ProviderMachine>
    private let status: LinkStatus

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Parameters:
    ///   - concurrency: calls of the handler that may run at the same time; more requests wait, up to their time limit.
    ///   - handler: brings the rows: objects with an `id`, a number or a string, that differs from the others.
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public init(
        requests: String = DefaultEndpoint.requests, name: String, concurrency: Int = 1000,
        options: ClientOptions = ClientOptions(), _ handler: @escaping Handler
    ) throws(ClientError) {
        let endpoint = try CommandClient.endpoint(requests)
        let machine = ProviderMachine(names: [try Check.name(name)])
        let status = LinkStatus()
        let work = ProviderWork(concurrency: max(1, concurrency), handler)
        let connection = try Connection(machine, .init(requests: endpoint, feed: nil, options: options)) { notice in
            switch notice {
            case .load(let request): work.begin(request)
            case .drop(let load): work.drop(load)
            case .link(let state): status.set(state)
            case .failed(let error): status.fail(error)
            case nil:
                work.dropAll()
                status.close()
            }
        }
        work.answer { [weak connection] in connection?.order($0) }
        self.connection = connection
        self.status = status
    }

    deinit { connection.close() }

    /// Ends the connection and cancels the tasks that run. What was asked goes to another provider of the name.
    public func close() { connection.close() }

    /// `connected` once the name is registered.
    public var link: LinkState { status.link }
    public var linkStates: AsyncStream<LinkState> { status.follow() }
    public var error: ClientError? { status.error }
}
