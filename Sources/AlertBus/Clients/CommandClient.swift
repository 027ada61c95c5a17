import AlertBusModel
import AlertBusWire
import Synchronization
import ZeroMQ

/// The connection of a producer or an operator.
final class CommandClient: Commanding {
    private let connection: Connection<ProducerMachine>
    private let center: CommandCenter
    private let timeout: Milliseconds?
    let status: LinkStatus

    init(requests: String, producer: String?, options: ClientOptions) throws(ClientError) {
        let endpoint = try Self.endpoint(requests)
        if let producer, !producer.isEmpty { _ = try Check.name(producer) }
        let center = CommandCenter()
        let status = LinkStatus()
        let machine = ProducerMachine(token: Self.token(), options: Self.outbox(options, endpoint, producer))
        connection = try Connection(machine, .init(requests: endpoint, feed: nil, options: options)) { notice in
            switch notice {
            case .command(let notice): center.heard(notice)
            case .receipt(let id, let receipt): center.heard(receipt, of: id)
            case .link(let state): status.set(state)
            case .failed(let error): status.fail(error)
            case nil:
                center.close()
                status.close()
            }
        }
        self.center = center
        self.status = status
        timeout = options.timeout?.milliseconds
    }

    func submit(
        _ body: Request.Body, receipts: (@Sendable (Receipt?) -> Void)?, _ reply: @escaping CommandCenter.Reply
    ) {
        guard let id = center.register(receipts: receipts, reply) else { return }
        connection.order(.submit(id: id, body, timeout: timeout))
    }

    func close() { connection.close() }

    static func endpoint(_ text: String) throws(ClientError) -> Endpoint {
        do throws(EndpointFault) { return try Endpoint(text) } catch { throw .endpoint(error) }
    }

    static func outbox(_ options: ClientOptions, _ endpoint: Endpoint, _ producer: String?) -> CommandOutbox.Options {
        var result = CommandOutbox.Options()
        result.endpoint = endpoint.description
        result.producer = producer.flatMap { $0.isEmpty ? nil : $0 }
        result.count = options.outboxCount
        result.bytes = options.outboxBytes
        result.retriesOverLimit = options.retriesOverLimit
        return result
    }

    /// No two starts of any process have the same.
    static func token() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

/// The newest state of a connection, and who wants to know when it changes.
final class LinkStatus: Sendable {
    private struct State {
        var link = LinkState.reconnecting
        var error: ClientError?
        var followers: [AsyncStream<LinkState>.Continuation] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    var link: LinkState { state.withLock { $0.link } }
    /// The last fault that was not the arbiter's silence; nil while connected.
    var error: ClientError? { state.withLock { $0.error } }

    func set(_ link: LinkState) {
        state.withLock { state in
            state.link = link
            if link == .connected { state.error = nil }
            for follower in state.followers { follower.yield(link) }
        }
    }

    func fail(_ error: ClientError) { state.withLock { $0.error = error } }

    func close() {
        let followers = state.withLock { state in
            state.isClosed = true
            defer { state.followers = [] }
            return state.followers
        }
        for follower in followers { follower.finish() }
    }

    /// The state of now, and each that follows.
    func follow() -> AsyncStream<LinkState> {
        // States that nobody has read are of no interest when a newer one is there.
        let (stream, continuation) = AsyncStream.makeStream(of: LinkState.self, bufferingPolicy: .bufferingNewest(16))
        let isClosed = state.withLock { state in
            continuation.yield(state.link)
            if !state.isClosed { state.followers.append(continuation) }
            return state.isClosed
        }
        if isClosed { continuation.finish() }
        return stream
    }
}
