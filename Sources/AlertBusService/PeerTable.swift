import ZeroMQ

/// Whose connection a routing id is.
///
/// libzmq numbers connections in order, so the low bits of the number tell nearly all of them apart: every message asks here, and
/// mostly finds its session at the first look.
struct PeerTable {
    private var sessions: [RoutingID: Session] = [:]
    private var recent = [Session?](repeating: nil, count: size)
    private static let size = 1024

    @inline(__always)
    private static func place(_ peer: RoutingID) -> Int { Int(peer.rawValue) & (size - 1) }

    @inline(__always)
    mutating func find(_ peer: RoutingID) -> Session? {
        if let session = recent[Self.place(peer)], session.peer == peer { return session }
        return search(peer)
    }

    private mutating func search(_ peer: RoutingID) -> Session? {
        guard let session = sessions[peer] else { return nil }
        recent[Self.place(peer)] = session
        return session
    }

    mutating func add(_ session: Session) {
        sessions[session.peer] = session
        recent[Self.place(session.peer)] = session
    }

    mutating func remove(_ session: Session) {
        sessions[session.peer] = nil
        let place = Self.place(session.peer)
        if recent[place] === session { recent[place] = nil }
    }
}
