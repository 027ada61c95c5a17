import AlertBusModel
import AlertBusWire

/// Batches between the core and the sockets: what a batch has to say waits until its inputs are in the journal.
final class Pipeline {
    private(set) var current = Outbox()
    private var spare: [Outbox] = []

    init(journal: Never?, wake: Doorbell) {}

    var isWaiting: Bool { false }

    func record(_ requester: Requester, _ bytes: UnsafeRawBufferPointer, at now: Milliseconds) {}
    func record(_ input: Input, at now: Milliseconds) {}

    /// Ends the batch. Returns what may be sent now, in order.
    func seal(at now: Milliseconds) -> [Outbox] {
        guard !current.isEmpty else { return [] }
        let sealed = current
        current = spare.popLast() ?? Outbox()
        return [sealed]
    }

    func recycle(_ outbox: Outbox) {
        outbox.clear()
        if spare.count < 4 { spare.append(outbox) }
    }

    func close() {}
}
