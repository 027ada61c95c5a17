import AlertBusMeasure
import AlertBusModel
import AlertBusWire
import CLinux
import ZeroMQ

/// A load test from one process: many producers, screens and people, driven by one thread, and checked while it runs.
///
/// One thread sees everything, so what a producer was told and what a screen was shown is compared without locks; several processes
/// share the work where one thread is too slow.
package final class Swarm {
    let options: SwarmOptions
    let hooks: SwarmHooks
    let ledger: Ledger
    let pending = NumberedTable<PendingCommand>()
    let composer: RequestComposer
    let decoder = ServerMessageDecoder()
    let descriptors: DescriptorSet
    let maker: LineMaker
    var lines: [Line] = []
    var measured = Measurements()
    var timers = TimerHeap()
    var random: SeededGenerator
    var message = Message()

    // Of producers, by their local numbers.
    var outstanding: [Int]
    var raising: [Int]
    var owed: [Int]
    var turns: [UInt64]
    var orders: [UInt64]
    /// Producers that have something to send, and whether each is among them.
    var runnable: [Int] = []
    var isRunnable: [Bool]

    // Of subscribers, by their local numbers: which cursors are theirs.
    var firstCursor: [Int] = []
    /// What came of a snapshot so far, by cursor.
    var parts: [UInt64] = []

    var dirty: [Int] = []
    var greeting: [Int] = []
    /// Commands that were sent again, for which a second reply may come.
    var resent: Set<UInt64> = []
    var nextPing: UInt64 = 0
    var pingPlace = 0
    var arbiter: (resident: UInt64?, descriptors: UInt64?) = (nil, nil)
    var violations: UInt64 = 0
    var failure: SwarmError?
    var repairs: [Repair] = []

    /// Zero until the load begins.
    var origin: UInt64 = 0
    var end: UInt64 = .max
    var loadedUntil: UInt64 = 0
    var nextSecond: UInt64 = 0
    /// In milliseconds since 1970.
    var startedAt: UInt64 = 0
    var dispatched: UInt64 = 0
    var isLoading = false
    var isWithdrawing = false
    let rate: Double
    let weights: (raise: Int, update: Int, all: Int)
    let kindWeights: [Int]

    package init(_ options: SwarmOptions, _ hooks: SwarmHooks = SwarmHooks()) throws(SwarmError) {
        self.options = options
        self.hooks = hooks
        let count = options.ownProducers + options.ownSubscribers + 1
        try Self.raiseLimit(connections: count)
        _ = linux_set_timer_slack(1)
        do throws(ZMQError) {
            maker = LineMaker(
                // Closed ones count until libzmq has done away with them.
                context: try Context(maxSockets: min(65_000, count * 4 + 256)), endpoint: options.requests, keys: options.keys)
        } catch {
            throw .socket(error)
        }
        descriptors = try DescriptorSet()
        ledger = Ledger(options)
        composer = RequestComposer(options)
        random = SeededGenerator(seed: options.seed &* 1_000_003 &+ UInt64(options.share.index))
        outstanding = [Int](repeating: 0, count: options.ownProducers)
        raising = outstanding
        owed = outstanding
        turns = [UInt64](repeating: 0, count: options.ownProducers)
        orders = turns
        isRunnable = [Bool](repeating: false, count: options.ownProducers)
        rate = options.ownRate
        let load = options.profile.load
        weights = (load.raise, load.raise + load.update, load.raise + load.update + load.withdraw)
        var sum = 0
        kindWeights = options.profile.kinds.map { kind in
            sum += kind.weight
            return sum
        }
    }

    /// Two for each connection, one for its mailbox and one for its wire, and some for everything else.
    private static func raiseLimit(connections: Int) throws(SwarmError) {
        let needed = connections * 2 + 64
        let limit: FileDescriptorLimit
        do throws(ZMQError) { limit = try FileDescriptorLimit.raise() } catch { throw .socket(error) }
        if limit.soft < UInt64(needed) { throw .tooFewDescriptors(needed: needed, limit: Int(clamping: limit.soft)) }
    }

    /// Connects, loads, waits for the end of every alert, and tells what was found.
    package func run() throws(SwarmError) -> SwarmReport {
        do throws(ZMQError) {
            try open()
            if try connect() {
                try load()
                try drain()
            }
        } catch {
            throw .socket(error)
        }
        if let failure { throw failure }
        return report()
    }

    // MARK: One turn

    /// Does everything that is due, and waits for what comes next at most so long.
    func turn(_ patience: UInt64 = 100_000_000) throws(ZMQError) {
        var now = SwarmClock.nanoseconds()
        try fire(due: now)
        if isLoading { dispatch(due: now) }
        if !runnable.isEmpty { try runProducers() }
        if !greeting.isEmpty { try greet() }
        try ping(at: now)
        let waiting = dirty
        dirty.removeAll(keepingCapacity: true)
        for place in waiting { lines[place].isDirty = false }
        for place in waiting where !lines[place].isSlow { try receive(lines[place]) }
        now = SwarmClock.nanoseconds()
        var wake = min(now + patience, timers.next, nextPing)
        if isLoading { wake = min(wake, nextDue, end) }
        if origin > 0 { wake = min(wake, nextSecond) }
        if !dirty.isEmpty { wake = now }
        if !runnable.isEmpty || !greeting.isEmpty { wake = min(wake, now + 1_000_000) }
        ready.removeAll(keepingCapacity: true)
        descriptors.wait(nanoseconds: wake > now ? wake - now : 0) { ready.append($0) }
        // Screens first: what was published before a reply is seen before the reply lets more be sent.
        for place in ready where !lines[place].isProducer { try receive(lines[place]) }
        for place in ready where lines[place].isProducer { try receive(lines[place]) }
    }

    private var ready: [Int] = []

    func markDirty(_ line: Line) {
        guard !line.isDirty else { return }
        line.isDirty = true
        dirty.append(line.place)
    }
}
