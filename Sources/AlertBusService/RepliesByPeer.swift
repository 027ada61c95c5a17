/// The replies of batches to peers that listen to no surface, so that each peer's can be sent behind one another.
///
/// libzmq's thread sends what it finds when it is woken. In the order of the commands, with the screens' messages between them, a reply
/// here and a reply there would be as many calls of the system, and as many times that a peer is woken for one of them.
struct RepliesByPeer {
    private struct Place {
        /// They belong to the outbox, which stays as it is until all replies are taken.
        var bytes: UnsafeRawBufferPointer
        /// The index of the same peer's next one.
        var next = none
    }

    /// The index of no reply.
    static let none = -1

    private var places: [Place] = []
    /// Those who get one, in the order of their first.
    private(set) var sessions: [Session] = []

    mutating func add(_ bytes: UnsafeRawBufferPointer, for session: Session) {
        if session.lastReply == Self.none {
            session.firstReply = places.count
            sessions.append(session)
        } else {
            places[session.lastReply].next = places.count
        }
        session.lastReply = places.count
        places.append(Place(bytes: bytes))
    }

    /// Takes the oldest reply to a peer.
    func takeFirst(of session: Session) -> UnsafeRawBufferPointer? {
        if session.firstReply == Self.none { return nil }
        let place = places[session.firstReply]
        session.firstReply = place.next
        if place.next == Self.none { session.lastReply = Self.none }
        return place.bytes
    }

    /// When all are taken.
    mutating func removeAll() {
        places.removeAll(keepingCapacity: places.capacity <= 1 << 16)
        sessions.removeAll(keepingCapacity: sessions.capacity <= 1 << 16)
    }
}
