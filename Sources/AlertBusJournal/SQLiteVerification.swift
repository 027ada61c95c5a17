/// What is checked before a journal is used. It only reads, so that a damaged file stays as it was found.
extension SQLiteSession {
    /// - Throws: `corrupt` with the first thing that is wrong.
    func verify() throws(JournalError) {
        let found = try connection.text("PRAGMA quick_check(1)", doing: "checking the pages") ?? "nothing"
        guard found == "ok" else { throw corrupt("its pages do not fit together: \(found)") }
        try verifyEpochs()
        try verifySequence()
    }

    private func verifyEpochs() throws(JournalError) {
        let query = try connection.prepare("SELECT epoch,position,time,checksum FROM epochs ORDER BY epoch")
        var last = JournalHead()
        while try query.step(doing: "reading epochs") {
            let next = JournalHead(position: query.unsigned(1), epoch: query.unsigned(0))
            let checksum = SQLiteFormat.checksum(epoch: next.epoch, position: next.position, time: query.integer(2))
            guard checksum == query.unsigned(3), next.position >= last.position else {
                throw corrupt("epoch \(next.epoch) is not what was written")
            }
            last = next
        }
    }

    /// Batches must follow each other without a hole, from the beginning or from before a snapshot, to the head.
    private func verifySequence() throws(JournalError) {
        let query = try connection.prepare("SELECT first,count,epoch FROM batches ORDER BY first")
        var oldest: UInt64?
        var position: UInt64 = 0
        var epoch: UInt64 = 0
        while try query.step(doing: "reading batches") {
            let first = query.unsigned(0)
            guard oldest == nil || (first == position && query.unsigned(2) >= epoch) else {
                throw corrupt("entries are missing between \(position) and \(first)")
            }
            oldest = oldest ?? first
            position = first + query.unsigned(1)
            epoch = query.unsigned(2)
        }
        let head = try readHead()
        let snapshots = try snapshots()
        let lastEpoch = try connection.integer("SELECT max(position) FROM epochs", doing: "reading epochs") ?? 0
        let known = snapshots.map(\.position).max().map { max($0, UInt64(lastEpoch)) } ?? UInt64(lastEpoch)
        guard oldest == nil || (position == head.position && known <= head.position), epoch <= head.epoch else {
            throw corrupt("its batches end at \(position), epoch \(epoch), but it is known to reach \(max(known, head.position))")
        }
        let start = oldest ?? head.position
        guard start == 0 || snapshots.contains(where: { $0.position >= start }) else {
            if let damage = try damagedSnapshots().first { throw damage.cause }
            throw corrupt("it starts at \(start) and has no snapshot to start from")
        }
        if head.position > start { _ = try read(from: head.position - 1, maximumBytes: 1) }
    }
}
