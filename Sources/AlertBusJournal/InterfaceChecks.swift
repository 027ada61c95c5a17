/// The rules of the interface that every store checks in the same way.
extension JournalError {
    /// Why batches cannot be appended after a head; nil when they can.
    package static func fault(in batches: [JournalBatch], after head: JournalHead, path: String = "") -> JournalError? {
        var position = head.position
        for batch in batches {
            guard batch.first == position, !batch.isEmpty else {
                return JournalError(
                    .invalid, path: path, detail: "a batch of \(batch.count) entries at \(batch.first) does not follow \(position)")
            }
            guard batch.bytes.count <= JournalBatch.maximumBytes else {
                return JournalError(
                    .invalid, path: path,
                    detail: "a batch has \(batch.bytes.count) bytes; the limit is \(JournalBatch.maximumBytes)")
            }
            position = batch.end
        }
        return batches.isEmpty ? JournalError(.invalid, path: path, detail: "an append has no batch") : nil
    }

    /// Checks that a position can be read.
    package static func check(
        _ position: UInt64, oldest: UInt64, head: JournalHead, path: String
    ) throws(JournalError) {
        if position < oldest {
            throw JournalError(
                .pruned(oldest: oldest), path: path, detail: "entry \(position) was deleted; the oldest is \(oldest)")
        }
        if position > head.position {
            throw JournalError(.invalid, path: path, detail: "position \(position) is after the end, \(head.position)")
        }
    }

    /// Checks that a snapshot is whole and lies within the journal.
    package static func check(
        _ content: SnapshotContent, stored: Int, head: JournalHead, path: String
    ) throws(JournalError) {
        guard stored == content.bytes.count else {
            throw JournalError(.invalid, path: path, detail: "a snapshot has \(stored) of \(content.bytes.count) bytes")
        }
        guard content.position <= head.position else {
            throw JournalError(
                .invalid, path: path, detail: "a snapshot at \(content.position) is after the end, \(head.position)")
        }
    }
}
