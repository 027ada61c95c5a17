/// Says which request a completion belongs to; chosen by the caller.
public struct JournalToken: Hashable, Sendable {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }
}

/// What the journal's thread has finished.
public enum JournalCompletion: Equatable, Sendable {
    case append(JournalToken, AppendOutcome)
    case epoch(JournalToken, AppendOutcome)
    /// The tail was read; an error means that nothing is settled yet.
    case settled(JournalToken, Result<Settlement, JournalError>)
    /// Whether the storage takes writes. On success the head is the one to append to.
    case probe(JournalToken, Result<JournalHead, JournalError>)
    case snapshot(JournalToken, Result<SnapshotID, JournalError>)
    /// Housekeeping failed, between requests. The journal takes nothing more until a probe succeeds.
    case housekeeping(JournalError)
}

/// What the journal's thread is asked to do.
enum JournalRequest: Sendable {
    case append(JournalToken, expected: JournalHead, [JournalBatch])
    case epoch(JournalToken, expected: JournalHead, time: Int64)
    case settle(JournalToken, expected: JournalHead, [JournalBatch])
    case probe(JournalToken)
    case snapshot(JournalToken, SnapshotContent)
    case use(@Sendable (any JournalStore) -> Void)
}
