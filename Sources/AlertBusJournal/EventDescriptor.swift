import CLinux
import Glibc

/// Something that a thread can wait for, alone or among sockets in a poll.
struct EventDescriptor: ~Copyable {
    /// Readable from `signal` until `clear`.
    let descriptor: Int32

    /// - Throws: what the system said, for example that the process has no descriptor left.
    init() throws(JournalError) {
        let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
        descriptor = Int32(try systemCall("making an event descriptor", "") { Int(eventfd(0, flags)) })
    }

    deinit { _ = close(descriptor) }

    /// Makes it readable.
    func signal() {
        var one: UInt64 = 1
        // It can only fail when the counter is full, and then it is readable.
        _ = write(descriptor, &one, 8)
    }

    /// Makes it unreadable.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Waits until it is readable.
    /// - Parameter milliseconds: -1 waits for ever.
    /// - Returns: whether it became readable in time.
    func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
