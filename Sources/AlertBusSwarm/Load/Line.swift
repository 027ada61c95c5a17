import ZeroMQ

/// One connection of the swarm.
final class Line {
    enum Role { case producer(Int), subscriber(Int), control }

    let role: Role
    let place: Int
    var socket: DealerSocket
    var descriptor: CInt
    /// Reads only when its timer says so.
    var isSlow = false
    /// In the set of descriptors.
    var isWatched = false
    /// It has something to receive that no descriptor tells of any more.
    var isDirty = false
    /// It has said what it wants, so it may send.
    var isGreeted = false
    /// It was connected before, so what was under way then has to be repaired.
    var isAgain = false
    /// As the last pong said; 0 before the first one.
    var session: UInt64 = 0
    /// The generation that it last heard of.
    var epoch: UInt64 = 0
    /// Pongs that came since the last question was asked.
    var isAnswered = false

    init(_ role: Role, place: Int, socket: DealerSocket) throws(ZMQError) {
        self.role = role
        self.place = place
        self.socket = socket
        descriptor = try socket.descriptor()
    }

    var isProducer: Bool { if case .producer = role { true } else { false } }
}

/// Opens sockets as a client should.
struct LineMaker {
    let context: Context
    let endpoint: Endpoint
    let keys: (own: CurveKeyPair, server: CurvePublicKey)?

    func socket(isSlow: Bool) throws(ZMQError) -> DealerSocket {
        let socket = try DealerSocket(context)
        // Queues nothing for an arbiter that is not there, so that a send that succeeds means a connection.
        try socket.setImmediate(true)
        // The swarm reads at once; one that does not is to be felt by the arbiter, so nothing may read for it.
        try socket.setReceiveHighWaterMark(isSlow ? 64 : 0)
        if isSlow { try socket.setReceiveBuffer(bytes: 16 << 10) }
        try socket.setReconnectInterval(milliseconds: 200, maximum: 2000)
        if case .tcp(let host, _) = endpoint, host.contains(":") { try socket.setIPv6(true) }
        if let keys { try socket.setCurveClient(keys: keys.own, serverKey: keys.server) }
        try socket.connect(endpoint)
        return socket
    }
}
