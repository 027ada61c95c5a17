import Glibc
import ZeroMQ

/// The open connections of both sockets, as libzmq's monitors tell of them, and the door: at the limit a newcomer is cut off.
///
/// libzmq can neither refuse to accept nor disconnect one peer. Its monitor tells the file descriptor of each connection,
/// though, and a descriptor can be shut down: libzmq then sees that the peer has gone. A descriptor is soon another's, and who
/// leaves right after a misdeed must not take a newcomer along:
///
/// - News of an end are told before the descriptor is closed. So what shall end is only noted, and `carryOut` is called after all
///   news have been read.
/// - Messages of a connection may be read after its end. As long as that is possible, those with its descriptor are nobody's.
struct ConnectionTable {
    /// One connection: the descriptor alone is used again.
    struct Ticket: Hashable {
        let port: Port
        let descriptor: CInt
        let serial: UInt64
    }

    enum Port: CaseIterable { case requests, feed }

    /// What is known of one port's connections. Each has its own, because news of one may be older than those of the other.
    private struct Book {
        /// The serial of each descriptor.
        var serials: [CInt: UInt64] = [:]
        /// Descriptors of ended connections of which messages may still come, and how many at most.
        var unread: [CInt: Int] = [:]
    }

    /// The most messages that libzmq keeps of one connection (`Sockets` sets it), with room for those that its engine has in hand.
    private static let mostUnread = 2 * Sockets.receiveLimit

    private var requests = Book()
    private var feed = Book()
    private var lastSerial: UInt64 = 0
    /// The most that may be open.
    var limit: Int
    /// To be shut down.
    private var doomed: [Ticket] = []
    /// Shut down or to be, and not known to have ended yet. Once is enough.
    private var ending: Set<Ticket> = []
    private(set) var accepted: UInt64 = 0
    /// Cut off at the limit.
    private(set) var turnedAway: UInt64 = 0
    /// Cut off for what they did, or because their key may not any more.
    private(set) var cutOff: UInt64 = 0
    /// Handshakes that came to nothing: silence, another protocol, keys that do not fit.
    private(set) var failedHandshakes: UInt64 = 0
    /// Times that the system had no descriptor left for a connection. Must stay 0.
    private(set) var withoutDescriptor: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { requests.serials.count + feed.serials.count }

    func hasAny(at port: Port) -> Bool { !book(port).serials.isEmpty }

    mutating func note(_ event: MonitorEvent, at port: Port) {
        switch event.kind {
        case .accepted:
            guard let descriptor = event.descriptor else { return }
            accepted += 1
            lastSerial += 1
            let serial = lastSerial
            change(port) { $0.serials[descriptor] = serial }
            if count > limit {
                turnedAway += 1
                end(Ticket(port: port, descriptor: descriptor, serial: serial))
            }
        case .disconnected:
            guard let descriptor = event.descriptor else { return }
            if let serial = book(port).serials[descriptor] {
                ending.remove(Ticket(port: port, descriptor: descriptor, serial: serial))
            }
            change(port) {
                $0.serials[descriptor] = nil
                $0.unread[descriptor] = Self.mostUnread
            }
        case .handshakeFailed, .handshakeProtocolError: failedHandshakes += 1
        case .acceptFailed(code: Int(EMFILE)), .acceptFailed(code: Int(ENFILE)): withoutDescriptor += 1
        default: break
        }
    }

    /// Whose message it is that came over a descriptor.
    ///
    /// - Returns: nil when it may be of a connection that has ended.
    mutating func sender(_ descriptor: CInt, at port: Port) -> Ticket? {
        if let left = book(port).unread[descriptor] {
            change(port) { $0.unread[descriptor] = left > 1 ? left - 1 : nil }
            return nil
        }
        return book(port).serials[descriptor].map { Ticket(port: port, descriptor: descriptor, serial: $0) }
    }

    /// A socket had no message: none of an ended connection is left there.
    mutating func noteAllRead(at port: Port) {
        // For every batch, and nearly always there is nothing to do.
        switch port {
        case .requests: if !requests.unread.isEmpty { requests.unread = [:] }
        case .feed: if !feed.unread.isEmpty { feed.unread = [:] }
        }
    }

    func isOpen(_ ticket: Ticket) -> Bool { book(ticket.port).serials[ticket.descriptor] == ticket.serial }

    /// Ends a connection at the next `carryOut`, if it is still there.
    mutating func hangUp(_ ticket: Ticket) {
        guard isOpen(ticket), end(ticket) else { return }
        cutOff += 1
    }

    /// Ends all connections of one port. Whoever may, connects again at once.
    mutating func hangUpAll(at port: Port) {
        for (descriptor, serial) in book(port).serials {
            hangUp(Ticket(port: port, descriptor: descriptor, serial: serial))
        }
    }

    /// Whether `carryOut` has something to do.
    var hasDoomed: Bool { !doomed.isEmpty }

    /// Ends what shall end and has not ended by itself. All news have to be noted before.
    mutating func carryOut() {
        for ticket in doomed where isOpen(ticket) { shutdown(ticket.descriptor, CInt(SHUT_RDWR)) }
        doomed = []
    }

    /// - Returns: false when it is about to end already.
    @discardableResult
    private mutating func end(_ ticket: Ticket) -> Bool {
        guard ending.insert(ticket).inserted else { return false }
        doomed.append(ticket)
        return true
    }

    private func book(_ port: Port) -> Book {
        switch port {
        case .requests: requests
        case .feed: feed
        }
    }

    private mutating func change(_ port: Port, _ body: (inout Book) -> Void) {
        switch port {
        case .requests: body(&requests)
        case .feed: body(&feed)
        }
    }
}
