@testable import AlertBusJournal
import AlertBusJournalTestSupport
import TestSupport
import Testing

/// Bytes that changed and files that lost their end: found, and never read as something else.
struct DamageTests {
    /// A journal as a killed process leaves it: some of it in the file, some in the log, the lock's note beside it.
    private func killedJournal(_ directory: JournalDirectory) throws -> [String: [UInt8]] {
        let store = try SQLiteJournal(path: directory.journal)
        _ = store.beginEpoch(expected: store.head, time: 0)
        for round in 0..<30 {
            let batch = sampleBatch(first: store.head.position, count: 5 + round % 7, size: 300)
            guard case .committed = store.append(expected: store.head, batches: [batch]) else { break }
            if round == 15 {
                try store.storeSnapshot(SnapshotContent(position: 20, time: 0, digest: [7], bytes: batch.bytes))
                _ = try store.refresh()
            }
        }
        return directory.files()
    }

    private enum Verdict: Equatable {
        case found
        case harmless
        case silent(String)
    }

    /// What comes of reading everything.
    private func verdict(_ directory: JournalDirectory, head: JournalHead) -> Verdict {
        do throws(JournalError) {
            let store = try SQLiteJournal(path: directory.journal)
            if store.head != head { return .silent("the head is \(store.head)") }
            if let fault = try faultInSamples(store, size: 300) { return .silent(fault) }
            if try store.oldestPosition() != 0 { return .silent("it does not start at 0") }
            for snapshot in try store.snapshots() { _ = try store.readSnapshot(snapshot.id) }
            return .harmless
        } catch {
            return .found
        }
    }

    @Test(arguments: ["", "-wal"]) func aFlippedByteIsFound(ending: String) throws {
        let directory = JournalDirectory()
        let files = try killedJournal(directory)
        let reader = try SQLiteJournalReader(path: directory.journal)
        let head = try reader.readHead()
        let path = directory.journal + ending
        let good = try #require(files[path])
        #expect(good.count > 30_000)
        var chance = SplitMix64(seed: 7)
        // All of the first header, which holds what everything hangs on, and then samples.
        var positions = Array(0..<100)
        while positions.count < 500 { positions.append(Int(chance.next() % UInt64(good.count))) }
        var found = 0
        for position in positions {
            var damaged = files
            let change = UInt8(truncatingIfNeeded: chance.next() % 255 + 1)
            damaged[path]![position] ^= change
            directory.replace(with: damaged)
            switch verdict(directory, head: head) {
            case .found: found += 1
            case .harmless: break
            case .silent(let fault): Issue.record("byte \(position) changed by \(change): \(fault)")
            }
        }
        #expect(found > 50)
    }

    /// A header of 32 bytes, then pages with 24 bytes before each that begin with its number.
    private func pagesInLog(_ log: [UInt8]) -> Set<Int> {
        Set(
            stride(from: 32, to: log.count, by: 24 + SQLiteFormat.pageSize).map { start in
                log[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            })
    }

    @Test(arguments: ["", "-wal"]) func aShortFileIsFound(ending: String) throws {
        let directory = JournalDirectory()
        let files = try killedJournal(directory)
        let head = try SQLiteJournalReader(path: directory.journal).readHead()
        let path = directory.journal + ending
        let good = try #require(files[path])
        let logged = pagesInLog(try #require(files[directory.journal + "-wal"]))
        #expect(logged.count < good.count / SQLiteFormat.pageSize || ending == "-wal")
        for size in stride(from: 0, to: good.count, by: 509) {
            var damaged = files
            damaged[path] = Array(good.prefix(size))
            directory.replace(with: damaged)
            let verdict = verdict(directory, head: head)
            // Pages of which the log holds a newer version are not missed.
            let first = size / SQLiteFormat.pageSize + 1
            let isLogged = ending == "" && (first...good.count / SQLiteFormat.pageSize).allSatisfy(logged.contains)
            let expected = isLogged ? Verdict.harmless : .found
            #expect(verdict == expected, "\(size) of \(good.count) bytes left")
        }
    }

    /// Without the lock's note, as after a power cut, a torn end of the log loses whole batches from the end, no more.
    @Test func aTornLogLosesOnlyTheEnd() throws {
        let directory = JournalDirectory()
        let files = try killedJournal(directory).filter { !$0.key.hasSuffix(".lock") }
        let head = try SQLiteJournalReader(path: directory.journal).readHead()
        let good = try #require(files[directory.journal + "-wal"])
        var last: UInt64 = 0
        for size in stride(from: 0, through: good.count, by: 1021) {
            var damaged = files
            damaged[directory.journal + "-wal"] = Array(good.prefix(size))
            directory.replace(with: damaged)
            let store = try SQLiteJournal(path: directory.journal)
            #expect(try faultInSamples(store, size: 300) == nil)
            #expect(store.head.position >= last)
            last = store.head.position
        }
        directory.replace(with: files)
        #expect(try SQLiteJournal(path: directory.journal).head == head)
    }

    @Test func damageLeavesTheFilesAsTheyWere() throws {
        let directory = JournalDirectory()
        var files = try killedJournal(directory)
        files[directory.journal + "-wal"]![5000] ^= 1
        directory.replace(with: files)
        #expect(throws: JournalError.self) { try SQLiteJournal(path: directory.journal) }
        let after = directory.files()
        for ending in ["", "-wal"] { #expect(after[directory.journal + ending] == files[directory.journal + ending]) }
    }
}
