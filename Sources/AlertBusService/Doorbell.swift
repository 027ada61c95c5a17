import Glibc

/// Wakes a thread that polls: any thread may ring, the poller drains.
final class Doorbell: Sendable {
    let descriptor: CInt

    init() {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK.rawValue | EFD_CLOEXEC.rawValue))
        precondition(descriptor >= 0, "eventfd failed with errno \(errno): no descriptors left at the start")
    }

    deinit { close(descriptor) }

    func ring() {
        var one: UInt64 = 1
        // It fails only when it has been rung 2^64 times without being heard, which is as good as rung.
        _ = write(descriptor, &one, 8)
    }

    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
