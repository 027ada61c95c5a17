import AlertBusConfiguration
import AlertBusModel
import ZeroMQ

/// One connection of a peer, from its first message on. libzmq gives a reconnected peer a new one.
final class Session {
    /// Told to the peer, so that it sees that a new connection is not the old one. Never a routing id.
    let number: UInt64
    let peer: RoutingID
    /// Its messages come with an empty delimiter, as from REQ. It gets no message that it did not ask for,
    /// unless it subscribed.
    @exclusivity(unchecked) var isDelimited = false
    @exclusivity(unchecked) var lastHeard: Milliseconds
    /// When it was last tried whether a silent one is still there.
    var probedAt: Milliseconds
    /// The key that its connection showed; "" without CURVE.
    var key = ""
    /// What the key may do; nil when it is not listed, and where there is no list.
    @exclusivity(unchecked) var client: ClientPermissions? { didSet { hasClient = client != nil } }
    /// To be asked first: whoever looks at `client` copies it.
    @exclusivity(unchecked) private(set) var hasClient = false
    var identity: String { client?.name ?? "" }
    /// For hanging up.
    var connection: ConnectionTable.Ticket?
    /// The first messages could not tell which that is.
    @exclusivity(unchecked) var awaitsConnection = false

    /// What it is sent.
    @exclusivity(unchecked) var scopes: [SurfaceScope] = []
    /// What it asked for so far. `scopes` follows when the journal has what came before.
    @exclusivity(unchecked) var asked: [SurfaceScope] = []
    /// How far it is, by surface.
    var screens: [Int: ScreenProgress] = [:]
    /// Streams whose position changed since its last pong.
    @exclusivity(unchecked) var unreported: [ScreenProgress] = []

    @exclusivity(unchecked) var bucket: TokenBucket?
    var snapshotBucket: TokenBucket?

    @exclusivity(unchecked) var provides: [String] = []
    @exclusivity(unchecked) var ownsClosers = false

    /// What could not be sent yet.
    @exclusivity(unchecked) var backlog = Backlog()
    /// What libzmq could not hand to the system yet.
    let queued = QueuedBytes()
    /// The backlog was dropped; it needs snapshots of its scopes when it takes messages again.
    @exclusivity(unchecked) var needsSnapshot = false
    /// These snapshots are on their way to it.
    var isResuming = false
    /// Counts the losses, so that what was on the way to it at one is known and left out.
    private(set) var generation: UInt32 = 0
    /// Among those to whom something is offered again.
    var isBehind = false
    /// It took something of that the last time.
    var isCatchingUp = false
    var resyncs: UInt64 = 0
    @exclusivity(unchecked) var isGone = false

    /// Its replies in the batch that is being sent: for `RepliesByPeer`.
    @exclusivity(unchecked) var firstReply = RepliesByPeer.none
    @exclusivity(unchecked) var lastReply = RepliesByPeer.none

    /// Replies in parts that are not finished, oldest first.
    var replies: [PartedReply] = []
    /// Among those whose replies go on.
    var isReplying = false
    /// Parts that the journal holds back.
    var bytesInFlight = 0
    /// Subscriptions whose snapshot was lost, with the `ref` under which it is awaited.
    var unanswered: [SurfaceScope: [UInt8]] = [:]

    /// From sending to the confirmation that it was drawn, in microseconds; nil before the first one.
    private(set) var timeToScreen: Histogram?

    init(number: UInt64, peer: RoutingID, at now: Milliseconds) {
        self.number = number
        self.peer = peer
        lastHeard = now
        probedAt = now
    }

    /// It listens to no surface, and did not ask to.
    var hearsNothing: Bool { scopes.isEmpty && asked.isEmpty }

    var wantsUnasked: Bool { !isDelimited || !scopes.isEmpty || !provides.isEmpty }

    func noteTimeToScreen(_ microseconds: Int64) {
        if timeToScreen == nil { timeToScreen = Histogram() }
        timeToScreen!.note(microseconds)
    }

    /// What waited for it and what is on the way to it is lost. It gets the newest state when it takes messages again.
    func loseStream() {
        backlog.removeAll()
        generation += 1
        needsSnapshot = true
        isResuming = false
        for reply in replies where !reply.ref.isEmpty {
            if let scope = reply.subscription { unanswered[scope] = reply.ref }
        }
        replies = []
    }
}

/// How far one screen is with one surface. An object, so that a delivery finds it without a search.
final class ScreenProgress {
    let surface: Int
    /// Among those whose position its next pong tells.
    var isUnreported = false
    var sent: UInt64 = 0
    var drawn: UInt64?
    /// Where its last snapshot stood: what came before was never sent as it happened.
    var base: UInt64 = 0
    /// What the last confirmation took.
    var toScreen: Milliseconds?
    /// When the oldest message that it has not drawn was sent; nil when it has drawn everything.
    var behindSince: Milliseconds?

    init(surface: Int) { self.surface = surface }

    func snapshotSent(_ seq: UInt64, at now: Milliseconds) {
        sent = seq
        base = seq
        behindSince = drawn ?? 0 >= seq ? nil : now
    }
}

/// Messages that wait for a peer to take them, oldest first.
struct Backlog {
    private var messages: [[UInt8]] = []
    private var head = 0
    private(set) var bytes = 0
    /// What keeping a message takes beside its bytes.
    private static let overhead = 48

    var isEmpty: Bool { head == messages.count }
    var first: [UInt8]? { isEmpty ? nil : messages[head] }

    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        bytes += message.count + Self.overhead
    }

    mutating func removeFirst() {
        bytes -= messages[head].count + Self.overhead
        messages[head] = []
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: messages.capacity <= 1024)
            head = 0
        } else if head > 1024 && head * 2 > messages.count {
            messages.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() { self = Backlog() }
}
