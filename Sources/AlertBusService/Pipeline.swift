import AlertBusCore
import AlertBusJournal
import AlertBusModel
import AlertBusWire

/// Batches between the core and the sockets: what a batch has to say waits until its inputs are in the journal.
///
/// The core runs ahead while batches are on their way to the disk; what they say does not.
final class Pipeline {
    /// A batch that waits for the journal.
    struct Sealed {
        var token: JournalToken
        var expected: JournalHead
        /// Empty when it only has to wait its turn.
        var batch: JournalBatch
        var outbox: Outbox
        var state: State

        enum State {
            /// The journal has not answered.
            case submitted
            /// The journal answered that it does not know; its tail decides.
            case unknown
            /// Certainly not in the journal.
            case lost
            /// In the journal, or there is nothing to write.
            case committed
        }
    }

    let journal: Journal?
    /// What is being written now.
    @exclusivity(unchecked) private(set) var current = Outbox()
    /// What may be said although the journal is in doubt: refusals, and that the arbiter is alive.
    let aside = Outbox()
    var head: JournalHead
    /// Why the journal takes nothing; nil while all is well.
    @exclusivity(unchecked) var fault: JournalError? { didSet { isFailed = fault != nil } }
    /// To be asked first: whoever looks at `fault` copies it.
    @exclusivity(unchecked) private(set) var isFailed = false
    @exclusivity(unchecked) var batch: JournalBatch
    @exclusivity(unchecked) var waiting: [Sealed] = []
    var lastToken: UInt64 = 0
    private var spare: [Outbox] = []
    /// When the journal is next asked whether it takes writes, or what became of a batch.
    var nextQuestion: Milliseconds = 0
    var patience = shortestPatience
    static let shortestPatience: Milliseconds = 50
    var isAsking = false
    var isFailureTold = false
    var saving = SnapshotSchedule()

    init(journal: Journal?, head: JournalHead) {
        self.journal = journal
        self.head = head
        batch = JournalBatch(first: head.position)
    }

    /// Batches are on their way to the disk.
    var isWaiting: Bool { !waiting.isEmpty }

    /// The journal has failed, and it is not known yet what it took: what the state would say has to wait.
    var isInDoubt: Bool { isFailed && waiting.contains { $0.state != .committed } }

    /// Something was recorded or written since the last seal.
    var hasUnsealed: Bool { !current.isEmpty || !batch.isEmpty }

    // MARK: Recording

    func record(_ requester: Requester, _ message: UnsafeRawBufferPointer, at now: Milliseconds) {
        guard journal != nil else { return }
        InputRecord.append(requester, message, at: now, to: &batch)
    }

    func record(_ input: Input, at now: Milliseconds) {
        guard journal != nil else { return }
        batch.append { InputRecord.write(input, at: now, to: &$0) }
    }

    /// Ends the batch: hands it to the journal, or lets it go at once if there is nothing to wait for.
    /// - Parameter arbiter: gives the state after the batch, in case it is time to save it.
    func seal(at now: Milliseconds, _ arbiter: () -> Arbiter) {
        guard hasUnsealed else { return }
        let sealed = current
        current = spare.popLast() ?? Outbox()
        lastToken += 1
        let token = JournalToken(lastToken)
        guard let journal, !batch.isEmpty else {
            waiting.append(Sealed(token: token, expected: head, batch: batch, outbox: sealed, state: .committed))
            return
        }
        batch.time = now
        waiting.append(Sealed(token: token, expected: head, batch: batch, outbox: sealed, state: .submitted))
        journal.append(token, expected: head, batches: [batch])
        head.position = batch.end
        saving.noteBatch(batch, arbiter, token)
        batch = JournalBatch(first: head.position, reservingBytes: 64 << 10)
    }

    // MARK: Letting go

    /// The outboxes that may be sent, in order.
    func takeReleased() -> [Outbox] {
        let committed = waiting.prefix { $0.state == .committed }
        if committed.isEmpty { return [] }
        defer { waiting.removeFirst(committed.count) }
        return committed.map(\.outbox)
    }

    func recycle(_ outbox: Outbox) {
        outbox.clear()
        if spare.count < 4 { spare.append(outbox) }
    }

    func close() { journal?.close() }
}
