/// What became of an append.
public enum AppendOutcome: Equatable, Sendable {
    /// It is durable. The head is the one after it.
    case committed(JournalHead)
    /// It was not applied: the journal ends elsewhere, or belongs to a later epoch.
    case conflict(JournalHead)
    /// No answer came. It may be in the journal or not: ask `settle`, never guess.
    case unknown(JournalError)
    /// It was certainly not applied. The store takes nothing more until `probe` succeeds.
    case failed(JournalError)
}

/// Reads a journal.
public protocol JournalReading {
    /// Where the journal ends, as the storage has it now.
    func readHead() throws(JournalError) -> JournalHead

    /// The batches from the one that holds `position`, in order and without a hole, until about `maximumBytes` of entries.
    /// - Returns: nothing when `position` is the head's.
    /// - Throws: `pruned` when the entry is older than what is kept; `corrupt` when what is stored is not what was written.
    func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord]

    /// The position of the oldest entry that is kept; the head's when there is none.
    func oldestPosition() throws(JournalError) -> UInt64

    /// The complete snapshots, newest first, without those whose description is damaged.
    func snapshots() throws(JournalError) -> [SnapshotDescription]

    /// The snapshots whose description is damaged, newest first.
    func damagedSnapshots() throws(JournalError) -> [SnapshotDamage]

    /// The bytes of one snapshot.
    /// - Throws: `corrupt` when they are not what was stored.
    func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8]
}

/// A place where a journal is kept. One thread owns it; `Journal` is the way to use it from others.
public protocol JournalStore: AnyObject, JournalReading {
    /// Where the journal ends as far as this writer knows, without asking the storage.
    var head: JournalHead { get }

    /// Appends batches as one unit: they become durable together or not at all.
    ///
    /// The first batch starts at `expected.position` and each one where the one before ends.
    func append(expected: JournalHead, batches: [JournalBatch]) -> AppendOutcome

    /// Raises the epoch by one. From then on an append that expects an older epoch conflicts.
    func beginEpoch(expected: JournalHead, time: Int64) -> AppendOutcome

    /// Makes sure that what is read next is what stays: after it, an append that was `unknown` is there or never will be.
    func refresh() throws(JournalError) -> JournalHead

    /// Finds out whether the storage takes writes (again), by writing. After it succeeded the store appends again.
    func probe() throws(JournalError)

    /// Starts a snapshot. It does not exist for readers until `finishSnapshot`.
    func beginSnapshot(_ content: SnapshotContent) throws(JournalError) -> SnapshotID

    /// Adds a piece of a snapshot, at most `SnapshotContent.chunkBytes`, in order.
    func writeSnapshot(_ id: SnapshotID, chunk: Int, bytes: ArraySlice<UInt8>) throws(JournalError)

    /// Makes the snapshot valid, in one step.
    func finishSnapshot(_ id: SnapshotID) throws(JournalError)

    /// Takes a snapshot that turned out to be damaged out of the list, so that it counts no more for what is kept.
    func discardSnapshot(_ id: SnapshotID) throws(JournalError)

    /// Does one small piece of housekeeping: deletes some of what lies before the oldest snapshot that is kept, or moves
    /// committed pages to their place.
    /// - Parameter isIdle: nothing waits to be appended, so now is a good time.
    /// - Returns: whether there is more to do.
    func maintain(isIdle: Bool) throws(JournalError) -> Bool

    /// How large it is.
    func statistics() throws(JournalError) -> JournalStatistics

    /// Ends the use of the store. What was committed is in one file afterwards.
    func close()
}

/// How large a journal is.
public struct JournalStatistics: Equatable, Sendable {
    public var head: JournalHead
    /// The position of the oldest entry that is kept.
    public var oldest: UInt64
    /// Bytes on disk, the write-ahead log included; for a journal in memory the bytes of the entries.
    public var bytes: UInt64
    /// The time of the oldest batch that is kept, in milliseconds since 1970.
    public var oldestTime: Int64?
    /// The position of the newest snapshot.
    public var snapshotPosition: UInt64?
}
