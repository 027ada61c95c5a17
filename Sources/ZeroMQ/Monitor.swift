import CZeroMQ
import Synchronization

/// Hears what happens to the connections of one socket. Put it into the socket's poller and `drain` it when readable.
///
/// It belongs to the thread of its socket, and keeps the socket open until it is closed or released itself.
public final class Monitor: Socket {
    private let monitored: TransportSocket
    private var frame = Message()

    private static let counter = Atomic<UInt64>(0)

    /// Begins to watch; a socket has one monitor at a time, and a new one silences the one before.
    public init(of socket: TransportSocket) throws(ZMQError) {
        monitored = socket
        try super.init(socket.context, type: ZMQ_PAIR, name: "PAIR")
        // No limit: when the queue of a monitor is full, libzmq's I/O thread waits for its reader, and the socket
        // stalls. Events that nobody reads cost memory instead, some hundred bytes each: drain it.
        try set(ZMQ_RCVHWM, CInt(0), "ZMQ_RCVHWM")
        let address = "inproc://monitor-\(Self.counter.add(1, ordering: .relaxed).newValue)"
        if retryingInterrupts({ zmq_socket_monitor(socket.handle, address, ZMQ_EVENT_ALL) }) != 0 {
            throw .last("zmq_socket_monitor", address)
        }
        if retryingInterrupts({ zmq_connect(handle, address) }) != 0 {
            let error = ZMQError.last("zmq_connect", address)
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// Stops watching; what was not drained yet is dropped. Use it instead of `close()` when the socket lives on.
    public func stop() {
        guard isOpen else { return }
        // The order matters: a monitor without a reader makes libzmq's I/O thread wait for ever.
        if monitored.isOpen { _ = retryingInterrupts { zmq_socket_monitor(monitored.handle, nil, 0) } }
        close()
    }

    /// Takes one event if one is there; nil when nothing waits.
    public func tryReceive() throws(ZMQError) -> MonitorEvent? {
        guard try receiveIfPresent(into: &frame) else { return nil }
        let (event, value) = frame.withUnsafeBytes { bytes -> (UInt16, UInt32) in
            guard bytes.count >= 6 else { return (0, 0) }
            return (bytes.loadUnaligned(as: UInt16.self), bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        }
        guard frame.more, try receiveIfPresent(into: &frame) else {
            return MonitorEvent(event: event, value: value, endpoint: "")
        }
        return MonitorEvent(event: event, value: value, endpoint: frame.text)
    }

    /// Takes everything that waits.
    public func drain(_ each: (MonitorEvent) -> Void) throws(ZMQError) {
        while let event = try tryReceive() { each(event) }
    }
}
