import AlertBusJournal
import Glibc

/// How long commits take while they come without a pause, with the log moved by the thread that commits, at 16 MiB, and by
/// the thread that is there for it. Both in turn on the same disk.
func measureCheckpoints(path: String, seconds: Double) {
    let rounds = 3
    do {
        for size in [1, 10, 100, 1000] {
            var inline = Commits()
            var apart = Commits()
            for _ in 0..<rounds {
                try commit(path, size, seconds / Double(rounds), inline: true, into: &inline)
                try commit(path, size, seconds / Double(rounds), inline: false, into: &apart)
            }
            print("\(size) entries of 250 bytes a commit")
            inline.report("  moved by the committing thread", size)
            apart.report("  moved by a thread of its own  ", size)
            let shares = [0.5, 0.99, 0.999, 1].map { share in
                "\(Double(apart.at(share) * 100 / max(1, inline.at(share))) / 100)"
            }
            print("  ratio p50 \(shares[0]) p99 \(shares[1]) p99.9 \(shares[2]) max \(shares[3])")
        }
    } catch {
        print(error)
    }
}

private struct Commits {
    var times: [UInt64] = []
    var seconds = 0.0
    var largestLog = 0
    private var sorted: [UInt64] = []

    mutating func add(_ more: [UInt64], _ seconds: Double) {
        times += more
        sorted = times.sorted()
        self.seconds += seconds
    }

    func at(_ share: Double) -> UInt64 {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / 1000
    }

    func report(_ name: String, _ size: Int) {
        print(
            "\(name): \(Int(Double(times.count * size) / seconds)) entries/s,",
            "p50 \(at(0.5)) p99 \(at(0.99)) p99.9 \(at(0.999)) max \(at(1)) µs, log \(largestLog >> 8) MiB at most")
    }
}

private func commit(_ path: String, _ size: Int, _ seconds: Double, inline: Bool, into commits: inout Commits) throws {
    for ending in ["", "-wal", "-shm", ".lock"] { unlink(path + ending) }
    var options = SQLiteJournal.Options()
    let pages = 1024
    if inline { options.checkpointPages = 1 << 40 }
    let journal = try SQLiteJournal(path: path, options: options)
    defer { journal.close() }
    let entry = [UInt8](repeating: 7, count: 250)
    var times: [UInt64] = []
    var nextSnapshot: UInt64 = 100_000
    let start = now()
    while now() - start < UInt64(seconds * 1e9) {
        let head = journal.head
        var batch = JournalBatch(first: head.position, reservingBytes: size * 254)
        for _ in 0..<size { batch.append(entry) }
        let before = now()
        guard case .committed = journal.append(expected: head, batches: [batch]) else { return }
        if times.count % 4 == 0 {
            if inline, journal.logPages >= pages { try journal.moveLog() } else { _ = try journal.maintain(isIdle: false) }
        }
        times.append(now() - before)
        commits.largestLog = max(commits.largestLog, journal.logPages)
        if journal.head.position >= nextSnapshot {
            nextSnapshot += 100_000
            try journal.storeSnapshot(SnapshotContent(position: journal.head.position, time: 0, digest: [], bytes: entry))
        }
    }
    commits.add(times, Double(now() - start) / 1e9)
}
