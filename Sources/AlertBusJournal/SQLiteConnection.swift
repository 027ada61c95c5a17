import CSQLite
import Glibc

/// One open database. The only owner of its handle; used by one thread at a time.
final class SQLiteConnection {
    enum Mode { case readWrite, readOnly }

    let path: String
    private let handle: OpaquePointer
    private var isOpen = true
    /// Written by SQLite's callback on the thread that commits.
    private let logCell = UnsafeMutablePointer<Log>.allocate(capacity: 1)

    /// The write-ahead log after the last commit of this connection.
    struct Log: Equatable {
        /// From its beginning, those included that were moved to their place.
        var pages = 0
        /// Raised when it starts again from its beginning.
        var generation = 0
    }

    /// Opens a file that exists.
    /// - Parameter fileSystem: the name of a registered SQLite VFS; nil is the default one.
    init(path: String, mode: Mode, fileSystem: String? = nil) throws(JournalError) {
        let flags =
            (mode == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, fileSystem)
        logCell.initialize(to: Log())
        self.path = path
        guard code == SQLITE_OK, let opened else {
            let error = JournalError.sqlite(
                code, message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory",
                systemError: opened.map { sqlite3_system_errno($0) } ?? 0, path: path, doing: "opening")
            sqlite3_close_v2(opened)
            logCell.deallocate()
            throw error
        }
        handle = opened
        // A reader in another process may hold a lock for a moment.
        sqlite3_busy_timeout(handle, 2_000)
    }

    deinit {
        close()
        logCell.deallocate()
    }

    /// Known after `countLogPages`.
    var log: Log { logCell.pointee }

    /// Counts the pages of the log, in place of SQLite's own checkpoints.
    func countLogPages() {
        // The cell outlives the handle: it goes after `close` in deinit.
        _ = sqlite3_wal_hook(
            handle,
            { cell, _, _, pages in
                let log = cell!.assumingMemoryBound(to: Log.self)
                // Each commit makes it longer, unless it starts again.
                if Int(pages) <= log.pointee.pages { log.pointee.generation += 1 }
                log.pointee.pages = Int(pages)
                return SQLITE_OK
            }, logCell)
    }

    /// Statements must be gone by then, or the file stays open until they are.
    func close() {
        guard isOpen else { return }
        isOpen = false
        sqlite3_close_v2(handle)
    }

    func prepare(_ sql: String) throws(JournalError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, doing: "preparing a statement") }
        return SQLiteStatement(statement, of: self)
    }

    /// Runs statements that return nothing of interest.
    func execute(_ sql: String, doing what: String) throws(JournalError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, doing: what) }
    }

    /// The first column of the first row.
    func integer(_ sql: String, doing what: String) throws(JournalError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step(doing: what) ? statement.integer(0) : nil
    }

    /// Bytes of a page of this file.
    func pageSize() throws(JournalError) -> Int {
        Int(try integer("PRAGMA page_size", doing: "reading the header") ?? Int64(SQLiteFormat.pageSize))
    }

    func text(_ sql: String, doing what: String) throws(JournalError) -> String? {
        let statement = try prepare(sql)
        return try statement.step(doing: what) ? statement.text(0) : nil
    }

    /// Ends a transaction that a failure left open, if there is one.
    func rollBack() {
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Whether the last connection that closes moves the log into the database and deletes it.
    func setCheckpointOnClose(_ on: Bool) { _ = csqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1) }

    /// What a checkpoint found.
    struct Checkpoint {
        /// Pages in the log, and how many of them are in the database file now.
        var logPages: Int
        var movedPages: Int
        var isComplete: Bool { logPages == movedPages }
    }

    enum CheckpointMode {
        /// Does what it can at once, beside commits and readers.
        case passive
        /// Waits for readers, moves everything, and empties the log.
        case truncate
    }

    /// Moves pages of the log into the database file.
    func checkpoint(_ mode: CheckpointMode) throws(JournalError) -> Checkpoint {
        var log: Int32 = 0
        var moved: Int32 = 0
        let number = mode == .truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, number, &log, &moved)
        // Another connection is at it: a passive one leaves it to that.
        if mode == .passive, code & 0xFF == SQLITE_BUSY { return Checkpoint(logPages: 0, movedPages: 0) }
        if code != SQLITE_OK { throw error(code, doing: "moving the log into the journal") }
        if mode == .truncate { logCell.pointee = Log(pages: 0, generation: logCell.pointee.generation + 1) }
        return Checkpoint(logPages: Int(log), movedPages: Int(moved))
    }

    /// Synchronises the log. It goes the way that SQLite's own writes go.
    func synchroniseLog() throws(JournalError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
            code = methods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
        }
        if code != SQLITE_OK { throw error(code, doing: "synchronising the log") }
    }

    func error(_ code: Int32, doing what: String) -> JournalError {
        .sqlite(
            code, message: String(cString: sqlite3_errmsg(handle)), systemError: systemError(), path: path, doing: what)
    }

    /// The number of the system call that failed. A commit that fails leaves it with the file only.
    private func systemError() -> Int32 {
        for pointer in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(handle, "main", pointer, &file) == SQLITE_OK, let file,
                let methods = file.pointee.pMethods
            else { continue }
            var number: Int32 = 0
            _ = methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
            if number != 0 { return number }
        }
        return sqlite3_system_errno(handle)
    }
}

extension JournalError {
    /// The error for a result code of SQLite.
    static func sqlite(
        _ code: Int32, message: String, systemError: Int32, path: String, doing what: String
    ) -> JournalError {
        let primary = code & 0xFF
        // SQLite keeps the number only for these two; otherwise it is left over from something older.
        let number = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN ? systemError : 0
        let kind: Kind =
            switch primary {
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notAJournal
            case SQLITE_PERM, SQLITE_AUTH: .permissions
            case SQLITE_BUSY, SQLITE_LOCKED: .locked(by: 0)
            case SQLITE_MISUSE, SQLITE_RANGE, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .invalid
            // A table or column that is gone.
            case SQLITE_ERROR: .corrupt
            case SQLITE_IOERR where code == SQLITE_IOERR | (2 << 8): .truncated
            case SQLITE_IOERR, SQLITE_CANTOPEN: JournalError.system(number, path: path, doing: what).kind
            default: .inputOutput
            }
        return JournalError(
            kind, path: path, detail: "\(what) failed: \(message)", sqliteExtendedCode: code, errno: number)
    }
}
