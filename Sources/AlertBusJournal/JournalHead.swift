/// Where a journal ends, and who may append to it.
///
/// An append names the head that it expects. It conflicts when the journal ends elsewhere or belongs to a later epoch,
/// so two writers can never both be heard.
public struct JournalHead: Equatable, Hashable, Sendable, CustomStringConvertible {
    /// The number of entries ever appended; also the position of the next entry. The first entry has position 0.
    public var position: UInt64
    /// The generation of the writer, raised by `beginEpoch`. 0 until the first one.
    public var epoch: UInt64

    public init(position: UInt64 = 0, epoch: UInt64 = 0) {
        self.position = position
        self.epoch = epoch
    }

    public var description: String { "position \(position), epoch \(epoch)" }
}

/// A batch as it stands in the journal.
public struct JournalRecord: Equatable, Sendable {
    public var batch: JournalBatch
    /// The epoch of the writer that appended it.
    public var epoch: UInt64

    public init(batch: JournalBatch, epoch: UInt64) {
        self.batch = batch
        self.epoch = epoch
    }
}
