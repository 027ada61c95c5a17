import CLinux
import CZeroMQ

/// Owner of libzmq's I/O threads. Sockets hold their context, so it ends after the last of them.
///
/// Ending never hangs: the linger of new sockets is 0, and it can only be set to a bounded time.
/// Do not fork without exec while a context exists: libzmq aborts in the child.
public final class Context: Sendable {
    /// Whether a thread for I/O that is woken interrupts the one that runs.
    public enum IOScheduling: Sendable {
        /// As the system does it with every thread.
        case standard
        /// It waits until a processor is free (`SCHED_BATCH`): a thread that sends many messages behind one another is not interrupted by the
        /// first, and libzmq finds more of them at once. Where the system forbids it, or the process has another policy than the standard
        /// one, nothing changes.
        case batch
    }

    // The pointer never changes, libzmq documents that a context may be used from any thread, and it ends only in
    // deinit, when nobody holds the context any more.
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - ioThreads: one is enough for about a gigabyte per second.
    ///   - maxSockets: how many sockets may be open in this context; connections do not count. nil leaves libzmq's 1023.
    ///   - ioScheduling: of the threads for I/O.
    public init(ioThreads: Int = 1, maxSockets: Int? = nil, ioScheduling: IOScheduling = .standard) throws(ZMQError) {
        guard let handle = zmq_ctx_new() else { throw .last("zmq_ctx_new") }
        self.handle = handle
        // Linger 0 for every new socket: otherwise ending waits for peers that may never come.
        try set(ZMQ_BLOCKY, 0, "ZMQ_BLOCKY")
        try set(ZMQ_IO_THREADS, ioThreads, "ZMQ_IO_THREADS")
        if let maxSockets { try set(ZMQ_MAX_SOCKETS, maxSockets, "ZMQ_MAX_SOCKETS") }
        if ioScheduling == .batch { try startThreadsForBatches() }
    }

    /// libzmq starts its threads with the first socket, and a thread has the policy of the one that starts it. libzmq's own option for that
    /// ends the process where the system forbids it.
    private func startThreadsForBatches() throws(ZMQError) {
        let isSet = linux_set_batch_scheduling(1) == 0
        let first = zmq_socket(handle, ZMQ_PAIR)
        if isSet { _ = linux_set_batch_scheduling(0) }
        guard let first else { throw .last("zmq_socket", "PAIR") }
        _ = retryingInterrupts { zmq_close(first) }
    }

    deinit {
        // Every socket holds the context, so none is open here; what lingers is bounded.
        _ = retryingInterrupts { zmq_ctx_term(handle) }
    }

    /// Makes every blocking call on this context's sockets return with `ZMQError.terminated`, and all further ones.
    ///
    /// May be called from any thread, more than once. The sockets still have to be closed by their owners.
    public func shutdown() {
        // Fails only for a pointer that is not a context.
        _ = retryingInterrupts { zmq_ctx_shutdown(handle) }
    }

    public var ioThreads: Int { Int(zmq_ctx_get(handle, ZMQ_IO_THREADS)) }
    public var maxSockets: Int { Int(zmq_ctx_get(handle, ZMQ_MAX_SOCKETS)) }
    /// The largest value that `maxSockets` can have.
    public var socketLimit: Int { Int(zmq_ctx_get(handle, ZMQ_SOCKET_LIMIT)) }

    private func set(_ option: CInt, _ value: Int, _ name: String) throws(ZMQError) {
        guard let value = CInt(exactly: value), zmq_ctx_set(handle, option, value) == 0 else {
            throw ZMQError(
                rawValue: ZMQError.invalidArgument.rawValue, call: "zmq_ctx_set", subject: "\(name) \(value)")
        }
    }
}
