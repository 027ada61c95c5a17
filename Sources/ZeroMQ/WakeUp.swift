import CZeroMQ
import Glibc

/// Lets any thread wake a poller: sockets belong to one thread, this does not.
///
/// Add `descriptor` to the poller; when it is readable, `clear()` and then look at what the other threads left.
public final class WakeUp: Sendable {
    public let descriptor: CInt

    public init() throws(ZMQError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { throw .last("eventfd") }
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Makes the descriptor readable until the next `clear()`. Many signals before it count as one.
    public func signal() {
        var one: UInt64 = 1
        // It can only fail with EAGAIN, when the counter is full: then it is readable already.
        _ = retryingInterrupts { CInt(truncatingIfNeeded: write(descriptor, &one, 8)) }
    }

    /// Call it before looking, so that what comes while you look wakes you again.
    public func clear() {
        var count: UInt64 = 0
        _ = retryingInterrupts { CInt(truncatingIfNeeded: read(descriptor, &count, 8)) }
    }
}
