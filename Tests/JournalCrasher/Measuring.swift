import AlertBusJournal
import Glibc

private func now() -> UInt64 { clock_gettime_nsec() }

private func clock_gettime_nsec() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func report(_ name: String, entries: Int, seconds: Double, times: [UInt64]) {
    let sorted = times.sorted()
    func at(_ share: Double) -> UInt64 { sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / 1000 }
    let rate = Int(Double(entries) / seconds)
    print(
        "\(name): \(rate) entries/s, \(Int(Double(times.count) / seconds)) commits/s,",
        "commit p50 \(at(0.5)) p99 \(at(0.99)) p99.9 \(at(0.999)) max \(sorted.last! / 1000) µs")
}

/// The floor: the same bytes appended to a plain file with `fdatasync`.
private func measurePlainFile(path: String, size: Int, seconds: Double) {
    let descriptor = open(path + ".plain", O_CREAT | O_RDWR | O_TRUNC, 0o600)
    defer {
        close(descriptor)
        unlink(path + ".plain")
    }
    let bytes = [UInt8](repeating: 7, count: size * 254)
    var times: [UInt64] = []
    let start = now()
    while now() - start < UInt64(seconds * 1e9) {
        let before = now()
        _ = write(descriptor, bytes, bytes.count)
        fdatasync(descriptor)
        times.append(now() - before)
    }
    report("plain file, \(size) a batch", entries: times.count * size, seconds: Double(now() - start) / 1e9, times: times)
}

private func measureStore(_ name: String, path: String, size: Int, seconds: Double) throws {
    for ending in ["", "-wal", "-shm", ".lock"] { unlink(path + ending) }
    let journal = try SQLiteJournal(path: path)
    let entry = [UInt8](repeating: 7, count: 250)
    var head = journal.head
    var times: [UInt64] = []
    let start = now()
    var nextSnapshot: UInt64 = 100_000
    while now() - start < UInt64(seconds * 1e9) {
        var batch = JournalBatch(first: head.position, reservingBytes: size * 254)
        for _ in 0..<size { batch.append(entry) }
        let before = now()
        guard case .committed(let after) = journal.append(expected: head, batches: [batch]) else { return }
        if times.count % 4 == 0 { _ = try journal.maintain(isIdle: false) }
        times.append(now() - before)
        head = after
        if head.position >= nextSnapshot {
            nextSnapshot += 100_000
            try journal.storeSnapshot(SnapshotContent(position: head.position, time: 0, digest: [], bytes: entry))
        }
    }
    report(name, entries: times.count * size, seconds: Double(now() - start) / 1e9, times: times)
    print("    file and log: \(try journal.statistics().bytes >> 20) MiB")
}

func measure(path: String) {
    do {
        for size in [1, 10, 100, 300, 1000] {
            measurePlainFile(path: path, size: size, seconds: 2)
            try measureStore("SQLite, \(size) a batch", path: path, size: size, seconds: 4)
        }
    } catch {
        print(error)
    }
}
