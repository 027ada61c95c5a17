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
    var isDelimited = false
    var lastHeard: Milliseconds
    /// The key that its connection showed; "" without CURVE.
    var key = ""
    /// What the key may do; nil when it is not listed, and where there is no list.
    var client: ClientPermissions?
    var identity: String { client?.name ?? "" }
    /// For hanging up.
    var connection: ConnectionTable.Ticket?

    var scopes: [SurfaceScope] = []
    var screens: [Int: ScreenProgress] = [:]
    /// Streams whose position changed since its last pong.
    var unreported: Set<Int> = []

    var bucket: TokenBucket?
    var snapshotBucket: TokenBucket?

    var provides: [String] = []
    var ownsClosers = false

    /// What could not be sent yet.
    var backlog = Backlog()
    /// The backlog was dropped; it needs snapshots of its scopes when it takes messages again.
    var needsSnapshot = false
    var resyncs: UInt64 = 0
    var isGone = false

    init(number: UInt64, peer: RoutingID, at now: Milliseconds) {
        self.number = number
        self.peer = peer
        lastHeard = now
    }

    var wantsUnasked: Bool { !isDelimited || !scopes.isEmpty || !provides.isEmpty }
}

/// How far one screen is with one surface.
struct ScreenProgress {
    var sent: UInt64 = 0
    var drawn: UInt64?
    /// When the oldest message that it has not drawn was sent; nil when it has drawn everything.
    var behindSince: Milliseconds?
}

/// Messages that wait for a peer to take them, oldest first.
struct Backlog {
    private var messages: [[UInt8]] = []
    private var head = 0
    private(set) var bytes = 0

    var isEmpty: Bool { head == messages.count }
    var first: [UInt8]? { isEmpty ? nil : messages[head] }

    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        bytes += message.count
    }

    mutating func removeFirst() {
        bytes -= messages[head].count
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
