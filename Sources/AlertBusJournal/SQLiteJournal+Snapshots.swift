extension SQLiteJournal {
    public func beginSnapshot(_ content: SnapshotContent) throws(JournalError) -> SnapshotID {
        guard content.chunkCount < SQLiteFormat.chunksPerSnapshot else {
            throw JournalError(.invalid, path: files.path, detail: "a snapshot has \(content.bytes.count) bytes")
        }
        try JournalError.check(content, stored: content.bytes.count, head: head, path: files.path)
        let last = try openSession().connection.integer("SELECT max(id) FROM snapshots", doing: "numbering a snapshot") ?? 0
        let description = SnapshotDescription(
            id: SnapshotID(last + 1), position: content.position, time: content.time, digest: content.digest,
            size: content.bytes.count)
        try write { (session) throws(JournalError) in
            let insert = try session.statement("INSERT INTO snapshots VALUES(?1,0,?2,?3,?4,?5,?6)")
            insert.bind(1, description.id.number)
            insert.bind(2, description.position)
            insert.bind(3, description.time)
            insert.bind(4, Int64(description.size))
            insert.bind(5, SQLiteFormat.checksum(description))
            try insert.run(binding: description.digest[...], at: 6, doing: "beginning a snapshot")
        }
        housekeeping.writing.insert(description.id.number)
        return description.id
    }

    public func writeSnapshot(_ id: SnapshotID, chunk: Int, bytes: ArraySlice<UInt8>) throws(JournalError) {
        let number = id.number * SQLiteFormat.chunksPerSnapshot + Int64(chunk)
        let checksum = bytes.withUnsafeBytes { SQLiteFormat.checksum($0, id: number) }
        try write { (session) throws(JournalError) in
            let insert = try session.statement("INSERT INTO chunks VALUES(?1,?2,?3)")
            insert.bind(1, number)
            insert.bind(2, checksum)
            try insert.run(binding: bytes, at: 3, doing: "writing a snapshot")
        }
    }

    public func finishSnapshot(_ id: SnapshotID) throws(JournalError) {
        housekeeping.writing.remove(id.number)
        try write { (session) throws(JournalError) in
            let finish = try session.statement(
                """
                UPDATE snapshots SET complete=1 WHERE id=?1 AND complete=0 AND size=(SELECT coalesce(sum(length(bytes)),0)
                FROM chunks WHERE id>=?1*?2 AND id<(?1+1)*?2) RETURNING id
                """)
            finish.bind(1, id.number)
            finish.bind(2, SQLiteFormat.chunksPerSnapshot)
            let isWhole = try finish.step(doing: "finishing a snapshot")
            finish.reset()
            guard isWhole else {
                throw JournalError(.invalid, path: files.path, detail: "snapshot \(id.number) is not whole")
            }
        }
        housekeeping.start()
    }

    public func discardSnapshot(_ id: SnapshotID) throws(JournalError) {
        try write { (session) throws(JournalError) in
            try session.run("UPDATE snapshots SET complete=0 WHERE id=?1", id.number, doing: "discarding a snapshot")
        }
        housekeeping.start()
    }
}
