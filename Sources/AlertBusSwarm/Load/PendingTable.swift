/// A command that waits for its reply.
struct PendingCommand {
    enum Kind: UInt8 { case raise, update, withdraw, answer, dismiss, status }

    /// Its `ref`; 0 marks a free place.
    var number: UInt64 = 0
    var kind = Kind.raise
    /// The connection that sends it.
    var line: Int32 = 0
    /// The alert that it is about.
    var alert: UInt64 = 0
    var intended: UInt64 = 0
    var sent: UInt64 = 0
    /// When it was sent last.
    var lastSent: UInt64 = 0
    /// Its place among the commands of its connection.
    var order: UInt64 = 0
    var resends: UInt32 = 0
}

/// The places of all commands without a reply. A number has a place and the count of its uses, as in `AlertTable`.
final class PendingTable {
    private(set) var commands: UnsafeMutablePointer<PendingCommand>
    private(set) var capacity: Int
    private var free: [Int32]
    private var uses: [UInt32]
    private(set) var count = 0

    private static let placeBits: UInt64 = 24

    init(capacity: Int = 1024) {
        self.capacity = capacity
        commands = .allocate(capacity: capacity)
        commands.initialize(repeating: PendingCommand(), count: capacity)
        uses = [UInt32](repeating: 0, count: capacity)
        free = (0..<Int32(capacity)).reversed()
    }

    deinit { commands.deallocate() }

    func add(_ kind: PendingCommand.Kind, line: Int) -> Int {
        if free.isEmpty { grow() }
        let place = Int(free.removeLast())
        uses[place] &+= 1
        count += 1
        commands[place] = PendingCommand()
        commands[place].number = UInt64(uses[place]) << Self.placeBits | UInt64(place)
        commands[place].kind = kind
        commands[place].line = Int32(line)
        return place
    }

    func remove(_ place: Int) {
        commands[place].number = 0
        free.append(Int32(place))
        count -= 1
    }

    @inline(__always)
    func place(of number: UInt64) -> Int? {
        let place = Int(truncatingIfNeeded: number & (1 << Self.placeBits - 1))
        guard place < capacity, number != 0, commands[place].number == number else { return nil }
        return place
    }

    private func grow() {
        let more = capacity * 2
        precondition(more <= 1 << 24, "the windows bound how many commands wait")
        let larger = UnsafeMutablePointer<PendingCommand>.allocate(capacity: more)
        larger.moveInitialize(from: commands, count: capacity)
        (larger + capacity).initialize(repeating: PendingCommand(), count: more - capacity)
        commands.deallocate()
        commands = larger
        uses += [UInt32](repeating: 0, count: more - capacity)
        free = (Int32(capacity)..<Int32(more)).reversed()
        capacity = more
    }
}
