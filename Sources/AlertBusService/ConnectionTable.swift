import Glibc
import ZeroMQ

/// The open connections of both sockets, as libzmq's monitors tell of them, and the door: at the limit a newcomer is cut off.
///
/// libzmq can neither refuse to accept nor disconnect one peer. Its monitor tells the file descriptor of each connection,
/// though, and a descriptor can be shut down: libzmq then sees that the peer has gone. Between the end of a connection and
/// its event the descriptor may belong to a newer one; then that one is cut off, and connects again.
struct ConnectionTable {
    /// One connection: the descriptor alone is used again.
    struct Ticket: Hashable {
        let port: Port
        let descriptor: CInt
        let serial: UInt64
    }

    enum Port: CaseIterable { case requests, feed }

    /// The serial of each descriptor. One table for each port, because news of one port may be older than those of the other.
    private var requests: [CInt: UInt64] = [:]
    private var feed: [CInt: UInt64] = [:]
    private var lastSerial: UInt64 = 0
    /// The most that may be open.
    var limit: Int
    /// Shut down, and not known to have ended yet. Once is enough: the descriptor may soon be another's.
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

    var count: Int { requests.count + feed.count }

    mutating func note(_ event: MonitorEvent, at port: Port) {
        switch event.kind {
        case .accepted:
            guard let descriptor = event.descriptor else { return }
            accepted += 1
            lastSerial += 1
            set(port, descriptor, lastSerial)
            if count > limit {
                turnedAway += 1
                shutdown(descriptor, CInt(SHUT_RDWR))
            }
        case .disconnected:
            guard let descriptor = event.descriptor else { return }
            if let ticket = ticket(of: descriptor, at: port) { ending.remove(ticket) }
            set(port, descriptor, nil)
        case .handshakeFailed, .handshakeProtocolError: failedHandshakes += 1
        case .acceptFailed(code: Int(EMFILE)), .acceptFailed(code: Int(ENFILE)): withoutDescriptor += 1
        default: break
        }
    }

    func ticket(of descriptor: CInt, at port: Port) -> Ticket? {
        serials(port)[descriptor].map { Ticket(port: port, descriptor: descriptor, serial: $0) }
    }

    func isOpen(_ ticket: Ticket) -> Bool { serials(ticket.port)[ticket.descriptor] == ticket.serial }

    /// Ends a connection, if it is still there.
    mutating func hangUp(_ ticket: Ticket) {
        guard isOpen(ticket), ending.insert(ticket).inserted else { return }
        cutOff += 1
        shutdown(ticket.descriptor, CInt(SHUT_RDWR))
    }

    /// Ends all connections of one port. Whoever may, connects again at once.
    mutating func hangUpAll(at port: Port) {
        for (descriptor, serial) in serials(port) {
            hangUp(Ticket(port: port, descriptor: descriptor, serial: serial))
        }
    }

    private func serials(_ port: Port) -> [CInt: UInt64] {
        switch port {
        case .requests: requests
        case .feed: feed
        }
    }

    private mutating func set(_ port: Port, _ descriptor: CInt, _ serial: UInt64?) {
        switch port {
        case .requests: requests[descriptor] = serial
        case .feed: feed[descriptor] = serial
        }
    }
}
