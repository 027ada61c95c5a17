import AlertBusJournal
import AlertBusJournalTestSupport
import CSQLite
import Glibc
import TestSupport
import Testing

/// The log is moved by a thread of its own: it stays short, failures are told, and nothing is lost.
struct CheckpointTests {
    let directory = JournalDirectory()

    private func open(_ fileSystem: FaultyFileSystem? = nil, pages: Int = 32, limit: Int = 100_000) throws -> SQLiteJournal {
        var options = SQLiteJournal.Options()
        options.checkpointPages = pages
        options.logLimitPages = limit
        options.fileSystem = fileSystem?.name
        return try SQLiteJournal(path: directory.journal, options: options)
    }

    /// - Returns: why it was not taken; nil when it was.
    private func append(_ store: SQLiteJournal, size: Int = 3000) -> JournalError? {
        switch store.append(expected: store.head, batches: [sampleBatch(first: store.head.position, count: 1, size: size)]) {
        case .committed: return nil
        case .failed(let error), .unknown(let error): return error
        case .conflict(let head): return JournalError(.invalid, detail: "conflict at \(head)")
        }
    }

    @Test func theLogStaysShortWhileCommitsNeverPause() throws {
        let store = try open()
        var largest = 0
        for _ in 0..<800 {
            #expect(append(store) == nil)
            _ = try store.maintain(isIdle: false)
            largest = max(largest, store.logPages)
        }
        #expect(largest > 32, "commits go on while pages are moved")
        // The ceiling, and one commit.
        #expect(largest < 32 * 8 + 16)
        #expect(try faultInSamples(store, size: 3000) == nil)
        store.close()
        #expect(access(directory.journal + "-wal", F_OK) != 0)
        #expect(try faultInSamples(try open(), size: 3000) == nil)
    }

    @Test func anIdleMomentMovesEverything() throws {
        let store = try open(pages: 100_000)
        for _ in 0..<20 { #expect(append(store) == nil) }
        #expect(store.logPages >= 20)
        while try store.maintain(isIdle: true) { store.waitForCheckpointer() }
        // The next commit finds everything moved, and starts the log again.
        #expect(append(store) == nil)
        #expect(store.logPages < 10)
    }

    @Test func closingWaitsForAPassAndLeavesOneFile() throws {
        for round in 0..<30 {
            let store = try open(pages: 4)
            for _ in 0...round % 7 { #expect(append(store) == nil) }
            // Housekeeping first; then a pass is under way, or about to begin.
            for _ in 0..<3 { _ = try store.maintain(isIdle: true) }
            store.close()
            #expect(directory.names == ["journal", "journal.lock"], "round \(round)")
        }
        #expect(try faultInSamples(try open(), size: 3000) == nil)
    }

    // MARK: Readers

    /// A program that stopped in the middle of reading.
    private final class StoppedReader {
        private var handle: OpaquePointer?
        init(_ path: String) {
            sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil)
            let code = sqlite3_exec(handle, "BEGIN; SELECT count(*) FROM batches", nil, nil, nil)
            #expect(code == SQLITE_OK)
        }
        func goOn() {
            sqlite3_close(handle)
            handle = nil
        }
        deinit { goOn() }
    }

    @Test func aReaderThatStoppedIsNotWaitedForAndTheLogIsEmptiedAfterIt() throws {
        let store = try open(limit: 4000)
        #expect(append(store) == nil)
        let reader = StoppedReader(directory.journal)
        for _ in 0..<400 {
            #expect(append(store) == nil)
            _ = try store.maintain(isIdle: false)
        }
        #expect(store.logPages > 400)
        reader.goOn()
        for _ in 0..<200 {
            #expect(append(store) == nil)
            _ = try store.maintain(isIdle: false)
        }
        #expect(store.logPages < 32 * 8 + 16)
        #expect(try faultInSamples(store, size: 3000) == nil)
    }

    @Test func aReaderThatNeverGoesOnStopsTheJournalBeforeTheDiskIsFull() throws {
        let store = try open(limit: 300)
        #expect(append(store) == nil)
        let reader = StoppedReader(directory.journal)
        var refusal: JournalError?
        for _ in 0..<1000 where refusal == nil {
            refusal = append(store)
            _ = try store.maintain(isIdle: false)
        }
        #expect(refusal?.kind == .held)
        #expect(refusal?.description.contains("End the program that reads the journal") == true)
        #expect(store.logPages < 320)
        let head = store.head
        let probe = #expect(throws: JournalError.self) { try store.probe() }
        #expect(probe?.kind == .held)
        reader.goOn()
        try store.probe()
        #expect(store.head == head)
        #expect(append(store) == nil)
        #expect(try faultInSamples(store, size: 3000) == nil)
    }

    // MARK: Failures

    struct Failure: CustomTestStringConvertible, Sendable {
        var after: Int
        var errno: Int32
        var kind: JournalError.Kind
        var testDescription: String { "errno \(errno) after \(after) calls" }
    }

    @Test(arguments: [
        Failure(after: 0, errno: ENOSPC, kind: .diskFull), Failure(after: 0, errno: EIO, kind: .inputOutput),
        Failure(after: 5, errno: EIO, kind: .inputOutput),
    ])
    func aFailureStopsTheJournalUntilItIsHealed(_ failure: Failure) throws {
        let faulty = FaultyFileSystem()
        let store = try open(faulty, pages: 64)
        for _ in 0..<24 { #expect(append(store) == nil) }
        // A commit writes to the log alone.
        faulty.set(.init(after: failure.after, count: .max, errno: failure.errno, file: directory.journal))
        #expect(append(store) == nil)
        while try faulty.failed == 0 && store.maintain(isIdle: true) { store.waitForCheckpointer() }
        #expect(faulty.failed > 0)
        let head = store.head
        let refusal = append(store)
        #expect(refusal?.kind == failure.kind)
        #expect(refusal?.path == directory.journal)
        #expect(refusal?.detail.contains("moving the log into the journal") == true || failure.after == 0)
        #expect(try faultInSamples(store, size: 3000) == nil, "what is there can be read")
        #expect(throws: JournalError.self) { try store.probe() }
        faulty.set(nil)
        try store.probe()
        #expect(store.head == head)
        for _ in 0..<50 {
            #expect(append(store) == nil)
            _ = try store.maintain(isIdle: false)
        }
        store.close()
        #expect(try faultInSamples(try open(), size: 3000) == nil)
    }

    /// Nobody has to send something first.
    @Test func aFailureIsToldWhileNothingIsAsked() throws {
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        let path = directory.journal
        let journal = try Journal { [options] () throws(JournalError) in try SQLiteJournal(path: path, options: options) }
        faulty.set(.init(after: 0, count: .max, errno: EIO, file: path))
        journal.append(JournalToken(1), expected: JournalHead(), batches: [sampleBatch(first: 0, count: 1)])
        var told: [JournalCompletion] = []
        while told.count < 2 {
            var entry = pollfd(fd: journal.completionDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 20_000) == 1, "only \(told) came")
            told += journal.takeCompletions()
        }
        #expect(told[0] == .append(JournalToken(1), .committed(JournalHead(position: 1))))
        guard case .housekeeping(let error) = told[1] else {
            Issue.record("\(told)")
            return
        }
        #expect(error.errno == EIO || error.kind == .inputOutput)
        faulty.set(nil)
    }
}
