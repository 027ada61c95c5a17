import AlertBusJournalTestSupport
import CSQLite
import Glibc
import Testing

@testable import AlertBusJournal

/// Commits reach the log in few large writes, in the order in which SQLite makes them.
struct LogWriteTests {
    let directory = JournalDirectory()

    private func open(_ fileSystem: FaultyFileSystem) throws -> SQLiteJournal {
        var options = SQLiteJournal.Options()
        options.fileSystem = fileSystem.name
        return try SQLiteJournal(path: directory.journal, options: options)
    }

    @Test func aCommitIsOneWriteAndOneSynchronisation() throws {
        let recorder = FaultyFileSystem()
        let store = try open(recorder)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        recorder.startRecording()
        // 40 kB are three pages and the one that leads to them, each with a header.
        let outcome = store.append(expected: store.head, batches: [sampleBatch(first: 1, count: 10, size: 4000)])
        guard case .committed = outcome else { throw JournalError(.invalid, detail: "\(outcome)") }
        let log = directory.journal + "-wal"
        let operations = recorder.operations
        #expect(operations.count == 2)
        guard case .write(log, _, let bytes)? = operations.first else {
            throw JournalError(.invalid, detail: "no write to the log")
        }
        #expect(bytes.count >= 4 * (SQLiteFormat.pageSize + 24))
        #expect(operations.last == .synchronise(file: log))
    }

    /// A piece of 128 KiB or more would be more than SQLite's file system takes at a time.
    @Test(arguments: [1, 5, 7, 8, 9, 16, 33, 300]) func largeCommitsAreWhole(pages: Int) throws {
        let recorder = FaultyFileSystem()
        let store = try open(recorder)
        let size = 1000
        recorder.startRecording()
        for _ in 0..<3 {
            let count = pages * SQLiteFormat.pageSize / size
            let outcome = store.append(
                expected: store.head, batches: [sampleBatch(first: store.head.position, count: count, size: size)])
            guard case .committed = outcome else { throw JournalError(.invalid, detail: "\(outcome)") }
        }
        for case .write(_, _, let bytes) in recorder.operations { #expect(bytes.count < 128 << 10) }
        // A reader of its own sees what the log holds.
        #expect(try faultInSamples(SQLiteJournalReader(path: directory.journal), size: size) == nil)
        store.close()
        let again = try SQLiteJournal(path: directory.journal)
        #expect(again.head.position == UInt64(3 * (pages * SQLiteFormat.pageSize / size)))
        #expect(try faultInSamples(again, size: size) == nil)
    }

    /// The failure comes with the synchronisation, and it is that of the write.
    @Test func aWriteThatFailsLateFailsTheCommit() throws {
        let faulty = FaultyFileSystem()
        let store = try open(faulty)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        let head = store.head
        faulty.set(.init(after: 0, errno: ENOSPC, isHalfDone: true, file: directory.journal + "-wal"))
        guard case .failed(let error) = store.append(expected: head, batches: [sampleBatch(first: 1, count: 20, size: 4000)]) else {
            throw JournalError(.invalid, detail: "it was taken")
        }
        #expect(error.kind == .diskFull)
        faulty.set(nil)
        try store.probe()
        #expect(store.head == head)
        guard case .committed = store.append(expected: head, batches: [sampleBatch(first: 1, count: 20)]) else {
            throw JournalError(.invalid, detail: "it was not taken")
        }
        #expect(try faultInSamples(store) == nil)
    }

    /// Files keep the pages that they were created with, and everything goes on with them.
    @Test func aJournalWithSmallPagesGoesOn() throws {
        try SQLiteJournal(path: directory.journal).close()
        let connection = try SQLiteConnection(path: directory.journal, mode: .readWrite)
        for sql in ["PRAGMA journal_mode=DELETE", "PRAGMA page_size=4096", "VACUUM", "PRAGMA journal_mode=WAL"] {
            try connection.execute(sql, doing: "making the pages small")
        }
        #expect(try connection.pageSize() == 4096)
        connection.close()
        var options = SQLiteJournal.Options()
        options.checkpointPages = 8
        options.logLimitPages = 64
        let store = try SQLiteJournal(path: directory.journal, options: options)
        #expect(store.pageSize == 4096)
        // So many bytes in the log, in whatever pages.
        #expect(store.filePages(8) == 32)
        #expect(store.filePages(.max) == .max)
        var largest = 0
        for _ in 0..<400 {
            guard
                case .committed = store.append(
                    expected: store.head, batches: [sampleBatch(first: store.head.position, count: 1, size: 3000)])
            else { throw JournalError(.invalid, detail: "it was not taken") }
            _ = try store.maintain(isIdle: false)
            largest = max(largest, store.logPages)
        }
        #expect(largest > 32)
        #expect(largest < 32 * 8 + 16)
        store.close()
        let again = try SQLiteJournal(path: directory.journal)
        #expect(again.pageSize == 4096)
        #expect(try faultInSamples(again, size: 3000) == nil)
    }
}
