/// What a table keeps at a place: 0 as its number marks a free one.
protocol Numbered {
    init()
    var number: UInt64 { get set }
}

/// Records at places that are used again. A number has a place and the count of its uses, so that what comes late is known to be late.
final class NumberedTable<Record: Numbered> {
    private(set) var records: UnsafeMutablePointer<Record>
    private(set) var capacity: Int
    private var free: [Int32]
    private var uses: [UInt32]
    private(set) var count = 0

    private static var placeBits: UInt64 { 24 }
    static var limit: Int { 1 << 24 }

    init(capacity: Int = 1024) {
        self.capacity = capacity
        records = .allocate(capacity: capacity)
        records.initialize(repeating: Record(), count: capacity)
        uses = [UInt32](repeating: 0, count: capacity)
        free = (0..<Int32(capacity)).reversed()
    }

    deinit { records.deallocate() }

    /// A free place with a number of its own; nil when sixteen million are in use.
    func add() -> Int? {
        if free.isEmpty && !grow() { return nil }
        let place = Int(free.removeLast())
        uses[place] &+= 1
        count += 1
        records[place] = Record()
        records[place].number = UInt64(uses[place]) << Self.placeBits | UInt64(place)
        return place
    }

    func remove(_ place: Int) {
        records[place].number = 0
        free.append(Int32(place))
        count -= 1
    }

    /// The place of a number that is in use; nil when it is over, or never was.
    @inline(__always)
    func place(of number: UInt64) -> Int? {
        let place = Int(truncatingIfNeeded: number & (1 << Self.placeBits - 1))
        guard place < capacity, number != 0, records[place].number == number else { return nil }
        return place
    }

    /// Whether this table ever gave out the number.
    func hasGiven(_ number: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: number & (1 << Self.placeBits - 1))
        let use = number >> Self.placeBits
        return place < capacity && use > 0 && use <= UInt64(uses[place])
    }

    private func grow() -> Bool {
        let more = min(capacity * 2, Self.limit)
        guard more > capacity else { return false }
        let larger = UnsafeMutablePointer<Record>.allocate(capacity: more)
        larger.moveInitialize(from: records, count: capacity)
        (larger + capacity).initialize(repeating: Record(), count: more - capacity)
        records.deallocate()
        records = larger
        uses += [UInt32](repeating: 0, count: more - capacity)
        free = (Int32(capacity)..<Int32(more)).reversed()
        capacity = more
        return true
    }
}
