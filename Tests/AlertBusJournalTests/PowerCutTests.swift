import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import TestSupport
import Testing

/// The power goes at some call; only what was synchronised is certain to be on disk.
struct PowerCutTests {
    @Test(arguments: [false, true]) func whatWasAcknowledgedIsThere(withFailedSynchronisations: Bool) throws {
        let directory = JournalDirectory()
        try SQLiteJournal(path: directory.journal).close()
        let image = PowerCut(before: directory.files())
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        options.retention = Retention(snapshots: 1)
        options.checkpointPages = 12
        faulty.startRecording()
        // After so many operations so much was acknowledged.
        var acknowledged: [(operations: Int, head: JournalHead)] = [(0, JournalHead())]
        let store = try SQLiteJournal(path: directory.journal, options: options)
        func note() { acknowledged.append((faulty.operations.count, store.head)) }
        for round in 0..<40 {
            if withFailedSynchronisations && round % 6 == 5 { faulty.set(.init(after: 2 + round % 7, errno: EIO)) }
            let batch = sampleBatch(first: store.head.position, count: 1 + round % 5, size: round % 9 == 3 ? 5000 : 40)
            if case .committed = store.append(expected: store.head, batches: [batch]) { note() }
            if round % 13 == 12 {
                try? store.storeSnapshot(
                    SnapshotContent(position: store.head.position, time: 0, digest: [], bytes: batch.bytes))
            }
            _ = try? store.maintain(isIdle: false)
            if withFailedSynchronisations {
                faulty.set(nil)
                try store.probe()
                note()
            }
        }
        store.close()
        let operations = faulty.operations
        var chance = SplitMix64(seed: 42)
        for cut in stride(from: 1, through: operations.count, by: 3) {
            let head = acknowledged.last { $0.operations <= cut }!.head
            // The lock's note is not part of the journal: it may be gone too.
            directory.replace(
                with: image.files(after: operations.prefix(cut), chance: &chance).filter { !$0.key.hasSuffix(".lock") })
            let again = try SQLiteJournal(path: directory.journal)
            #expect(again.head.position >= head.position, "cut after \(cut)")
            #expect(again.head.epoch >= head.epoch, "cut after \(cut)")
            var follower = JournalFollower(again, from: try again.oldestPosition())
            while case let records = try follower.next(), !records.isEmpty {
                for entry in records.flatMap({ Array($0.batch.entries) }) {
                    let isWhole = [40, 5000].contains { Array(entry.bytes) == sampleEntry(entry.position, size: $0) }
                    #expect(isWhole, "cut after \(cut)")
                }
            }
            #expect(follower.position == again.head.position, "cut after \(cut)")
        }
    }
}
