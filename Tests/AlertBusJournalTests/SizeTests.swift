import AlertBusJournal
import AlertBusJournalTestSupport
import Testing

struct SizeTests {
    /// A million small commands with a snapshot now and then: what is deleted makes room for what comes.
    @Test func theFileStaysBounded() throws {
        let directory = JournalDirectory()
        let store = try SQLiteJournal(path: directory.journal)
        let state = [UInt8](repeating: 1, count: 100_000)
        var largest: UInt64 = 0
        for round in 1...2_000 {
            let batch = sampleBatch(first: store.head.position, count: 500, size: 40)
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
        #expect(try faultInSamples(again) == nil)
        #expect(try again.statistics().bytes < 16 << 20)
    }
}
