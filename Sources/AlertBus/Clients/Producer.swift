import AlertBusModel
import AlertBusWire
import Dispatch

/// Asks for alerts and hears what becomes of them.
///
/// Every command is sent until it is answered, also over lost connections and restarts of the arbiter, in order for
/// each surface, and takes effect once. Several commands may wait for their reply at the same time.
public final class Producer: Sendable {
    /// Keys belong to this name. "" claims none.
    public let name: String
    let client: CommandClient
    private let queue: DispatchQueue

    /// Connects in the background; nothing waits for the arbiter here.
    ///
    /// - Throws: `endpoint` or `name` for a text that is none, `socket` when the system has no resources left.
    public init(
        requests: String = DefaultEndpoint.requests, name: String = "", options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        self.name = name
        client = try CommandClient(requests: requests, producer: name, options: options)
        queue = options.queue
    }

    deinit { client.close() }

    /// Ends the connection. What waits fails with `closed`; accepted alerts stay.
    public func close() { client.close() }

    public var link: LinkState { client.status.link }
    /// The state of now, and each that follows.
    public var linkStates: AsyncStream<LinkState> { client.status.follow() }

    // MARK: Raise

    /// Asks for an alert, and waits until the arbiter has accepted it.
    ///
    /// - Throws: `refused` with the arbiter's reason; `noArbiter`, `notAuthorised`, `outboxFull`, `closed`.
    public func raise(
        _ surface: String, _ key: String, _ config: AlertConfig = AlertConfig()
    ) async throws(ClientError) -> AlertHandle {
        let raise = try request(surface, key, config)
        let log = ReceiptLog()
        let result = await withCheckedContinuation { continuation in
            client.submit(.command(.raise(raise)), receipts: Self.writer(to: log)) { continuation.resume(returning: $0) }
        }
        guard case .accepted(let accepted, let watchers) = try result.get() else {
            throw .unexpectedReply("\(result)")
        }
        return AlertHandle(self, accepted, watchers: watchers, log)
    }

    /// The same with closures, which are called one after the other on the callback queue.
    ///
    /// - Parameters:
    ///   - onReceipt: each rung, beginning with the one at acceptance.
    ///   - onCompletion: exactly once: how the alert ended, or why it was never accepted.
    public func raise(
        _ surface: String, _ key: String, _ config: AlertConfig = AlertConfig(),
        onReceipt: (@Sendable (Receipt) -> Void)? = nil,
        onCompletion: @escaping @Sendable (Result<Outcome, ClientError>) -> Void
    ) {
        let queue = queue
        let raise: Raise
        do throws(ClientError) {
            raise = try request(surface, key, config)
        } catch {
            return queue.async { onCompletion(.failure(error)) }
        }
        client.submit(.command(.raise(raise))) { receipt in
            queue.async {
                guard let receipt else { return onCompletion(.failure(.closed)) }
                onReceipt?(receipt)
                if receipt.event == .ended { onCompletion(.success(Outcome(receipt))) }
            }
        } _: { result in
            if case .failure(let error) = result, error != .closed { queue.async { onCompletion(.failure(error)) } }
        }
    }

    /// Shows an alert with data, and waits for what the person chooses.
    ///
    /// - Throws: `ended` when it ended in another way than by an answer; otherwise as `raise`.
    public func ask(
        _ surface: String, _ key: String, sources: [DataSource], title: String? = nil, priority: Int = 1,
        presentation: String? = "over_full_screen"
    ) async throws(ClientError) -> Selection {
        let config = AlertConfig(title: title, priority: priority, presentation: presentation, sources: sources)
        return try await ask(surface, key, config)
    }

    /// The same for any alert.
    public func ask(_ surface: String, _ key: String, _ config: AlertConfig) async throws(ClientError) -> Selection {
        let outcome = try await raise(surface, key, config).outcome
        guard outcome.reason == .answered else { throw .ended(outcome) }
        return outcome.selection
    }

    /// The same with a closure, which is called exactly once, on the callback queue.
    public func ask(
        _ surface: String, _ key: String, sources: [DataSource], title: String? = nil, priority: Int = 1,
        presentation: String? = "over_full_screen",
        onCompletion: @escaping @Sendable (Result<Selection, ClientError>) -> Void
    ) {
        let config = AlertConfig(title: title, priority: priority, presentation: presentation, sources: sources)
        ask(surface, key, config, onCompletion: onCompletion)
    }

    /// The same for any alert.
    public func ask(
        _ surface: String, _ key: String, _ config: AlertConfig,
        onCompletion: @escaping @Sendable (Result<Selection, ClientError>) -> Void
    ) {
        raise(surface, key, config) { result in
            onCompletion(
                result.flatMap { outcome in
                    outcome.reason == .answered ? .success(outcome.selection) : .failure(.ended(outcome))
                })
        }
    }

    // MARK: Change and take back

    /// Changes an alert of this producer in place.
    ///
    /// - Parameter revision: the newest one that the caller knows; refused `stale` if there is a newer one.
    public func update(
        _ surface: String, _ key: String, _ change: AlertChange, revision: UInt32? = nil
    ) async throws(ClientError) -> Done {
        try await client.done(
            .update(change.update(try Check.surface(surface), try Check.name(key), revision)))
    }

    /// Takes an alert of this producer back; it ends `withdrawn`.
    @discardableResult
    public func withdraw(
        _ surface: String, _ key: String, revision: UInt32? = nil
    ) async throws(ClientError) -> Done {
        try await client.done(
            .withdraw(surface: try Check.surface(surface), key: try Check.name(key), revision: revision))
    }

    /// Where an alert stands, or how it ended if the arbiter still knows.
    public func status(_ surface: String, _ target: Target) async throws(ClientError) -> Receipt {
        let body = Request.Body.command(.status(surface: try Check.surface(surface), try Check.target(target)))
        guard case .event(let receipt) = try await client.perform(body) else { throw .unexpectedReply("no event") }
        return receipt
    }

    // MARK: Pieces

    private func request(_ surface: String, _ key: String, _ config: AlertConfig) throws(ClientError) -> Raise {
        for source in config.sources { _ = try Check.name(source.name) }
        return Raise(
            surface: try Check.surface(surface), key: try Check.name(key), content: config.content,
            update: config.updatesExisting)
    }

    private static func writer(to log: ReceiptLog) -> @Sendable (Receipt?) -> Void {
        { receipt in
            if let receipt { log.append(receipt) } else { log.close() }
        }
    }
}

/// What changes of an alert; what is nil stays. A time that is given starts again.
public struct AlertChange: Equatable, Sendable {
    public var priority: Int?
    public var isIntercept: Bool?
    public var isActivate: Bool?
    public var lifetime: Duration?
    public var displayTime: Duration?
    public var presentation: String?
    /// Replaces all parameters.
    public var params: JSONValue?

    public init(
        params: JSONValue? = nil, priority: Int? = nil, isIntercept: Bool? = nil, isActivate: Bool? = nil,
        lifetime: Duration? = nil, displayTime: Duration? = nil, presentation: String? = nil
    ) {
        self.params = params
        self.priority = priority
        self.isIntercept = isIntercept
        self.isActivate = isActivate
        self.lifetime = lifetime
        self.displayTime = displayTime
        self.presentation = presentation
    }

    func update(_ surface: String, _ key: String, _ revision: UInt32?) -> Update {
        var update = Update(surface: surface, key: key)
        update.revision = revision
        update.priority = priority.map { UInt8(exactly: $0) ?? 1 }
        update.intercept = isIntercept
        update.activate = isActivate
        update.ttl = lifetime.map { max(1, $0.milliseconds) }
        update.display = displayTime.map { max(1, $0.milliseconds) }
        update.presentation = presentation
        update.params = params?.bytes
        return update
    }
}
