import CLinux
import Glibc

/// Waits for many descriptors at once, to the nanosecond. What `zmq_poll` does costs a call for each socket at each wait; with a
/// thousand connections that is more than all the rest.
final class DescriptorSet {
    private let descriptor: CInt
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(SwarmError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .system(call: "epoll_create1", errno: errno) }
    }

    deinit { _ = Glibc.close(descriptor) }

    func add(_ other: CInt, place: Int) throws(SwarmError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(place)))
        if epoll_ctl(descriptor, EPOLL_CTL_ADD, other, &event) != 0 { throw .system(call: "epoll_ctl", errno: errno) }
    }

    func remove(_ other: CInt) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, other, &event)
    }

    /// Waits until one is readable or the time is over, and tells the places of those that are.
    func wait(nanoseconds: UInt64, _ ready: (Int) -> Void) {
        if nanoseconds > 0 {
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            if ppoll(&item, 1, &time, nil) <= 0 { return }
        }
        let count = epoll_wait(descriptor, &events, CInt(events.count), 0)
        guard count > 0 else { return }
        for index in 0..<Int(count) { ready(Int(events[index].data.u64)) }
    }
}
