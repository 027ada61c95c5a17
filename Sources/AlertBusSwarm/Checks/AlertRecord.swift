import AlertBusModel

/// All that a swarm remembers of one alert until everything about it has been seen and compared.
struct AlertRecord {
    struct Flags: OptionSet {
        let rawValue: UInt16
        static let accepted = Flags(rawValue: 1)
        /// Its producer heard that it ended.
        static let ended = Flags(rawValue: 2)
        static let onScreen = Flags(rawValue: 4)
        /// Something about it could not be heard or seen for a good reason, such as a connection that was closed on purpose: it is not
        /// counted how often it was shown.
        static let uncertain = Flags(rawValue: 8)
        static let withdrawing = Flags(rawValue: 16)
        /// In its producer's list of living alerts.
        static let listed = Flags(rawValue: 32)
        /// It was shown at least once.
        static let seen = Flags(rawValue: 64)
        /// The arbiter was asked where it stands, because its end is overdue.
        static let asked = Flags(rawValue: 128)
    }

    /// Its number, which its key says; 0 marks a free place.
    var number: UInt64 = 0
    var instance: UInt64 = 0
    /// When its raise was due and when it was sent, in nanoseconds.
    var intended: UInt64 = 0
    var sent: UInt64 = 0
    var producer: Int32 = 0
    var surface: Int32 = 0
    /// Neighbours in the list of its producer's living alerts; -1 is none.
    var previous: Int32 = -1
    var next: Int32 = -1
    /// How often its producer was told that it is on the screen, and how often the stream showed and hid it.
    var told: UInt32 = 0
    var shows: UInt32 = 0
    var hides: UInt32 = 0
    var revision: UInt32 = 0
    /// Commands about it that are not answered.
    var pending: UInt32 = 0
    var kind: UInt8 = 0
    var flags: Flags = []
    var reason = Reason.raised
    /// The numbers of what a person sent, of what the arbiter confirmed, and of what its producer heard; 0 is none.
    var answer: UInt64 = 0
    var confirmed: UInt64 = 0
    var heard: UInt64 = 0
    /// When the answer was due and when it was sent.
    var answerIntended: UInt64 = 0
    var answerSent: UInt64 = 0
    /// How many elections its surface had seen when it was covered.
    var coveredAt: UInt64 = 0
}

/// The places of all living alerts. A number has a place and the count of its uses, so that what comes late is known to be late.
final class AlertTable {
    private(set) var records: UnsafeMutablePointer<AlertRecord>
    private(set) var capacity: Int
    private var free: [Int32] = []
    private var uses: [UInt32] = []
    private(set) var count = 0

    private static let placeBits: UInt64 = 24
    static let limit = 1 << 24

    init(capacity: Int = 1024) {
        self.capacity = capacity
        records = .allocate(capacity: capacity)
        records.initialize(repeating: AlertRecord(), count: capacity)
        uses = [UInt32](repeating: 0, count: capacity)
        free = (0..<Int32(capacity)).reversed()
    }

    deinit { records.deallocate() }

    /// A free place with a number of its own; nil when sixteen million are living.
    func add() -> Int? {
        if free.isEmpty && !grow() { return nil }
        let place = Int(free.removeLast())
        uses[place] &+= 1
        count += 1
        records[place] = AlertRecord()
        records[place].number = UInt64(uses[place]) << Self.placeBits | UInt64(place)
        return place
    }

    func remove(_ place: Int) {
        records[place].number = 0
        free.append(Int32(place))
        count -= 1
    }

    /// The place of a number that is in use; nil when its alert is over, or never was.
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
        let larger = UnsafeMutablePointer<AlertRecord>.allocate(capacity: more)
        larger.moveInitialize(from: records, count: capacity)
        (larger + capacity).initialize(repeating: AlertRecord(), count: more - capacity)
        records.deallocate()
        records = larger
        uses += [UInt32](repeating: 0, count: more - capacity)
        free = (Int32(capacity)..<Int32(more)).reversed()
        capacity = more
        return true
    }
}
