import AlertBusJournal
import AlertBusJournalTestSupport
import Testing

enum Implementation: CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, simulated

    var testDescription: String { "\(self)" }

    func make(_ directory: JournalDirectory, retention: Retention = Retention()) throws(JournalError) -> any JournalStore {
        switch self {
        case .memory: return MemoryJournal(retention: retention)
        case .simulated: return SimulatedJournal(retention: retention)
        case .sqlite:
            var options = SQLiteJournal.Options()
            options.retention = retention
            return try SQLiteJournal(path: directory.journal, options: options)
        }
    }
}

/// What every store must do.
@Suite struct ConformanceTests {
    let directory = JournalDirectory()

    @Test(arguments: Implementation.allCases) func appendsInOrder(_ implementation: Implementation) throws {
        let store = try implementation.make(directory)
        #expect(store.head == JournalHead())
        let first = sampleBatch(first: 0, count: 3)
        #expect(store.append(expected: store.head, batches: [first]) == .committed(JournalHead(position: 3)))
        let two = [sampleBatch(first: 3, count: 1), sampleBatch(first: 4, count: 5)]
        #expect(store.append(expected: store.head, batches: two) == .committed(JournalHead(position: 9)))
        #expect(try store.readHead() == JournalHead(position: 9))
        #expect(try store.read(from: 0, maximumBytes: 1 << 20).map(\.batch) == [first] + two)
        #expect(try store.read(from: 5, maximumBytes: 1).map(\.batch) == [two[1]])
        #expect(try store.read(from: 9, maximumBytes: 1) == [])
        #expect(try faultInSamples(store) == nil)
    }

    @Test(arguments: Implementation.allCases) func anotherHeadConflicts(_ implementation: Implementation) throws {
        let store = try implementation.make(directory)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 2)])
        let head = store.head
        for wrong in [JournalHead(position: 1), JournalHead(position: 3), JournalHead(position: 2, epoch: 1)] {
            let batch = sampleBatch(first: wrong.position, count: 1)
            #expect(store.append(expected: wrong, batches: [batch]) == .conflict(head))
            #expect(store.beginEpoch(expected: wrong, time: 0) == .conflict(head))
        }
        #expect(try store.readHead() == head)
    }

    @Test(arguments: Implementation.allCases) func anEpochFencesTheOneBefore(_ implementation: Implementation) throws {
        let store = try implementation.make(directory)
        let old = store.head
        #expect(store.beginEpoch(expected: old, time: 1) == .committed(JournalHead(position: 0, epoch: 1)))
        #expect(
            store.append(expected: old, batches: [sampleBatch(first: 0, count: 1)])
                == .conflict(JournalHead(position: 0, epoch: 1)))
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        #expect(store.beginEpoch(expected: store.head, time: 2) == .committed(JournalHead(position: 1, epoch: 2)))
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 1, count: 1)])
        #expect(try store.read(from: 0, maximumBytes: 1 << 20).map(\.epoch) == [1, 2])
    }

    @Test(arguments: Implementation.allCases) func misuseIsRefusedAndHarmless(_ implementation: Implementation) throws {
        let store = try implementation.make(directory)
        let wrong: [[JournalBatch]] = [
            [], [JournalBatch(first: 0)], [sampleBatch(first: 1, count: 1)],
            [sampleBatch(first: 0, count: 1), sampleBatch(first: 2, count: 1)],
        ]
        for batches in wrong {
            guard case .failed(let error) = store.append(expected: store.head, batches: batches) else {
                Issue.record("it was taken: \(batches)")
                continue
            }
            #expect(error.kind == .invalid)
        }
        #expect(throws: JournalError.self) { try store.read(from: 1, maximumBytes: 1) }
        #expect(throws: JournalError.self) {
            try store.storeSnapshot(SnapshotContent(position: 1, time: 0, digest: [], bytes: []))
        }
        let unfinished = try store.beginSnapshot(SnapshotContent(position: 0, time: 0, digest: [], bytes: [1]))
        #expect(throws: JournalError.self) { try store.finishSnapshot(unfinished) }
        #expect(try store.snapshots() == [])
        let good = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        #expect(good == .committed(JournalHead(position: 1)))
    }

    @Test(arguments: Implementation.allCases) func aFollowerSeesWhatComesLater(_ implementation: Implementation) throws {
        let store = try implementation.make(directory)
        var follower = JournalFollower(AnyReader(store), from: 0)
        var positions: [UInt64] = []
        for round in 0..<20 {
            _ = store.append(expected: store.head, batches: [sampleBatch(first: store.head.position, count: 1 + round % 3)])
            if round % 4 != 0 { continue }
            while case let records = try follower.next(maximumBytes: 100), !records.isEmpty {
                positions += records.flatMap { $0.batch.entries.map(\.position) }
            }
            #expect(positions == Array(0..<store.head.position))
        }
    }

    @Test(arguments: Implementation.allCases) func snapshotsReplaceThePast(_ implementation: Implementation) throws {
        let store = try implementation.make(directory, retention: Retention(snapshots: 2))
        for round in 1...5 as ClosedRange<UInt64> {
            for _ in 0..<10 {
                _ = store.append(expected: store.head, batches: [sampleBatch(first: store.head.position, count: 10)])
            }
            let state = [UInt8](repeating: UInt8(round), count: 600_000)
            let content = SnapshotContent(position: round * 100 - 5, time: Int64(round), digest: [UInt8(round)], bytes: state)
            try store.storeSnapshot(content)
            while try store.maintain(isIdle: true) { (store as? SQLiteJournal)?.waitForCheckpointer() }
        }
        let snapshots = try store.snapshots()
        #expect(snapshots.map(\.position) == [495, 395])
        #expect(snapshots.map(\.digest) == [[5], [4]])
        #expect(try store.readSnapshot(snapshots[0].id) == [UInt8](repeating: 5, count: 600_000))
        #expect(try store.readSnapshot(snapshots[1].id) == [UInt8](repeating: 4, count: 600_000))
        // The batch that holds entry 395 stays whole.
        #expect(try store.oldestPosition() == 390)
        #expect(try faultInSamples(store) == nil)
        let pruned = #expect(throws: JournalError.self) { try store.read(from: 389, maximumBytes: 1) }
        #expect(pruned?.kind == .pruned(oldest: 390))
        let statistics = try store.statistics()
        #expect(statistics.oldest == 390)
        #expect(statistics.snapshotPosition == 495)
        #expect(statistics.oldestTime == 390)
    }

    @Test(arguments: Implementation.allCases) func theEndSurvivesDeletingEverything(_ implementation: Implementation) throws {
        let store = try implementation.make(directory, retention: Retention(snapshots: 1))
        _ = store.beginEpoch(expected: store.head, time: 0)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 10)])
        try store.storeSnapshot(SnapshotContent(position: 10, time: 0, digest: [], bytes: []))
        while try store.maintain(isIdle: true) { (store as? SQLiteJournal)?.waitForCheckpointer() }
        #expect(try store.oldestPosition() == 10)
        #expect(try store.readHead() == JournalHead(position: 10, epoch: 1))
        #expect(try store.read(from: 10, maximumBytes: 1) == [])
        #expect(try store.readSnapshot(store.snapshots()[0].id) == [])
        let next = store.append(expected: store.head, batches: [sampleBatch(first: 10, count: 1)])
        #expect(next == .committed(JournalHead(position: 11, epoch: 1)))
    }
}

/// A store as a reader with a type.
struct AnyReader: JournalReading {
    let store: any JournalStore

    init(_ store: any JournalStore) { self.store = store }

    func readHead() throws(JournalError) -> JournalHead { try store.readHead() }
    func oldestPosition() throws(JournalError) -> UInt64 { try store.oldestPosition() }
    func snapshots() throws(JournalError) -> [SnapshotDescription] { try store.snapshots() }
    func damagedSnapshots() throws(JournalError) -> [SnapshotDamage] { try store.damagedSnapshots() }
    func readSnapshot(_ id: SnapshotID) throws(JournalError) -> [UInt8] { try store.readSnapshot(id) }
    func read(from position: UInt64, maximumBytes: Int) throws(JournalError) -> [JournalRecord] {
        try store.read(from: position, maximumBytes: maximumBytes)
    }
}
