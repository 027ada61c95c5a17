import AlertBusJournal
import AlertBusJournalTestSupport
import Testing

/// How much of the past stays, and that what stays can always be replayed.
struct HistoryTests {
    private static let day: Int64 = 86_400_000
    let directory = JournalDirectory()

    /// 40 snapshots, a day and about 100,000 bytes of batches between two.
    private func live(_ retention: Retention, check: (SQLiteJournal) throws -> Void = { _ in }) throws -> SQLiteJournal {
        var options = SQLiteJournal.Options()
        options.retention = retention
        let store = try SQLiteJournal(path: directory.journal, options: options)
        for day in 0..<40 {
            for part in 0..<10 {
                var batch = JournalBatch(first: store.head.position, time: Int64(day) * Self.day + Int64(part))
                for _ in 0..<10 { batch.append([UInt8](repeating: 7, count: 1000)) }
                guard case .committed = store.append(expected: store.head, batches: [batch]) else {
                    Issue.record("a batch was not taken")
                    return store
                }
            }
            try store.storeSnapshot(
                SnapshotContent(position: store.head.position, time: 0, digest: [], bytes: [UInt8](repeating: 1, count: 1000)))
            var steps = 0
            while try store.maintain(isIdle: true), steps < 1000 {
                store.waitForCheckpointer()
                steps += 1
            }
            #expect(steps < 1000, "housekeeping comes to an end")
            try check(store)
        }
        #expect(store.head.position == 4000)
        return store
    }

    /// There is a state from which everything after it can be replayed.
    private func isWhole(_ store: SQLiteJournal) throws -> Bool {
        let oldest = try store.oldestPosition()
        let positions = try store.snapshots().map(\.position)
        return oldest == 0 || positions.contains { $0 >= oldest }
    }

    @Test func withoutHistoryOnlyTheNewestSnapshotsStay() throws {
        let store = try live(Retention(snapshots: 2))
        #expect(try store.snapshots().map(\.position) == [4000, 3900])
        #expect(try store.oldestPosition() == 3900)
    }

    @Test func withoutALimitEverythingStays() throws {
        let store = try live(Retention(snapshots: 2, history: .init()))
        #expect(try store.snapshots().count == 40)
        #expect(try store.oldestPosition() == 0)
    }

    @Test func aLimitOfBytesIsKept() throws {
        let limit = 1 << 20
        let store = try live(Retention(snapshots: 2, history: .init(bytes: limit))) { store in
            let bytes = try store.statistics().bytes
            let isWhole = try isWhole(store)
            #expect(bytes <= UInt64(limit + (1 << 20)), "the log may hold as much again")
            #expect(isWhole)
        }
        let kept = try store.snapshots()
        #expect(kept.count >= 3 && kept.count < 12)
        #expect(try store.oldestPosition() == kept.last?.position)
    }

    @Test func aLimitOfAgeIsKept() throws {
        let store = try live(Retention(snapshots: 2, history: .init(age: 10 * Self.day))) { store in
            let isWhole = try isWhole(store)
            #expect(isWhole)
        }
        let oldest = try store.read(from: store.oldestPosition(), maximumBytes: 1)[0].batch.time
        #expect(oldest >= 28 * Self.day && oldest <= 30 * Self.day)
    }

    @Test func theNewestSnapshotsStayWhateverTheLimit() throws {
        let store = try live(Retention(snapshots: 3, history: .init(bytes: 1, age: 1)))
        #expect(try store.snapshots().map(\.position) == [4000, 3900, 3800])
        #expect(try store.oldestPosition() == 3800)
        let last = try store.read(from: 3800, maximumBytes: 1 << 30).last
        #expect(last?.batch.end == 4000)
    }

    @Test func aNewerFormatOfTheEntriesIsRefused() throws {
        var options = SQLiteJournal.Options()
        // As a journal from before the format was noted.
        try SQLiteJournal(path: directory.journal, options: options).close()
        for format in [1, 3] {
            options.contentFormat = format
            try SQLiteJournal(path: directory.journal, options: options).close()
        }
        options.contentFormat = 2
        let chosen = options
        let error = #expect(throws: JournalError.self) { _ = try SQLiteJournal(path: directory.journal, options: chosen) }
        #expect(error?.kind == .newerFormat(found: 3, supported: 2))
        #expect(throws: JournalError.self) { _ = try SQLiteJournalReader(path: directory.journal, contentFormat: 2) }
        #expect(try SQLiteJournalReader(path: directory.journal, contentFormat: 3).readHead().position == 0)
    }
}
