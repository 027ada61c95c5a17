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
        var isCommitted: Bool
    }

    let journal: Journal?
    /// What is being written now.
    private(set) var current = Outbox()
    private(set) var head: JournalHead
    /// Why the journal takes nothing; nil while all is well.
    private(set) var fault: JournalError?
    private var batch: JournalBatch
    private var waiting: [Sealed] = []
    private var lastToken: UInt64 = 0
    private var spare: [Outbox] = []
    private var nextProbe: Milliseconds = 0
    private var isProbing = false
    var saving = SnapshotSchedule()

    init(journal: Journal?, head: JournalHead) {
        self.journal = journal
        self.head = head
        batch = JournalBatch(first: head.position)
    }

    /// Batches are on their way to the disk.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Something was recorded or written since the last seal.
    var hasUnsealed: Bool { !current.isEmpty || !batch.isEmpty }

    // MARK: Recording

    func record(_ requester: Requester, _ message: UnsafeRawBufferPointer, at now: Milliseconds) {
        guard journal != nil else { return }
        batch.append { InputRecord.write(requester, message, at: now, to: &$0) }
    }

    func record(_ input: Input, at now: Milliseconds) {
        guard journal != nil else { return }
        batch.append { InputRecord.write(input, at: now, to: &$0) }
    }

    /// Ends the batch: hands it to the journal, or lets it go at once if there is nothing to wait for.
    /// - Parameter arbiter: the state after the batch, in case it is time to save it.
    func seal(_ arbiter: Arbiter, at now: Milliseconds) {
        guard hasUnsealed else { return }
        let sealed = current
        current = spare.popLast() ?? Outbox()
        lastToken += 1
        let token = JournalToken(lastToken)
        guard let journal, !batch.isEmpty else {
            waiting.append(Sealed(token: token, expected: head, batch: batch, outbox: sealed, isCommitted: true))
            return
        }
        batch.time = now
        waiting.append(Sealed(token: token, expected: head, batch: batch, outbox: sealed, isCommitted: false))
        journal.append(token, expected: head, batches: [batch])
        head.position = batch.end
        saving.noteBatch(batch, arbiter, token)
        batch = JournalBatch(first: head.position, reservingBytes: 64 << 10)
    }

    // MARK: The journal's answers

    enum Answer {
        case nothing
        /// The newest batches are certainly not in the journal, and nothing more is taken: the state has to go back.
        case failed([Sealed])
        /// The journal takes writes again.
        case healthy
        /// Somebody else leads.
        case deposed(JournalHead)
    }

    func takeAnswers() -> Answer {
        guard let journal else { return .nothing }
        var answer = Answer.nothing
        for completion in journal.takeCompletions() {
            switch completion {
            case .append(let token, .committed): committed(token)
            case .append(let token, .unknown), .settled(let token, .failure): settle(token)
            case .append(_, .conflict(let head)): answer = conflict(head) ?? answer
            case .append(_, .failed(let error)): answer = failed(error) ?? answer
            case .settled(let token, .success(.committed)): committed(token)
            case .settled(let token, .success(.absent)): append(token)
            case .settled(_, .success(.conflict(let head))): answer = .deposed(head)
            case .probe(_, .success(let found)):
                isProbing = false
                if fault != nil {
                    fault = nil
                    head = found
                    batch = JournalBatch(first: head.position)
                    answer = .healthy
                }
            case .probe(_, .failure(let error)):
                isProbing = false
                if fault != nil { fault = error }
            case .housekeeping(let error): answer = failed(error) ?? answer
            case .snapshot(_, let result): saving.stored(result)
            case .epoch: break
            }
        }
        return answer
    }

    private func committed(_ token: JournalToken) {
        guard let place = waiting.firstIndex(where: { $0.token == token }) else { return }
        waiting[place].isCommitted = true
        if let journal { saving.committed(token, journal) }
    }

    private func settle(_ token: JournalToken) {
        guard let sealed = waiting.first(where: { $0.token == token }) else { return }
        journal?.settle(token, expected: sealed.expected, batches: [sealed.batch])
    }

    private func append(_ token: JournalToken) {
        guard let sealed = waiting.first(where: { $0.token == token }) else { return }
        journal?.append(token, expected: sealed.expected, batches: [sealed.batch])
    }

    /// Behind a failed batch the next ones conflict, because it is missing: that is the same failure, not another leader.
    private func conflict(_ found: JournalHead) -> Answer? {
        if fault != nil || found.epoch == head.epoch { return nil }
        return .deposed(found)
    }

    private func failed(_ error: JournalError) -> Answer? {
        guard fault == nil else { return nil }
        fault = error
        isProbing = false
        nextProbe = 0
        saving.forget()
        let lost = waiting.filter { !$0.isCommitted }
        waiting.removeAll { !$0.isCommitted }
        return .failed(lost)
    }

    /// While the journal takes nothing, asks it once a second whether it does again.
    func probeIfDue(at now: Milliseconds) {
        guard fault != nil, !isProbing, now >= nextProbe, let journal else { return }
        isProbing = true
        nextProbe = now + 1000
        lastToken += 1
        journal.probe(JournalToken(lastToken))
    }

    var nextDue: Milliseconds { fault == nil ? .max : nextProbe }

    // MARK: Letting go

    /// The next outbox that may be sent, in order.
    func takeReleased() -> Outbox? {
        guard let first = waiting.first, first.isCommitted else { return nil }
        waiting.removeFirst()
        return first.outbox
    }

    func recycle(_ outbox: Outbox) {
        outbox.clear()
        if spare.count < 4 { spare.append(outbox) }
    }

    /// Takes back what the current batch was going to record and say.
    func discardCurrent() -> Outbox {
        batch = JournalBatch(first: head.position)
        let discarded = current
        current = spare.popLast() ?? Outbox()
        return discarded
    }

    func close() { journal?.close() }
}
