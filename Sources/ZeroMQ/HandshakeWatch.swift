/// Tells a connecting socket's owner that the other side does not let it in: libzmq itself only tries again, or gives up,
/// and says nothing. Give it every event of the socket's monitor.
public struct HandshakeWatch: Sendable {
    public private(set) var isConnected = false
    /// Handshakes that failed since one succeeded.
    private var failures = 0

    public init() {}

    /// - Returns: why the socket was turned away; nil when it was not, or not for certain yet.
    public mutating func turnedAway(by event: MonitorEvent) -> String? {
        switch event.kind {
        case .handshakeSucceeded:
            failures = 0
            isConnected = true
        case .disconnected: isConnected = false
        case .authenticationFailed(let status): return "its list of permissions refused the key (status \(status))"
        case .handshakeProtocolError(let fault):
            failures += 1
            return "\(fault)"
        case .handshakeFailed:
            // A server that is being stopped ends a handshake once; one that does not accept the key, each time.
            failures += 1
            if failures == 2 { return "it ends every handshake, as for a key that does not fit" }
        default: break
        }
        return nil
    }
}
