import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import Testing

/// A short run with each call on the way to the disk failing once.
struct FaultInjectionTests {
    /// What the run was told.
    private struct Told {
        /// The end of what was acknowledged.
        var acknowledged = JournalHead()
        /// The end of what was submitted.
        var submitted: UInt64 = 0
    }

    /// Opens, appends, stores snapshots, tidies up, closes. After a failure it probes and goes on.
    private func run(_ path: String, _ options: SQLiteJournal.Options) -> Told {
        var told = Told()
        guard let store = try? SQLiteJournal(path: path, options: options) else { return told }
        told.acknowledged = store.head
        told.submitted = store.head.position
        var isUnsettled = false
        for round in 0..<16 {
            let expected = store.head
            let batch = sampleBatch(first: expected.position, count: 1 + round % 4, size: round == 6 ? 9000 : 40)
            told.submitted = max(told.submitted, batch.end)
            let outcome =
                round == 3
                ? store.beginEpoch(expected: expected, time: 0) : store.append(expected: expected, batches: [batch])
            switch outcome {
            case .committed(let head): told.acknowledged = head
            case .conflict(let head): Issue.record("conflict at \(head)")
            case .failed:
                try? store.probe()
                #expect(store.head == expected || isUnsettled, "what had failed was there")
            case .unknown:
                isUnsettled = true
                for _ in 0..<5 where isUnsettled {
                    guard let settled = try? store.settle(expected: expected, batches: [batch]) else { continue }
                    isUnsettled = false
                    if case .committed(let head) = settled { told.acknowledged = head }
                    try? store.probe()
                }
            }
            if round % 5 == 4 {
                try? storeSnapshot(in: store)
                try? store.probe()
            }
            _ = try? store.maintain(isIdle: true)
            // So that each run makes the same calls in the same order.
            store.waitForCheckpointer()
        }
        store.close()
        return told
    }

    /// In more than one piece, as a large state is.
    private func storeSnapshot(in store: SQLiteJournal) throws(JournalError) {
        let state = [UInt8](repeating: 1, count: 20_000)
        let id = try store.beginSnapshot(
            SnapshotContent(position: store.head.position, time: 0, digest: [], bytes: state))
        try store.writeSnapshot(id, chunk: 0, bytes: state[..<9000])
        try store.writeSnapshot(id, chunk: 1, bytes: state[9000...])
        try store.finishSnapshot(id)
    }

    private func check(_ path: String, _ told: Told, _ comment: Comment) throws {
        let store = try SQLiteJournal(path: path)
        let head = store.head
        #expect(head.position >= told.acknowledged.position, comment)
        #expect(head.epoch >= told.acknowledged.epoch, comment)
        #expect(head.position <= told.submitted, comment)
        var follower = JournalFollower(store, from: try store.oldestPosition())
        while case let records = try follower.next(), !records.isEmpty {
            for record in records {
                for entry in record.batch.entries {
                    let isWhole = [40, 9000].contains { Array(entry.bytes) == sampleEntry(entry.position, size: $0) }
                    #expect(isWhole, comment)
                }
            }
        }
        #expect(follower.position == head.position, comment)
    }

    struct Kind: CustomTestStringConvertible {
        var errno: Int32
        var isHalfDone: Bool
        /// How many calls fail in a row; the last ones also meet the probe.
        var count: Int
        var testDescription: String { "errno \(errno), half done \(isHalfDone), \(count) in a row" }
    }

    @Test(arguments: [
        Kind(errno: EIO, isHalfDone: false, count: 1), Kind(errno: ENOSPC, isHalfDone: true, count: 1),
        Kind(errno: ENOSPC, isHalfDone: false, count: 3), Kind(errno: EIO, isHalfDone: false, count: 2),
        Kind(errno: EIO, isHalfDone: false, count: 3), Kind(errno: EIO, isHalfDone: true, count: 1_000_000),
    ])
    func eachCallFails(_ kind: Kind) throws {
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        options.retention = Retention(snapshots: 1)
        let directory = JournalDirectory()
        faulty.set(nil)
        _ = run(directory.journal, options)
        let calls = faulty.calls
        #expect(calls > 150)
        for position in 0..<calls {
            directory.replace(with: [:])
            faulty.set(.init(after: position, count: kind.count, errno: kind.errno, isHalfDone: kind.isHalfDone))
            let told = run(directory.journal, options)
            #expect(faulty.failed > 0 || kind.errno == ENOSPC)
            faulty.set(nil)
            try check(directory.journal, told, "call \(position)")
        }
    }

    @Test func aFullDiskStopsItAndSpaceHealsIt() throws {
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        let directory = JournalDirectory()
        let store = try SQLiteJournal(path: directory.journal, options: options)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 3)])
        let head = store.head
        faulty.set(.init(after: 0, count: .max, errno: ENOSPC, isHalfDone: true))
        for _ in 0..<3 {
            guard case .failed(let error) = store.append(expected: head, batches: [sampleBatch(first: 3, count: 1)]) else {
                Issue.record("a full disk took a batch")
                return
            }
            #expect(error.kind == .diskFull)
            #expect(error.path == directory.journal)
            #expect(error.description.contains("Free space"))
            let probe = #expect(throws: JournalError.self) { try store.probe() }
            #expect(probe?.kind == .diskFull)
            let snapshot = #expect(throws: JournalError.self) {
                try store.storeSnapshot(SnapshotContent(position: 0, time: 0, digest: [], bytes: []))
            }
            #expect(snapshot == probe)
            // What is there can still be read.
            #expect(try faultInSamples(store) == nil)
        }
        faulty.set(nil)
        try store.probe()
        #expect(
            store.append(expected: head, batches: [sampleBatch(first: 3, count: 1)]) == .committed(JournalHead(position: 4)))
        #expect(try faultInSamples(store) == nil)
    }

    @Test func causesStayInside() throws {
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        let directory = JournalDirectory()
        let store = try SQLiteJournal(path: directory.journal, options: options)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        faulty.set(.init(after: 0, count: .max, errno: EIO))
        // With every call failing it cannot even look whether the batch is there.
        guard case .unknown(let error) = store.append(expected: store.head, batches: [sampleBatch(first: 1, count: 1)]) else {
            Issue.record("it was taken")
            return
        }
        #expect(error.kind == .inputOutput)
        #expect(error.errno == EIO)
        #expect(error.sqliteCode == 10)
        #expect(error.sqliteExtendedCode == 10 | (3 << 8))
        #expect(error.description.contains("errno \(EIO)"))
        faulty.set(nil)
    }
}
