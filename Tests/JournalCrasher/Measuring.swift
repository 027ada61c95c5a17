import AlertBusJournal
import Glibc

func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func report(_ name: String, entries: Int, seconds: Double, times: [UInt64]) {
    let sorted = times.sorted()
    func at(_ share: Double) -> UInt64 { sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / 1000 }
    let rate = Int(Double(entries) / seconds)
    print(
        "\(name): \(rate) entries/s, \(Int(Double(times.count) / seconds)) acknowledgements/s,",
        "p50 \(at(0.5)) p99 \(at(0.99)) p99.9 \(at(0.999)) max \(sorted.last! / 1000) µs")
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

/// Opening a journal of a million entries as a killed process leaves it, and reading all of them.
private func measureRestart(path: String, size: Int) throws {
    for ending in ["", "-wal", "-shm", ".lock"] { unlink(path + ending) }
    var journal: SQLiteJournal? = try SQLiteJournal(path: path)
    let entry = [UInt8](repeating: 7, count: 250)
    while let open = journal, open.head.position < 1_000_000 {
        var batches: [JournalBatch] = []
        var position = open.head.position
        for _ in 0..<1000 / size {
            var batch = JournalBatch(first: position, reservingBytes: size * 254)
            for _ in 0..<size { batch.append(entry) }
            position = batch.end
            batches.append(batch)
        }
        guard case .committed = open.append(expected: open.head, batches: batches) else { return }
        _ = try open.maintain(isIdle: false)
    }
    journal = nil
    let start = now()
    let again = try SQLiteJournal(path: path)
    let opened = now()
    var follower = JournalFollower(again, from: 0)
    var bytes = 0
    while case let records = try follower.next(), !records.isEmpty {
        for record in records { for entry in record.batch.entries { bytes += entry.bytes.count } }
    }
    print(
        "restart, \(size) a batch: opened in \((opened - start) / 1_000_000) ms,",
        "read \(bytes >> 20) MiB in \((now() - opened) / 1_000_000) ms")
}

/// A steady stream through the journal's thread: from submitting an entry to its completion.
private func measureSteady(path: String, perSecond: UInt64, seconds: UInt64) throws {
    for ending in ["", "-wal", "-shm", ".lock"] { unlink(path + ending) }
    let journal = try Journal { () throws(JournalError) in try SQLiteJournal(path: path) }
    let entry = [UInt8](repeating: 7, count: 250)
    var head = JournalHead()
    var submitted: [UInt64] = []
    var times: [UInt64] = []
    let start = now()
    let total = perSecond * seconds
    while UInt64(times.count) < total {
        let due = min(total, (now() - start) * perSecond / 1_000_000_000)
        while head.position < due {
            var batch = JournalBatch(first: head.position, reservingBytes: 254)
            batch.append(entry)
            submitted.append(now())
            journal.append(JournalToken(head.position), expected: head, batches: [batch])
            head.position += 1
        }
        var wait = pollfd(fd: journal.completionDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0 else {
            usleep(20)
            continue
        }
        for completion in journal.takeCompletions() {
            guard case .append(let token, .committed) = completion else { continue }
            times.append(now() - submitted[Int(token.number)])
        }
    }
    report("steady \(perSecond)/s through the thread", entries: times.count, seconds: Double(now() - start) / 1e9, times: times)
}

func measure(path: String) {
    do {
        try measureSteady(path: path, perSecond: 5_000, seconds: 10)
        try measureSteady(path: path, perSecond: 50_000, seconds: 4)
        for size in [1, 100] { try measureRestart(path: path, size: size) }
        for size in [1, 10, 100, 300, 1000] {
            measurePlainFile(path: path, size: size, seconds: 2)
            try measureStore("SQLite, \(size) a batch", path: path, size: size, seconds: 4)
        }
    } catch {
        print(error)
    }
}
