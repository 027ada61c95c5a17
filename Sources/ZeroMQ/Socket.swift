import CZeroMQ

/// What all sockets share: the handle, its closing, and its place in a poller.
///
/// A socket belongs to the thread that uses it; the type is not Sendable, so the compiler keeps it there.
/// It closes when the last reference goes, or earlier by `close()`.
public class Socket {
    /// Holding the context makes sure that it outlives its sockets.
    public let context: Context
    private final var open: UnsafeMutableRawPointer?
    /// How often libzmq may have been called for this socket. Each call may take the sign away from its descriptor: a `Poller` that finds the
    /// number changed asks libzmq itself.
    @exclusivity(unchecked) private(set) final var uses: UInt64 = 0

    /// For one call. nil once closed: libzmq answers ENOTSOCK to that, so a closed socket throws instead of crashing.
    final var handle: UnsafeMutableRawPointer? {
        uses &+= 1
        return open
    }

    init(_ context: Context, type: CInt, name: String) throws(ZMQError) {
        self.context = context
        guard let handle = zmq_socket(context.handle, type) else { throw .last("zmq_socket", name) }
        open = handle
    }

    deinit { close() }

    /// Closes the socket now. What was not sent yet is dropped after the linger time, 0 by default. Harmless twice.
    public final func close() {
        guard let handle else { return }
        open = nil
        _ = retryingInterrupts { zmq_close(handle) }
    }

    public final var isOpen: Bool { open != nil }

    /// What the socket is ready for now. Also makes libzmq do its housekeeping for this socket.
    public final func events() throws(ZMQError) -> PollEvents {
        PollEvents(rawValue: Int16(truncatingIfNeeded: try integer(ZMQ_EVENTS, "ZMQ_EVENTS")))
    }

    /// A descriptor for a foreign event loop. It is edge triggered: after it fires, and after every send or receive,
    /// call `events()` and work until that says that nothing is left. A `Poller` does not need this.
    public final func descriptor() throws(ZMQError) -> CInt { try integer(ZMQ_FD, "ZMQ_FD") }

    /// The address that the last bind or connect really used, such as the port that the system chose.
    public final func lastEndpoint() throws(ZMQError) -> String { try string(ZMQ_LAST_ENDPOINT, "ZMQ_LAST_ENDPOINT") }

    /// Waits until the socket can receive, or the time is over. A signal does not end the wait.
    ///
    /// - Parameter milliseconds: -1 waits for ever.
    public final func waitToReceive(milliseconds: Int) throws(ZMQError) -> Bool {
        var item = zmq_pollitem_t(socket: handle, fd: -1, events: Int16(ZMQ_POLLIN), revents: 0)
        guard handle != nil else {
            throw ZMQError(rawValue: ZMQError.notASocket.rawValue, call: "zmq_poll", subject: "")
        }
        return try pollUntil(&item, 1, milliseconds: milliseconds) > 0
    }
}

@available(*, unavailable, message: "a socket belongs to the thread that uses it")
extension Socket: Sendable {}
