import AlertBus
import AlertBusModel
import ZeroMQ

/// The way of one socket to the arbiter: connects it, and notices when it is not let in.
final class Door {
    private let endpoint: Endpoint
    private let hasKeys: Bool
    private let monitor: Monitor
    private let poller = Poller()
    private let slot: Poller.Slot
    private let monitorSlot: Poller.Slot
    private var handshakes = HandshakeWatch()

    init(_ socket: some ReceivingSocket, _ endpoint: Endpoint, _ security: Security?) throws(ZMQError) {
        self.endpoint = endpoint
        hasKeys = security != nil
        if case .tcp(let host, _) = endpoint, host.contains(":") { try socket.setIPv6(true) }
        if let security { try socket.setCurveClient(keys: security.keys, serverKey: security.serverKey) }
        monitor = try Monitor(of: socket)
        try socket.connect(endpoint)
        slot = poller.add(socket)
        monitorSlot = poller.add(monitor)
    }

    /// Waits until the socket can receive, or with `alsoToSend` can send, or the time is over.
    ///
    /// - Throws: `CommandFailure` when the arbiter turns the socket away, `ZMQError`.
    func wait(milliseconds: Int, alsoToSend: Bool = false) throws {
        poller.set(slot, alsoToSend ? [.readable, .writable] : .readable)
        _ = try poller.wait(milliseconds: milliseconds)
        guard poller.isReadable(monitorSlot) else { return }
        while let event = try monitor.tryReceive() {
            var detail = handshakes.turnedAway(by: event)
            if case .handshakeFailed = event.kind {
                detail = ServerGreeting.disagreement(endpoint, hasKeys: hasKeys) ?? detail
            }
            guard let detail else { continue }
            throw CommandFailure.refused(ClientError.notAuthorised(endpoint: "\(endpoint)", detail).description)
        }
    }

    /// - Returns: whether something may have come.
    func waitToReceive(milliseconds: Int) throws -> Bool {
        try wait(milliseconds: milliseconds)
        return poller.isReadable(slot)
    }
}
