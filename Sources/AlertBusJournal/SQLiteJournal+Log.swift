import CSQLite

/// Keeps the log short without a commit waiting for it, as far as that goes.
extension SQLiteJournal {
    /// Asks for pages to be moved, or moves the last of them.
    /// - Returns: whether the committing thread had work with it.
    func tendLog(_ session: SQLiteSession, isIdle: Bool) throws(JournalError) -> Bool {
        switch checkpointer.takeResult() {
        case .success(let pass)?: logKeeper.note(pass.found, generation: pass.generation)
        case .failure(let error)?:
            stop(error)
            throw error
        case nil: break
        }
        let log = session.connection.log
        switch logKeeper.next(log, isIdle: isIdle, isBusy: checkpointer.isBusy) {
        case .nothing: return false
        case .request:
            if checkpointer.request(generation: log.generation) { return false }
            // Without a thread for it the one that commits has to do it.
            try moveLog()
            return true
        case .finish:
            checkpointer.wait()
            try moveLog()
            return true
        }
    }

    /// Moves committed pages to their place on this thread, as far as readers let it.
    package func moveLog() throws(JournalError) {
        let session = try openSession()
        do throws(JournalError) {
            logKeeper.note(try session.connection.checkpoint(.passive), generation: session.connection.log.generation)
        } catch {
            stop(error)
            throw error
        }
    }

    /// Waits until the thread that moves pages has done what it was asked for: for tests.
    package func waitForCheckpointer() { checkpointer.wait() }

    /// Pages in the log, those included that were moved but not yet written over.
    package var logPages: Int { (try? openSession().connection.log.pages) ?? 0 }

    /// What keeps a commit from being tried: moving pages failed, or they cannot be moved.
    func checkLog(_ session: SQLiteSession) throws(JournalError) {
        if let error = checkpointer.takeFailure() { throw error }
        if logKeeper.unmoved(of: session.connection.log) >= filePages(options.logLimitPages) { throw heldByAReader }
        // Everything is moved, but a reader that still looks at the log keeps it from starting again.
        if session.connection.log.pages >= 2 * filePages(options.logLimitPages) { throw heldByAReader }
    }

    /// Moves everything and empties the log; waits a moment for readers.
    func emptyLog(_ session: SQLiteSession) throws(JournalError) {
        do throws(JournalError) {
            guard try session.connection.checkpoint(.truncate).isComplete else { throw heldByAReader }
        } catch {
            if case .locked = error.kind { throw heldByAReader }
            throw error
        }
    }

    private var heldByAReader: JournalError {
        JournalError(.held, path: files.path, detail: "a reader keeps its log from being emptied")
    }
}

extension Checkpointer {
    /// A failure of which it is not known what else it concerns.
    func takeFailedSynchronisation() -> JournalError? {
        takeFailure { $0.sqliteExtendedCode == SQLITE_IOERR | (4 << 8) }
    }
}
