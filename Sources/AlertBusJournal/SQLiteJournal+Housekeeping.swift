/// What is left to tidy up, so that a call with nothing to do costs nothing.
struct Housekeeping {
    /// Snapshots that were begun by this process and are still being written.
    var writing: Set<Int64> = []
    var mayHaveStaleSnapshots = true
    var mayHaveStaleBatches = true

    /// After opening, everything is looked at again.
    mutating func start() {
        mayHaveStaleSnapshots = true
        mayHaveStaleBatches = true
    }
}

extension SQLiteJournal {
    /// Batches deleted in one step, at most.
    private static let batchesPerStep: Int64 = 256
    /// Bytes of batches deleted in one step, about: the pages of large ones have to be read to be freed.
    private static let bytesPerStep: Int64 = 1 << 20
    private static let bytesPerIdleStep: Int64 = 4 << 20
    /// Chunks deleted in one step.
    private static let chunksPerStep: Int64 = 8

    public func maintain(isIdle: Bool) throws(JournalError) -> Bool {
        if fault != nil { return false }
        let session = try openSession()
        if try tendLog(session, isIdle: false) { return true }
        if housekeeping.mayHaveStaleSnapshots {
            housekeeping.mayHaveStaleSnapshots = try deletePieceOfSnapshot(session)
            return true
        }
        if housekeeping.mayHaveStaleBatches {
            housekeeping.mayHaveStaleBatches = try deleteBatches(session, bytes: isIdle ? Self.bytesPerIdleStep : Self.bytesPerStep)
            // With the batches before it gone, a snapshot of older history may be the next to go.
            if !housekeeping.mayHaveStaleBatches, options.retention.history != nil, try hasStaleSnapshot(session) {
                housekeeping.start()
            }
            return true
        }
        // Last, so that what was deleted is moved with the rest.
        if isIdle, try tendLog(session, isIdle: true) { return true }
        return checkpointer.isBusy
    }

    private func hasStaleSnapshot(_ session: SQLiteSession) throws(JournalError) -> Bool {
        try keptSnapshots(session).count < session.snapshots().count
    }

    /// - Returns: whether something was deleted, so that there may be more.
    private func deletePieceOfSnapshot(_ session: SQLiteSession) throws(JournalError) -> Bool {
        // A damaged one stays until somebody has done without it, and discards it.
        let keep = Set(try keptSnapshots(session).map(\.id.number) + session.damagedSnapshots().map(\.id.number))
        let query = try session.connection.prepare("SELECT id FROM snapshots ORDER BY id")
        var stale: Int64?
        while try query.step(doing: "reading snapshots") {
            let id = query.integer(0)
            if keep.contains(id) || housekeeping.writing.contains(id) { continue }
            stale = id
            break
        }
        query.reset()
        guard let stale else { return false }
        try write { (session) throws(JournalError) in
            // A snapshot that loses a piece is complete no more, in the same transaction.
            try session.run("UPDATE snapshots SET complete=0 WHERE id=?1", stale, doing: "deleting a snapshot")
            let first = stale * SQLiteFormat.chunksPerSnapshot
            try session.run(
                "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id>=?1 AND id<?1+?2 ORDER BY id LIMIT ?3)",
                first, SQLiteFormat.chunksPerSnapshot, Self.chunksPerStep, doing: "deleting a snapshot")
            try session.run(
                "DELETE FROM snapshots WHERE id=?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE id>=?2 AND id<?2+?3)",
                stale, first, SQLiteFormat.chunksPerSnapshot, doing: "deleting a snapshot")
        }
        return true
    }

    /// Newest first. While there is too much history, and what lies before the oldest one is gone already, it goes next.
    private func keptSnapshots(_ session: SQLiteSession) throws(JournalError) -> [SnapshotDescription] {
        let all = try session.snapshots()
        let required = Array(all.prefix(options.retention.snapshots))
        guard let history = options.retention.history, let oldest = all.last else { return required }
        guard all.count > required.count, try isTooMuch(history, session) else { return all }
        let first = try session.oldestPosition()
        return first < oldest.position ? all : all.dropLast()
    }

    private func isTooMuch(_ history: Retention.History, _ session: SQLiteSession) throws(JournalError) -> Bool {
        if let limit = history.bytes {
            let pages = try session.connection.integer("PRAGMA page_count", doing: "measuring the journal") ?? 0
            let free = try session.connection.integer("PRAGMA freelist_count", doing: "measuring the journal") ?? 0
            let next = Int64(try session.snapshots().first?.size ?? 0)
            // Room is left for what comes until the next snapshot, for that snapshot, and for deleting in small steps.
            if (pages - free) * Int64(pageSize) + next > Int64(limit / 2) { return true }
        }
        guard let age = history.age, let oldest = try session.oldestBatch()?.time else { return false }
        let newest = try session.connection.integer(
            "SELECT time FROM batches ORDER BY first DESC LIMIT 1", doing: "reading the newest batch")
        return (newest ?? oldest) - oldest > age
    }

    /// Deletes some batches that lie before the oldest snapshot that is kept.
    private func deleteBatches(_ session: SQLiteSession, bytes limit: Int64) throws(JournalError) -> Bool {
        let snapshots = try session.snapshots()
        guard snapshots.count >= options.retention.snapshots, let keep = snapshots.last?.position else { return false }
        if let history = options.retention.history, try !isTooMuch(history, session) { return false }
        let query = try session.statement("SELECT first+count,length(bytes) FROM batches ORDER BY first LIMIT ?1")
        query.bind(1, Self.batchesPerStep)
        var end: UInt64 = 0
        var size: Int64 = 0
        while try query.step(doing: "reading old batches") {
            guard size < limit, query.unsigned(0) <= keep else { break }
            end = query.unsigned(0)
            size += query.integer(1)
        }
        query.reset()
        if end == 0 { return false }
        try write { (session) throws(JournalError) in
            try session.run(
                "DELETE FROM batches WHERE first < ?1", Int64(bitPattern: end), doing: "deleting old batches")
            // Epochs before the kept entries tell nothing any more; the newest one always stays.
            try session.run(
                "DELETE FROM epochs WHERE position < ?1 AND epoch < (SELECT max(epoch) FROM epochs)",
                Int64(bitPattern: end), doing: "deleting old epochs")
        }
        return true
    }
}
