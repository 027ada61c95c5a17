/// A journal that lives as long as the process: for tests, and for screens that may forget.
public final class MemoryJournal: JournalStore {
    public private(set) var head = JournalHead()
    private let retention: Retention
    private var records: [JournalRecord] = []
    private var oldest: UInt64 = 0
    private var bytes = 0
    private var complete: [(description: SnapshotDescription, bytes: [UInt8])] = []
    private var unfinished: [SnapshotID: (content: SnapshotContent, bytes: [UInt8])] = [:]
    private var lastSnapshot: Int64 = 0

    public init(retention: Retention = Retention()) { self.retention = retention }

    public func append(expected: JournalHead, batches: [JournalBatch]) -> AppendOutcome {
        guard expected == head else { return .conflict(head) }
        if let fault = JournalError.fault(in: batches, after: expected) { return .failed(fault) }
        for batch in batches {
            records.append(JournalRecord(batch: batch, epoch: expected.epoch))
            bytes += batch.bytes.count
            head.position = batch.end
        }
        return .committed(head)
    }

    public func beginEpoch(expected: JournalHead, time: Int64) -> AppendOutcome {
        guard expected == head else { return .conflict(head) }
        head.epoch += 1
        return .committed(head)
    }

    public func refresh() -> JournalHead { head }
    public func readHead() -> JournalHead { head }
    public func oldestPosition() -> UInt64 { oldest }
    public func probe() {}
    public func close() {}

    public func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        try JournalError.check(position, oldest: oldest, head: head, path: "")
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if records[middle].batch.end <= position { low = middle + 1 } else { high = middle }
        }
        var found: [JournalRecord] = []
        var size = 0
        while low < records.count && (found.isEmpty || size < maximumBytes) {
            found.append(records[low])
            size += records[low].batch.bytes.count
            low += 1
        }
        return found
    }

    public func damagedSnapshots() -> [SnapshotDamage] { [] }
    public func discardSnapshot(_ id: SnapshotID) { complete.removeAll { $0.description.id == id } }
    public func snapshots() -> [SnapshotDescription] { complete.map(\.description).reversed() }

    public func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] {
        guard let found = complete.first(where: { $0.description.id == id }) else {
            throw JournalError(.missing, detail: "there is no snapshot \(id.number)")
        }
        return found.bytes
    }

    public func beginSnapshot(_ content: SnapshotContent) throws(JournalError) -> SnapshotID {
        lastSnapshot += 1
        unfinished[SnapshotID(lastSnapshot)] = (content, [])
        return SnapshotID(lastSnapshot)
    }

    public func writeSnapshot(
        _ id: SnapshotID, chunk: Int, bytes: ArraySlice<UInt8>
    ) throws(JournalError) {
        unfinished[id]?.bytes.append(contentsOf: bytes)
    }

    public func finishSnapshot(_ id: SnapshotID) throws(JournalError) {
        guard let (content, bytes) = unfinished.removeValue(forKey: id) else {
            throw JournalError(.invalid, detail: "snapshot \(id.number) was not begun")
        }
        try JournalError.check(content, stored: bytes.count, head: head, path: "")
        let description = SnapshotDescription(
            id: id, position: content.position, time: content.time, digest: content.digest, size: bytes.count)
        complete.append((description, bytes))
    }

    public func maintain(isIdle: Bool) -> Bool {
        if complete.count > retention.snapshots { complete.removeFirst(complete.count - retention.snapshots) }
        guard complete.count == retention.snapshots, let keep = complete.first?.description.position else { return false }
        let stale = records.prefix { $0.batch.end <= keep }
        bytes -= stale.reduce(0) { $0 + $1.batch.bytes.count }
        oldest = stale.last?.batch.end ?? oldest
        records.removeFirst(stale.count)
        return false
    }

    public func statistics() -> JournalStatistics {
        JournalStatistics(
            head: head, oldest: oldest, bytes: UInt64(bytes + complete.reduce(0) { $0 + $1.bytes.count }),
            oldestTime: records.first?.batch.time, snapshotPosition: complete.last?.description.position)
    }
}
