import AlertBusModel
import ZeroMQ

/// One socket that connects, with its monitor: closed and opened again as often as needed.
struct Link<SocketType: ReceivingSocket> {
    let socket: SocketType
    let monitor: Monitor
    let slot: Poller.Slot
    let monitorSlot: Poller.Slot
    var isConnected = false

    enum News: Equatable {
        case connected, disconnected
        /// The other side said, or showed, that it does not let this one in.
        case turnedAway(String)
        /// The other side ended the handshake and did not say why.
        case handshakeEnded
    }

    init(
        _ socket: SocketType, to endpoint: Endpoint, security: Security?, reconnect: Int, longest: Int, poller: Poller
    ) throws(ZMQError) {
        self.socket = socket
        // Nothing is queued for a connection that does not exist: only replies count, and the machine sends again.
        if let dealer = socket as? DealerSocket { try dealer.setImmediate(true) }
        // A stalled program must not make libzmq stop reading, and the process with heartbeats would even abort.
        try socket.setReceiveHighWaterMark(0)
        // What was said last before closing gets a moment to leave.
        try socket.setLinger(milliseconds: 500)
        // libzmq starts the back-off again at every TCP connect, so the base has to be polite already.
        try socket.setReconnectInterval(milliseconds: reconnect, maximum: longest)
        // A listener that does not answer the handshake (a stopped process) is tried again in a while.
        try socket.setHandshakeInterval(milliseconds: 5000)
        // A host that vanished is found by pings; this frees the connection that nobody reads any more.
        try socket.setTCPKeepalive(idle: 30, interval: 10, count: 3)
        if let security { try socket.setCurveClient(keys: security.keys, serverKey: security.serverKey) }
        if case .tcp(let host, _) = endpoint, host.contains(":") { try socket.setIPv6(true) }
        monitor = try Monitor(of: socket)
        try socket.connect(endpoint)
        slot = poller.add(socket)
        monitorSlot = poller.add(monitor)
    }

    func close(_ poller: Poller) {
        poller.remove(slot)
        poller.remove(monitorSlot)
        monitor.stop()
        socket.close()
    }

    /// What the monitor heard, in order.
    mutating func takeNews() throws(ZMQError) -> [News] {
        var news: [News] = []
        while let event = try monitor.tryReceive() {
            switch event.kind {
            case .handshakeSucceeded:
                isConnected = true
                news.append(.connected)
            case .disconnected:
                if isConnected { news.append(.disconnected) }
                isConnected = false
            case .authenticationFailed(let status):
                news.append(.turnedAway("its list of permissions refused the key (status \(status))"))
            case .handshakeProtocolError(let fault): news.append(.turnedAway("\(fault)"))
            case .handshakeFailed: news.append(.handshakeEnded)
            default: break
            }
        }
        return news
    }
}

/// All clients of a process share libzmq's threads.
enum SharedContext {
    static let result: Result<Context, ZMQError> = Result { () throws(ZMQError) in
        try Context(maxSockets: 60_000)
    }
}
