import AlertBusModel
import AlertBusWire
import Synchronization

/// Brings rows when an alert needs them.
///
/// Several providers may serve one name, in this process or in others: the arbiter asks each in turn.
public final class Provider: Sendable {
    /// What the producer wrote; nil when it wrote nothing. The task is cancelled when nobody waits for the rows
    /// any more. What is thrown reaches the arbiter as the cause.
    public typealias Handler = @Sendable (JSONValue?) async throws -> [JSONValue]

    private let connection: Connection<ProviderMachine>
    private let status: LinkStatus
    private let work: ProviderWork

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Parameter handler: brings the rows: objects with an `id`, a number or a string, that differs from the others.
    ///   Several calls may run at the same time.
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public init(
        requests: String = DefaultEndpoint.requests, name: String, options: ClientOptions = ClientOptions(),
        _ handler: @escaping Handler
    ) throws(ClientError) {
        let endpoint = try CommandClient.endpoint(requests)
        let machine = ProviderMachine(names: [try Check.name(name)])
        let status = LinkStatus()
        let work = ProviderWork(handler)
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
        work.answer(by: connection)
        self.connection = connection
        self.status = status
        self.work = work
    }

    deinit { connection.close() }

    public func close() { connection.close() }

    /// `connected` once the name is registered.
    public var link: LinkState { status.link }
    public var linkStates: AsyncStream<LinkState> { status.follow() }
    public var error: ClientError? { status.error }
}

/// The tasks of a provider.
final class ProviderWork: Sendable {
    private struct State {
        var tasks: [UInt64: (turn: UInt64, task: Task<Void, Never>)] = [:]
        var turn: UInt64 = 0
        weak var connection: Connection<ProviderMachine>?
        /// Answers that were ready before the connection was known.
        var early: [ProviderMachine.Order] = []
    }

    private let state = Mutex(State())
    private let handler: Provider.Handler

    init(_ handler: @escaping Provider.Handler) { self.handler = handler }

    func answer(by connection: Connection<ProviderMachine>) {
        let early = state.withLock { state in
            state.connection = connection
            defer { state.early = [] }
            return state.early
        }
        for order in early { connection.order(order) }
    }

    func begin(_ request: LoadRequest) {
        state.withLock { state in
            state.turn += 1
            let turn = state.turn
            let handler = handler
            let task = Task { [weak self] in
                let order: ProviderMachine.Order
                do {
                    let value = request.request.isEmpty ? nil : try JSONValue(request.request)
                    order = .loaded(load: request.load, rows: try Self.rows(try await handler(value)))
                } catch {
                    order = .failed(load: request.load, message: Self.sentence(error))
                }
                self?.finished(request.load, turn, order)
            }
            state.tasks[request.load] = (turn, task)
        }
    }

    func drop(_ load: UInt64) { state.withLock { $0.tasks.removeValue(forKey: load)?.task.cancel() } }

    func dropAll() {
        state.withLock { state in
            for (_, task) in state.tasks.values { task.cancel() }
            state.tasks = [:]
        }
    }

    private func finished(_ load: UInt64, _ turn: UInt64, _ order: ProviderMachine.Order) {
        let connection = state.withLock { state -> Connection<ProviderMachine>? in
            // The number may have been given out again after it was dropped.
            guard state.tasks[load]?.turn == turn else { return nil }
            state.tasks[load] = nil
            if state.connection == nil { state.early.append(order) }
            return state.connection
        }
        connection?.order(order)
    }

    private static func rows(_ values: [JSONValue]) throws -> [Row] {
        try values.enumerated().map { index, value in
            switch value["id"] {
            case .number?, .string?: return Row(id: value["id"]!.bytes, json: value.bytes)
            default: throw RowFault(index: index)
            }
        }
    }

    /// The arbiter takes a sentence of 1024 bytes.
    private static func sentence(_ error: any Error) -> String {
        var text = "\(error)"
        while text.utf8.count > 1000 { text.removeLast(max(1, (text.utf8.count - 1000) / 4)) }
        return text.isEmpty ? "the provider failed without saying why" : text
    }

    private struct RowFault: Error, CustomStringConvertible {
        let index: Int
        var description: String { "row \(index) of the provider is no object with a number or a string as id" }
    }
}
