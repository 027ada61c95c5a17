/// What the tail of the journal says about an append that was `unknown`.
public enum Settlement: Equatable, Sendable {
    /// It is there and durable.
    case committed(JournalHead)
    /// It is not there and never will be. It can be appended again.
    case absent(JournalHead)
    /// Somebody else appended in its place, or began a later epoch.
    case conflict(JournalHead)
}

extension JournalStore {
    /// Settles an append that was `unknown` by reading the tail.
    ///
    /// - Throws: when the tail cannot be read or made durable; nothing is settled then, and it can be asked again.
    public func settle(
        expected: JournalHead, batches: [JournalBatch]
    ) throws(JournalError) -> Settlement {
        let head = try refresh()
        guard let first = batches.first, let last = batches.last else { return .absent(head) }
        if head.position < last.end {
            return head == expected ? .absent(head) : .conflict(head)
        }
        var position = first.first
        var wanted = batches[...]
        while let next = wanted.first {
            let found = try read(from: position, maximumBytes: next.bytes.count)
            for record in found {
                guard let batch = wanted.first else { break }
                guard record.batch == batch, record.epoch == expected.epoch else { return .conflict(head) }
                position = batch.end
                wanted.removeFirst()
            }
            if found.isEmpty { return .conflict(head) }
        }
        return .committed(head)
    }
}
