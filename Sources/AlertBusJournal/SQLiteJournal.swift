/// The default journal: one SQLite file with a write-ahead log, synchronised with each commit.
///
/// A batch is one row, so that the cost per entry is small. A failure never leaves it in doubt for longer than needed: it
/// opens the file anew and looks what is there, as a restart would.
public final class SQLiteJournal: JournalStore {
    public struct Options: Sendable {
        public var retention = Retention()
        /// Pages of 16 KiB in the log from which on they are moved to their place even when there is no idle moment. 4 MiB.
        public var checkpointPages = 256
        /// Pages of 16 KiB in the log at which nothing more is taken: a reader keeps it from being emptied. 1 GiB.
        public var logLimitPages = 65_536
        /// Written into a new file, in milliseconds since 1970.
        public var time: Int64 = 0
        /// The version of what the entries and snapshots mean, for the caller's sake: a journal in which a newer one was ever
        /// used is refused. 0 when there is none.
        public var contentFormat = 0
        /// The name of a registered SQLite VFS, for tests.
        package var fileSystem: String?

        public init() {}
    }

    public internal(set) var head = JournalHead()
    let files: SQLiteFiles
    let options: Options
    private var lock: JournalLock?
    private var identifier: UInt64 = 0
    private var session: SQLiteSession?
    /// Why nothing more is taken.
    private(set) var fault: JournalError?
    private var identities: [SQLiteFiles.Identity?] = []
    var housekeeping = Housekeeping()
    /// Of this file, which may be older than the present default.
    private(set) var pageSize = SQLiteFormat.pageSize
    let checkpointer: Checkpointer
    var logKeeper: LogKeeper

    /// Opens a journal, or creates it with its directory.
    ///
    /// - Throws: `locked` when another process writes it, `newerFormat`, `notAJournal`, `permissions`, `truncated` when it
    ///   ends before what was acknowledged, `corrupt`, or what the system said.
    public init(path: String, options: Options = Options()) throws(JournalError) {
        self.options = options
        files = SQLiteFiles(path: path)
        try JournalPath.createDirectory(for: path)
        let lock = try JournalLock(journal: path)
        self.lock = lock
        checkpointer = Checkpointer(path: path, fileSystem: options.fileSystem, note: lock.descriptor)
        logKeeper = LogKeeper(threshold: options.checkpointPages)
        if try !files.exists() { try files.create(fileSystem: options.fileSystem, time: options.time) }
        try reopen(verifying: true)
        _ = try settleLog()
        try openSession().raiseContentFormat(to: options.contentFormat)
    }

    deinit { close() }

    /// How many pages of this file are so many of the default size.
    func filePages(_ pages: Int) -> Int {
        let (result, isTooLarge) = pages.multipliedReportingOverflow(by: max(1, SQLiteFormat.pageSize / pageSize))
        return isTooLarge ? .max : result
    }

    /// The connection, or why there is none.
    func openSession() throws(JournalError) -> SQLiteSession {
        guard let session else {
            throw fault ?? JournalError(.closed, path: files.path, detail: "it is closed")
        }
        return session
    }

    public func close() {
        checkpointer.close()
        guard let session else {
            lock = nil
            return
        }
        // Without a fault the log is moved into the file and removed; with one everything stays for the next start.
        if fault == nil { session.connection.setCheckpointOnClose(true) }
        session.close()
        self.session = nil
        lock?.synchronise()
        lock = nil
    }
}

// MARK: Appending

extension SQLiteJournal {
    public func append(expected: JournalHead, batches: [JournalBatch]) -> AppendOutcome {
        if let fault { return .failed(fault) }
        guard expected == head else { return .conflict(head) }
        if let error = JournalError.fault(in: batches, after: expected, path: files.path) { return .failed(error) }
        let after = JournalHead(position: batches[batches.count - 1].end, epoch: head.epoch)
        return commit(after, isSingle: batches.count == 1) { (session) throws(JournalError) in
            for batch in batches { try session.insert(batch, epoch: after.epoch) }
        }
    }

    public func beginEpoch(expected: JournalHead, time: Int64) -> AppendOutcome {
        if let fault { return .failed(fault) }
        guard expected == head else { return .conflict(head) }
        let after = JournalHead(position: head.position, epoch: head.epoch + 1)
        return commit(after, isSingle: true) { (session) throws(JournalError) in
            try session.insertEpoch(after, time: time)
        }
    }

    private func commit(
        _ after: JournalHead, isSingle: Bool, _ body: (SQLiteSession) throws(JournalError) -> Void
    ) -> AppendOutcome {
        let session: SQLiteSession
        do throws(JournalError) {
            session = try openSession()
            try checkNames()
            try checkLog(session)
        } catch {
            stop(error)
            return .failed(error)
        }
        do throws(JournalError) {
            try session.transaction(isSingle: isSingle, body)
        } catch {
            return outcome(of: error)
        }
        // It may have concerned the log, this commit included, and not every kernel tells that to the writer as well.
        if let error = checkpointer.takeFailedSynchronisation() { return outcome(of: error) }
        head = after
        lock?.note(.init(journal: identifier, head: after))
        return .committed(after)
    }

    /// After a failed commit: opens the file anew and looks whether it is there.
    private func outcome(of cause: JournalError) -> AppendOutcome {
        stop(cause)
        do throws(JournalError) {
            try reopen(verifying: false)
            // What is there may have missed the disk: it counts when `refresh` has made it durable.
            return try openSession().readHead() == head ? .failed(cause) : .unknown(cause)
        } catch {
            return .unknown(cause)
        }
    }

    /// A deleted or replaced file takes writes without an error, and keeps none of them.
    private func checkNames() throws(JournalError) {
        let now = [SQLiteFiles.identity(of: files.path), SQLiteFiles.identity(of: files.log)]
        for (old, new) in zip(identities, now) where old?.inode != new?.inode || old?.device != new?.device {
            throw JournalError(.missing, path: files.path, detail: "the file was moved or deleted while it was in use")
        }
    }
}

// MARK: Health

extension SQLiteJournal {
    public func refresh() throws(JournalError) -> JournalHead {
        if fault != nil || session == nil { try reopen(verifying: false) }
        return try settleLog()
    }

    public func probe() throws(JournalError) {
        if fault != nil { _ = try refresh() }
        let session = try openSession()
        do throws(JournalError) {
            try session.touch()
        } catch {
            stop(error)
            throw error
        }
        fault = nil
    }

    /// Makes what is read from the log durable, whatever happened to it before: the pages are written again, to their
    /// place, and the log is emptied. After a failed synchronisation the kernel may call pages clean that never reached
    /// the disk, so synchronising the log again would prove nothing.
    private func settleLog() throws(JournalError) -> JournalHead {
        let session = try openSession()
        checkpointer.close()
        do throws(JournalError) {
            try emptyLog(session)
            // An old log that came back after a power cut would hide what was moved.
            try session.connection.synchroniseLog()
            head = try session.readHead()
        } catch {
            stop(error)
            throw error
        }
        logKeeper.startAgain()
        lock?.note(.init(journal: identifier, head: head))
        lock?.synchronise()
        rememberNames()
        return head
    }

    /// Opens the file as a restart would, so that what is read is what is there.
    private func reopen(verifying: Bool) throws(JournalError) {
        guard lock != nil else { throw JournalError(.closed, path: files.path, detail: "it is closed") }
        // It starts anew as well: what it has open may know of failures that are over.
        checkpointer.close()
        session?.close()
        session = nil
        guard try files.exists() else {
            throw JournalError(.missing, path: files.path, detail: "the file was moved or deleted while it was in use")
        }
        let opened = try SQLiteSession(path: files.path, mode: .readWrite, fileSystem: options.fileSystem)
        try SQLiteFormat.check(opened.connection)
        try opened.checkContentFormat(options.contentFormat)
        identifier = try opened.identifier()
        let found = try opened.readHead()
        if let noted = lock?.acknowledged(), noted.journal == identifier {
            guard found.position >= noted.head.position, found.epoch >= noted.head.epoch else {
                throw JournalError(
                    .truncated, path: files.path, detail: "it ends at \(found), but \(noted.head) was acknowledged")
            }
        }
        if verifying { try opened.verify() }
        session = opened
        pageSize = try opened.connection.pageSize()
        logKeeper = LogKeeper(threshold: filePages(options.checkpointPages))
        housekeeping.start()
        rememberNames()
    }

    private func rememberNames() {
        identities = [SQLiteFiles.identity(of: files.path), SQLiteFiles.identity(of: files.log)]
    }

    /// Takes nothing more until `probe` succeeds.
    func stop(_ error: JournalError) {
        fault = error
        session?.connection.rollBack()
    }

    /// Runs a transaction that appends nothing. Its failure stops the journal too: the storage is not well.
    func write(_ body: (SQLiteSession) throws(JournalError) -> Void) throws(JournalError) {
        if let fault { throw fault }
        let session = try openSession()
        do throws(JournalError) {
            try session.transaction(body)
        } catch {
            if error.kind == .invalid { session.connection.rollBack() } else { stop(error) }
            throw error
        }
    }
}
