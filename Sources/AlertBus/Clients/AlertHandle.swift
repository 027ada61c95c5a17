import AlertBusModel

/// An accepted alert. It keeps its producer's connection open; letting go of it ends nothing.
public final class AlertHandle: Sendable {
    /// What the arbiter said when it accepted the alert.
    public let accepted: Accepted
    /// How many subscribers the surface had then; 0 means that nobody looks. Nil when the arbiter does not say.
    public let watchers: Int?
    private let producer: Producer
    private let log: ReceiptLog

    init(_ producer: Producer, _ accepted: Accepted, watchers: Int?, _ log: ReceiptLog) {
        self.producer = producer
        self.accepted = accepted
        self.watchers = watchers
        self.log = log
    }

    public var surface: String { accepted.surface }
    public var key: String { accepted.key }
    public var instance: UInt64 { accepted.instance }

    /// Every rung from the first one on, whenever it is asked for; it finishes after `ended`.
    public var receipts: AsyncStream<Receipt> { log.follow() }

    /// How the alert ends.
    ///
    /// - Throws: `closed` when the producer is closed first, `cancelled` when the task is.
    public var outcome: Outcome {
        get async throws(ClientError) {
            for await receipt in receipts where receipt.event == .ended { return Outcome(receipt) }
            throw Task.isCancelled ? .cancelled : .closed
        }
    }

    /// Changes it in place.
    @discardableResult
    public func update(_ change: AlertChange, revision: UInt32? = nil) async throws(ClientError) -> Done {
        try await producer.update(surface, key, change, revision: revision)
    }

    /// Takes it back; it ends `withdrawn`.
    @discardableResult
    public func withdraw() async throws(ClientError) -> Done { try await producer.withdraw(surface, key) }
}
