/// What is read from the tables, for the writer and for readers alike.
extension SQLiteSession {
    func readHead() throws(JournalError) -> JournalHead {
        // One statement, so that it is one moment. The last batch may be deleted: then an epoch or a snapshot knows the
        // position.
        let query = try statement(
            """
            SELECT coalesce((SELECT first+count FROM batches ORDER BY first DESC LIMIT 1),
            max(coalesce((SELECT max(position) FROM epochs),0),
            coalesce((SELECT max(position) FROM snapshots WHERE complete=1),0))), coalesce((SELECT max(epoch) FROM epochs),0)
            """)
        defer { query.reset() }
        guard try query.step(doing: "reading the head") else { throw corrupt("it has no head") }
        return JournalHead(position: query.unsigned(0), epoch: query.unsigned(1))
    }

    func oldestBatch() throws(JournalError) -> (first: UInt64, time: Int64)? {
        let query = try statement("SELECT first,time FROM batches ORDER BY first LIMIT 1")
        defer { query.reset() }
        guard try query.step(doing: "reading the oldest batch") else { return nil }
        return (query.unsigned(0), query.integer(1))
    }

    func oldestPosition() throws(JournalError) -> UInt64 {
        if let oldest = try oldestBatch() { return oldest.first }
        return try readHead().position
    }

    func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        let head = try readHead()
        let oldest = try oldestPosition()
        try JournalError.check(position, oldest: oldest, head: head, path: connection.path)
        let query = try statement(
            """
            SELECT first,count,epoch,time,checksum,bytes FROM batches WHERE first >=
            coalesce((SELECT first FROM batches WHERE first <= ?1 ORDER BY first DESC LIMIT 1), ?1) ORDER BY first
            """)
        query.bind(1, position)
        defer { query.reset() }
        var found: [JournalRecord] = []
        var size = 0
        while found.isEmpty || size < maximumBytes {
            guard try query.step(doing: "reading batches") else { break }
            let record = try record(query)
            let isNext = found.last.map { $0.batch.end == record.batch.first } ?? (record.batch.first <= position)
            guard isNext, record.batch.end > position || record.batch.end == head.position else {
                throw corrupt("entries are missing before \(record.batch.first)")
            }
            if record.batch.end <= position { break }
            size += record.batch.bytes.count
            found.append(record)
        }
        if found.isEmpty && position < head.position { throw corrupt("entries are missing from \(position)") }
        return found
    }

    private func record(_ row: SQLiteStatement) throws(JournalError) -> JournalRecord {
        let first = row.unsigned(0)
        let epoch = row.unsigned(2)
        guard
            let bytes = row.bytes(5),
            let batch = JournalBatch(first: first, count: row.unsigned(1), time: row.integer(3), bytes: bytes),
            SQLiteFormat.checksum(batch, epoch: epoch) == row.unsigned(4)
        else { throw corrupt("the batch at \(first) is not what was written") }
        return JournalRecord(batch: batch, epoch: epoch)
    }

    /// Complete snapshots, newest first.
    func snapshots() throws(JournalError) -> [SnapshotDescription] { try describedSnapshots().whole }

    /// Those whose description is damaged, newest first.
    func damagedSnapshots() throws(JournalError) -> [SnapshotDamage] { try describedSnapshots().damaged }

    private func describedSnapshots() throws(JournalError) -> (whole: [SnapshotDescription], damaged: [SnapshotDamage]) {
        let query = try statement(
            "SELECT id,position,time,size,checksum,digest FROM snapshots WHERE complete=1 ORDER BY id DESC")
        defer { query.reset() }
        var whole: [SnapshotDescription] = []
        var damaged: [SnapshotDamage] = []
        while try query.step(doing: "reading snapshots") {
            let description = SnapshotDescription(
                id: SnapshotID(query.integer(0)), position: query.unsigned(1), time: query.integer(2),
                digest: query.bytes(5) ?? [], size: Int(query.integer(3)))
            if SQLiteFormat.checksum(description) == query.unsigned(4) {
                whole.append(description)
            } else {
                let cause = corrupt("the description of snapshot \(description.id.number) is not what was written")
                damaged.append(SnapshotDamage(id: description.id, position: description.position, cause: cause))
            }
        }
        return (whole, damaged)
    }

    func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] {
        guard let description = try snapshots().first(where: { $0.id == id }) else {
            throw JournalError(.missing, path: connection.path, detail: "there is no snapshot \(id.number)")
        }
        let query = try statement("SELECT id,checksum,bytes FROM chunks WHERE id >= ?1 AND id < ?2 ORDER BY id")
        var next = id.number * SQLiteFormat.chunksPerSnapshot
        query.bind(1, next)
        query.bind(2, next + SQLiteFormat.chunksPerSnapshot)
        defer { query.reset() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(description.size, 1 << 30))
        while try query.step(doing: "reading a snapshot") {
            guard query.integer(0) == next, let chunk = query.bytes(2),
                chunk.withUnsafeBytes({ SQLiteFormat.checksum($0, id: next) }) == query.unsigned(1)
            else { throw corrupt("snapshot \(id.number) is not what was written") }
            bytes += chunk
            next += 1
        }
        guard bytes.count == description.size else {
            throw corrupt("snapshot \(id.number) has \(bytes.count) of \(description.size) bytes")
        }
        return bytes
    }
}
