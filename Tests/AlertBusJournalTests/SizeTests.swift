import AlertBusJournal
import AlertBusJournalTestSupport
import Testing

struct SizeTests {
    /// A million small commands with a snapshot now and then: what is deleted makes room for what comes.
    @Test func theFileStaysBounded() throws {
        let directory = JournalDirectory()
        let store = try SQLiteJournal(path: directory.journal)
        // 36 bytes, and their length before them.
        let entry: [UInt8] = [36, 0, 0, 0] + [UInt8](repeating: 5, count: 36)
        let state = [UInt8](repeating: 1, count: 100_000)
        var largest: UInt64 = 0
        for round in 1...2_000 {
            let bytes = [[UInt8]](repeating: entry, count: 500).flatMap { $0 }
            let batch = try #require(JournalBatch(first: store.head.position, count: 500, time: 0, bytes: bytes))
            guard case .committed = store.append(expected: store.head, batches: [batch]) else { break }
            if round % 100 == 0 {
                try store.storeSnapshot(
                    SnapshotContent(position: store.head.position, time: 0, digest: [], bytes: state))
            }
            _ = try store.maintain(isIdle: round % 10 == 0)
            if round % 50 == 0 { largest = max(largest, try store.statistics().bytes) }
        }
        #expect(store.head.position == 1_000_000)
        // Two snapshots' worth of batches are 4.4 MB; the log may hold 16 MiB more.
        #expect(largest < 32 << 20)
        #expect(try store.oldestPosition() > 850_000)
        store.close()
        let again = try SQLiteJournal(path: directory.journal)
        let kept = try again.read(from: again.oldestPosition(), maximumBytes: 1 << 30)
        #expect(kept.last?.batch.end == 1_000_000)
        #expect(try again.statistics().bytes < 16 << 20)
    }
}
