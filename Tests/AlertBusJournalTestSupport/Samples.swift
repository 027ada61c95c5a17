import AlertBusJournal

/// An entry that follows from its position, so that a test knows what must be there.
public func sampleEntry(_ position: UInt64, size: Int = 40) -> [UInt8] {
    (0..<max(8, size)).map { UInt8(truncatingIfNeeded: $0 < 8 ? position >> (8 * UInt64($0)) : position &+ UInt64($0)) }
}

public func sampleBatch(first: UInt64, count: Int, size: Int = 40) -> JournalBatch {
    var batch = JournalBatch(first: first, time: Int64(first))
    for offset in 0..<UInt64(count) { batch.append(sampleEntry(first + offset, size: size)) }
    return batch
}

/// Reads everything from the oldest entry, and says what is wrong with it.
/// - Returns: nil when every entry is the sample entry of its position and the end is the head.
public func faultInSamples(_ journal: some JournalReading, size: Int = 40) throws(JournalError) -> String? {
    let head = try journal.readHead()
    var follower = JournalFollower(journal, from: try journal.oldestPosition())
    while true {
        let records = try follower.next(maximumBytes: 64 << 10)
        if records.isEmpty { break }
        for record in records {
            for entry in record.batch.entries where Array(entry.bytes) != sampleEntry(entry.position, size: size) {
                return "entry \(entry.position) is not what was appended"
            }
        }
    }
    return follower.position == head.position ? nil : "the entries end at \(follower.position), the head is \(head.position)"
}
