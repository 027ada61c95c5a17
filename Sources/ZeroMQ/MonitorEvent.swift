import CZeroMQ

/// Something that happened to a connection of a monitored socket.
public struct MonitorEvent: Equatable, Sendable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// A connection was made by TCP or ipc; the handshake follows.
        case connected
        /// Connecting goes on in the background.
        case connectDelayed
        /// The next attempt comes after so long.
        case connectRetried(afterMilliseconds: Int)
        case listening
        /// `code` is an errno, as in the other failures.
        case bindFailed(code: Int)
        case accepted
        /// EMFILE here means that the file descriptors are used up: libzmq then spins without another word.
        case acceptFailed(code: Int)
        case closed
        case closeFailed(code: Int)
        case disconnected
        /// The last event: the monitored socket was closed or the monitor stopped.
        case monitorStopped
        case handshakeSucceeded
        /// The handshake ended without a reason given: usually the other side hung up. `code` is an errno.
        case handshakeFailed(code: Int)
        /// The two do not understand each other; a wrong CURVE server key ends so.
        case handshakeProtocolError(ProtocolFault)
        /// The ZAP handler refused: 300 may be tried again, 400 is final (the client does not come back), 500 is its fault.
        case authenticationFailed(status: Int)
        case unknown(event: Int, value: Int)
    }

    /// libzmq's number for what was wrong in a handshake.
    public struct ProtocolFault: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A box could not be opened: the keys of the two sides do not fit.
        public static let cryptographic = ProtocolFault(rawValue: 0x1100_0001)
        /// One side wants CURVE and the other one does not.
        public static let mechanismMismatch = ProtocolFault(rawValue: 0x1100_0002)

        /// The fault lies in the ZAP handler's reply, or in its absence, not in the peer.
        public var isAuthentication: Bool { rawValue & 0x7000_0000 == 0x2000_0000 }

        public var description: String {
            switch self {
            case .cryptographic: "the keys of the two sides do not fit"
            case .mechanismMismatch: "one side uses CURVE and the other one does not"
            default: (isAuthentication ? "ZAP fault 0x" : "ZMTP fault 0x") + String(rawValue, radix: 16)
            }
        }
    }

    public var kind: Kind
    /// The endpoint concerned, as libzmq writes it; may be empty.
    public var endpoint: String
    /// The file descriptor of a connection that was accepted or has ended; nil for other events.
    public var descriptor: CInt?

    public var description: String { endpoint.isEmpty ? "\(kind)" : "\(kind) \(endpoint)" }

    /// From libzmq's first event format: a 16-bit event and a 32-bit value in the order of the host.
    init(event: UInt16, value: UInt32, endpoint: String) {
        self.endpoint = endpoint
        let number = Int(value)
        switch CInt(event) {
        case ZMQ_EVENT_ACCEPTED, ZMQ_EVENT_DISCONNECTED: descriptor = CInt(truncatingIfNeeded: value)
        default: descriptor = nil
        }
        kind =
            switch CInt(event) {
            case ZMQ_EVENT_CONNECTED: .connected
            case ZMQ_EVENT_CONNECT_DELAYED: .connectDelayed
            case ZMQ_EVENT_CONNECT_RETRIED: .connectRetried(afterMilliseconds: number)
            case ZMQ_EVENT_LISTENING: .listening
            case ZMQ_EVENT_BIND_FAILED: .bindFailed(code: number)
            case ZMQ_EVENT_ACCEPTED: .accepted
            case ZMQ_EVENT_ACCEPT_FAILED: .acceptFailed(code: number)
            case ZMQ_EVENT_CLOSED: .closed
            case ZMQ_EVENT_CLOSE_FAILED: .closeFailed(code: number)
            case ZMQ_EVENT_DISCONNECTED: .disconnected
            case ZMQ_EVENT_MONITOR_STOPPED: .monitorStopped
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: .handshakeSucceeded
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .handshakeFailed(code: number)
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .handshakeProtocolError(ProtocolFault(rawValue: number))
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .authenticationFailed(status: number)
            default: .unknown(event: Int(event), value: number)
            }
    }
}
