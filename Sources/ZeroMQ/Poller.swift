import CZeroMQ
import Glibc

/// What a socket or a descriptor is ready for.
public struct PollEvents: OptionSet, Hashable, Sendable {
    public let rawValue: Int16
    public init(rawValue: Int16) { self.rawValue = rawValue }

    public static let readable = PollEvents(rawValue: Int16(ZMQ_POLLIN))
    public static let writable = PollEvents(rawValue: Int16(ZMQ_POLLOUT))
    /// For descriptors only: an error or a hang-up.
    public static let failed = PollEvents(rawValue: Int16(ZMQ_POLLERR))
}

/// Waits for several sockets and file descriptors at once. Belongs to the thread of its sockets.
///
/// A wait allocates nothing with up to 16 items (libzmq itself allocates beyond).
public final class Poller {
    /// The place of an item; it stays valid until the item is removed.
    public struct Slot: Hashable, Sendable {
        fileprivate let index: Int
    }

    private var items: [zmq_pollitem_t] = []
    /// Parallel to `items`; nil for a plain descriptor, or a free place. Holding the socket keeps its handle alive.
    private var sockets: [Socket?] = []
    private var free: [Int] = []

    public init() {}

    public func add(_ socket: Socket, _ events: PollEvents = .readable) -> Slot {
        insert(zmq_pollitem_t(socket: socket.handle, fd: -1, events: events.rawValue, revents: 0), socket)
    }

    /// The descriptor stays the caller's; remove it here before closing it.
    public func add(descriptor: CInt, _ events: PollEvents = .readable) -> Slot {
        insert(zmq_pollitem_t(socket: nil, fd: descriptor, events: events.rawValue, revents: 0), nil)
    }

    /// Changes what is waited for; nothing at all leaves the item in place but silent.
    public func set(_ slot: Slot, _ events: PollEvents) {
        items[slot.index].events = events.rawValue
        items[slot.index].revents = 0
    }

    public func remove(_ slot: Slot) {
        items[slot.index] = Self.empty
        sockets[slot.index] = nil
        free.append(slot.index)
    }

    /// Waits until something is ready or the time is over. A signal does not end the wait and does not stretch it.
    ///
    /// - Parameter milliseconds: 0 only looks, -1 waits for ever.
    /// - Returns: how many items are ready.
    /// - Throws: `notASocket` when a socket was closed but not removed; `terminated` after a shutdown.
    public func wait(milliseconds: Int) throws(ZMQError) -> Int {
        for index in items.indices {
            guard let socket = sockets[index] else { continue }
            guard socket.isOpen else {
                throw ZMQError(
                    rawValue: ZMQError.notASocket.rawValue, call: "zmq_poll", subject: "item \(index), which is closed")
            }
        }
        let count = CInt(items.count)
        return try items.withUnsafeMutableBufferPointer { buffer throws(ZMQError) in
            try pollUntil(buffer.baseAddress, count, milliseconds: milliseconds)
        }
    }

    /// What the last wait found for this item.
    public func ready(_ slot: Slot) -> PollEvents { PollEvents(rawValue: items[slot.index].revents) }
    public func isReadable(_ slot: Slot) -> Bool { ready(slot).contains(.readable) }

    /// A free place asks for nothing on no descriptor, which poll(2) passes over.
    private static var empty: zmq_pollitem_t { zmq_pollitem_t(socket: nil, fd: -1, events: 0, revents: 0) }

    private func insert(_ item: zmq_pollitem_t, _ socket: Socket?) -> Slot {
        if let index = free.popLast() {
            items[index] = item
            sockets[index] = socket
            return Slot(index: index)
        }
        items.append(item)
        sockets.append(socket)
        return Slot(index: items.count - 1)
    }
}

@available(*, unavailable, message: "a poller belongs to the thread of its sockets")
extension Poller: Sendable {}

/// `zmq_poll` with the time that is left after each interruption.
func pollUntil(_ items: UnsafeMutablePointer<zmq_pollitem_t>?, _ count: CInt, milliseconds: Int) throws(ZMQError) -> Int {
    let deadline = milliseconds > 0 ? monotonicMilliseconds() + Int64(milliseconds) : 0
    var left = milliseconds
    while true {
        let ready = zmq_poll(items, count, left)
        if ready >= 0 { return Int(ready) }
        if zmq_errno() != EINTR { throw .last("zmq_poll") }
        if milliseconds > 0 { left = Int(max(0, deadline - monotonicMilliseconds())) }
    }
}

func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
