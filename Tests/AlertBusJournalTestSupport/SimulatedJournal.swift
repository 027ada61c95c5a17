import AlertBusJournal

/// A journal in memory that misbehaves on request.
public final class SimulatedJournal: JournalStore {
    /// What the next append meets.
    public enum Fault: Equatable, Sendable {
        /// None: it is applied and answered.
        case none
        /// It is applied, and no answer comes.
        case unknownApplied
        /// It is not applied, and no answer comes.
        case unknownNotApplied
        /// Somebody else began an epoch just before it.
        case overtaken
        /// It fails; nothing is taken until a probe succeeds.
        case failed(JournalError.Kind)
    }

    private let inner: MemoryJournal
    private var faults: [Fault]
    private var standing: JournalError?
    private var believed: JournalHead
    /// How many probes fail before one succeeds.
    public var failingProbes = 0

    public init(retention: Retention = Retention(), faults: [Fault] = []) {
        inner = MemoryJournal(retention: retention)
        believed = inner.head
        self.faults = faults
    }

    public func add(_ fault: Fault) { faults.append(fault) }

    /// As a writer sees it that got no answer: not what is stored.
    public var head: JournalHead { believed }

    public func append(expected: JournalHead, batches: [JournalBatch]) -> AppendOutcome {
        meetFault { inner.append(expected: expected, batches: batches) }
    }

    public func beginEpoch(expected: JournalHead, time: Int64) -> AppendOutcome {
        meetFault { inner.beginEpoch(expected: expected, time: time) }
    }

    private func meetFault(_ apply: () -> AppendOutcome) -> AppendOutcome {
        if let standing { return .failed(standing) }
        guard !faults.isEmpty else {
            let outcome = apply()
            believed = inner.head
            return outcome
        }
        let noAnswer = JournalError(.inputOutput, detail: "no answer came")
        switch faults.removeFirst() {
        case .none:
            let outcome = apply()
            believed = inner.head
            return outcome
        case .unknownApplied:
            _ = apply()
            standing = noAnswer
            return .unknown(noAnswer)
        case .unknownNotApplied:
            standing = noAnswer
            return .unknown(noAnswer)
        case .overtaken:
            _ = inner.beginEpoch(expected: inner.head, time: 0)
            return apply()
        case .failed(let kind):
            let error = JournalError(kind, detail: "it was asked to fail")
            standing = error
            return .failed(error)
        }
    }

    public func refresh() throws(JournalError) -> JournalHead {
        believed = inner.head
        return believed
    }

    public func probe() throws(JournalError) {
        if failingProbes > 0 {
            failingProbes -= 1
            throw standing ?? JournalError(.inputOutput, detail: "it was asked to fail")
        }
        standing = nil
        believed = inner.head
    }

    public func readHead() throws(JournalError) -> JournalHead { inner.readHead() }
    public func oldestPosition() throws(JournalError) -> UInt64 { inner.oldestPosition() }
    public func snapshots() throws(JournalError) -> [SnapshotDescription] { inner.snapshots() }
    public func damagedSnapshots() throws(JournalError) -> [SnapshotDamage] { inner.damagedSnapshots() }
    public func discardSnapshot(_ id: SnapshotID) throws(JournalError) { inner.discardSnapshot(id) }
    public func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] { try inner.readSnapshot(id) }
    public func finishSnapshot(_ id: SnapshotID) throws(JournalError) { try inner.finishSnapshot(id) }
    public func maintain(isIdle: Bool) throws(JournalError) -> Bool { inner.maintain(isIdle: isIdle) }
    public func statistics() throws(JournalError) -> JournalStatistics { inner.statistics() }
    public func close() {}

    public func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        try inner.read(from: position, maximumBytes: maximumBytes)
    }

    public func beginSnapshot(_ content: SnapshotContent) throws(JournalError) -> SnapshotID {
        try inner.beginSnapshot(content)
    }

    public func writeSnapshot(_ id: SnapshotID, chunk: Int, bytes: ArraySlice<UInt8>) throws(JournalError) {
        try inner.writeSnapshot(id, chunk: chunk, bytes: bytes)
    }
}
