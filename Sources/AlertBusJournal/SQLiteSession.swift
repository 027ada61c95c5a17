import CSQLite

/// One connection with its statements. A journal throws it away after a failure and opens another.
final class SQLiteSession {
    let connection: SQLiteConnection
    private var prepared: [String: SQLiteStatement] = [:]

    init(path: String, mode: SQLiteConnection.Mode, fileSystem: String?) throws(JournalError) {
        // It synchronises at each commit, so its log may be written in one piece.
        let fileSystem = mode == .readWrite ? CombinedLogWrites.over(fileSystem) : fileSystem
        connection = try SQLiteConnection(path: path, mode: mode, fileSystem: fileSystem)
        connection.setCheckpointOnClose(false)
        if mode == .readWrite {
            try connection.execute(SQLiteFormat.writerSettings, doing: "setting up")
            connection.countLogPages()
        }
    }

    deinit { close() }

    /// Finalises the statements and closes the connection.
    func close() {
        prepared.removeAll()
        connection.close()
    }

    /// The statement for some SQL, prepared once.
    func statement(_ sql: String) throws(JournalError) -> SQLiteStatement {
        if let known = prepared[sql] { return known }
        let new = try connection.prepare(sql)
        prepared[sql] = new
        return new
    }
}

extension SQLiteSession {
    /// Runs writes as one transaction, durable when it returns. A single statement needs no `BEGIN`.
    func transaction(isSingle: Bool = false, _ body: (SQLiteSession) throws(JournalError) -> Void) throws(JournalError) {
        if isSingle { return try body(self) }
        try statement("BEGIN IMMEDIATE").run(doing: "beginning a transaction")
        try body(self)
        try statement("COMMIT").run(doing: "committing")
    }

    func insert(_ batch: JournalBatch, epoch: UInt64) throws(JournalError) {
        let insert = try statement("INSERT INTO batches VALUES(?1,?2,?3,?4,?5,?6)")
        insert.bind(1, batch.first)
        insert.bind(2, batch.count)
        insert.bind(3, epoch)
        insert.bind(4, batch.time)
        insert.bind(5, SQLiteFormat.checksum(batch, epoch: epoch))
        try insert.run(binding: batch.bytes[...], at: 6, doing: "appending")
    }

    func insertEpoch(_ head: JournalHead, time: Int64) throws(JournalError) {
        let insert = try statement("INSERT INTO epochs VALUES(?1,?2,?3,?4)")
        insert.bind(1, head.epoch)
        insert.bind(2, head.position)
        insert.bind(3, time)
        insert.bind(4, SQLiteFormat.checksum(epoch: head.epoch, position: head.position, time: time))
        try insert.run(doing: "beginning an epoch")
    }

    /// Runs a statement with numbers for its parameters.
    func run(_ sql: String, _ parameters: Int64..., doing what: String) throws(JournalError) {
        let statement = try statement(sql)
        for (index, value) in parameters.enumerated() { statement.bind(Int32(index + 1), value) }
        try statement.run(doing: what)
    }

    /// A write that changes nothing of interest.
    func touch() throws(JournalError) {
        try statement("UPDATE meta SET value=value+1 WHERE key='probe'").run(doing: "trying to write")
    }

    func identifier() throws(JournalError) -> UInt64 {
        let found = try connection.integer("SELECT value FROM meta WHERE key='journal'", doing: "reading the identifier")
        guard let found else { throw corrupt("its identifier is missing") }
        return UInt64(bitPattern: found)
    }

    /// - Throws: `newerFormat` when the entries were written by a version that this caller does not know.
    func checkContentFormat(_ supported: Int) throws(JournalError) {
        let found = Int(try contentFormat())
        guard found <= supported else {
            throw JournalError(
                .newerFormat(found: found, supported: supported), path: connection.path,
                detail: "its entries have format \(found); this program reads up to \(supported)")
        }
    }

    func raiseContentFormat(to format: Int) throws(JournalError) {
        if try contentFormat() == Int64(format) { return }
        try run("INSERT OR REPLACE INTO meta VALUES('content',?1)", Int64(format), doing: "noting the format of the entries")
    }

    private func contentFormat() throws(JournalError) -> Int64 {
        try connection.integer("SELECT value FROM meta WHERE key='content'", doing: "reading the format of the entries") ?? 0
    }

    func corrupt(_ detail: String) -> JournalError { JournalError(.corrupt, path: connection.path, detail: detail) }
}
