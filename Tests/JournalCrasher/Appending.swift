import AlertBusJournal
import Glibc

/// Entry n holds n and bytes that follow from it, so that a reader can tell whether it is whole.
func crasherEntry(_ position: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
        + [UInt8](repeating: UInt8(truncatingIfNeeded: position), count: Int(position % 700))
}

/// Appends batches and snapshots without end. Writes "committed N" after each acknowledgement.
func appendUntilKilled(path: String) {
    do {
        var options = SQLiteJournal.Options()
        options.checkpointPages = 64
        let journal = try SQLiteJournal(path: path, options: options)
        guard case .committed(var head) = journal.beginEpoch(expected: journal.head, time: 0) else { exit(3) }
        var round: UInt64 = 0
        while true {
            var batch = JournalBatch(first: head.position)
            for position in head.position..<head.position + 1 + round % 50 { batch.append(crasherEntry(position)) }
            guard case .committed(let after) = journal.append(expected: head, batches: [batch]) else { exit(4) }
            head = after
            let line = Array("committed \(head.position) \(head.epoch)\n".utf8)
            _ = write(1, line, line.count)
            round += 1
            if round % 40 == 0 {
                let state = [UInt8](repeating: UInt8(truncatingIfNeeded: head.position), count: 300_000)
                try journal.storeSnapshot(SnapshotContent(position: head.position, time: 0, digest: [1], bytes: state))
            }
            _ = try journal.maintain(isIdle: round % 7 == 0)
        }
    } catch {
        print(error)
        exit(5)
    }
}
