extension SQLiteJournal {
    public func readHead() throws(JournalError) -> JournalHead { try openSession().readHead() }

    public func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        try openSession().read(from: position, maximumBytes: maximumBytes)
    }

    public func oldestPosition() throws(JournalError) -> UInt64 {
        try openSession().oldestPosition()
    }

    public func snapshots() throws(JournalError) -> [SnapshotDescription] { try openSession().snapshots() }
    public func damagedSnapshots() throws(JournalError) -> [SnapshotDamage] { try openSession().damagedSnapshots() }

    public func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] { try openSession().readSnapshot(id) }

    public func statistics() throws(JournalError) -> JournalStatistics {
        let session = try openSession()
        let oldest = try session.oldestBatch()
        let sizes = [files.path, files.log].map { SQLiteFiles.identity(of: $0)?.size ?? 0 }
        return JournalStatistics(
            head: head, oldest: oldest?.first ?? head.position, bytes: UInt64(sizes[0] + sizes[1]), oldestTime: oldest?.time,
            snapshotPosition: try session.snapshots().first?.position)
    }
}

/// Reads a journal that another process may be writing, without a lock of its own.
public final class SQLiteJournalReader: JournalReading {
    private let session: SQLiteSession

    /// - Parameter contentFormat: as in `SQLiteJournal.Options`.
    /// - Throws: `missing`, `notAJournal`, `newerFormat`, `permissions`, or what the system said.
    public init(path: String, contentFormat: Int = 0) throws(JournalError) {
        guard SQLiteFiles.identity(of: path) != nil else {
            throw JournalError(.missing, path: path, detail: "there is no such file")
        }
        session = try SQLiteSession(path: path, mode: .readOnly, fileSystem: nil)
        try SQLiteFormat.check(session.connection)
        try session.checkContentFormat(contentFormat)
    }

    public func readHead() throws(JournalError) -> JournalHead { try session.readHead() }

    public func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        try session.read(from: position, maximumBytes: maximumBytes)
    }

    public func oldestPosition() throws(JournalError) -> UInt64 {
        try session.oldestPosition()
    }

    public func snapshots() throws(JournalError) -> [SnapshotDescription] { try session.snapshots() }
    public func damagedSnapshots() throws(JournalError) -> [SnapshotDamage] { try session.damagedSnapshots() }
    public func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] { try session.readSnapshot(id) }
}
