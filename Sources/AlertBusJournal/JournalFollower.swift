/// Reads a journal from a position to its end, and then what is appended later.
///
/// It holds no lock between two calls. When it is at the end it returns nothing; ask again when something was appended.
public struct JournalFollower<Reader: JournalReading> {
    private let reader: Reader
    /// The position of the next entry to be returned.
    public private(set) var position: UInt64

    public init(_ reader: Reader, from position: UInt64) {
        self.reader = reader
        self.position = position
    }

    /// The next batches in order, about `maximumBytes` of them; empty at the end of the journal.
    ///
    /// The first batch after the start may begin before `position`: skip the entries of it that are older.
    /// - Throws: `pruned` when what comes next was deleted: go on from a snapshot.
    public mutating func next(maximumBytes: Int = 4 << 20) throws(JournalError) -> [JournalRecord] {
        let records = try reader.read(from: position, maximumBytes: maximumBytes)
        if let last = records.last { position = last.batch.end }
        return records
    }
}
