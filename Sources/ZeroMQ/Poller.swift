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
/// `zmq_poll` asks every socket with a system call of its own, and again after it had to wait. This asks a socket when its descriptor shows a sign, when it
/// was ready the last time, or when it was used since: a call may have taken the sign away. All others share one `poll(2)`.
public final class Poller {
    /// The place of an item; it stays valid until the item is removed.
    public struct Slot: Hashable, Sendable {
        fileprivate let index: Int
    }

    private struct Item {
        /// nil for a plain descriptor, or a free place. Holding the socket keeps its handle alive.
        var socket: Socket?
        var wanted: PollEvents = []
        var found: PollEvents = []
        /// `Socket.uses` after it was last asked; another number means that it has to be asked.
        var usesSeen: UInt64 = 0
    }

    private var items: [Item] = []
    /// Parallel to `items`: of a socket, its descriptor of signs.
    private var descriptors: [pollfd] = []
    private var free: [Int] = []

    public init() {}

    public func add(_ socket: Socket, _ events: PollEvents = .readable) -> Slot {
        // A closed one has none; `wait` tells.
        let descriptor = (try? socket.descriptor()) ?? -1
        return insert(Item(socket: socket, wanted: events), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }

    /// The descriptor stays the caller's; remove it here before closing it.
    public func add(descriptor: CInt, _ events: PollEvents = .readable) -> Slot {
        insert(Item(wanted: events), pollfd(fd: descriptor, events: Self.flags(events), revents: 0))
    }

    /// Changes what is waited for; nothing at all leaves the item in place but silent.
    public func set(_ slot: Slot, _ events: PollEvents) {
        items[slot.index].wanted = events
        items[slot.index].found = []
        items[slot.index].usesSeen = 0
        if items[slot.index].socket == nil { descriptors[slot.index].events = Self.flags(events) }
    }

    public func remove(_ slot: Slot) {
        items[slot.index] = Item()
        descriptors[slot.index] = Self.nothing
        free.append(slot.index)
    }

    /// Waits until something is ready or the time is over. A signal does not end the wait and does not stretch it.
    ///
    /// - Parameter milliseconds: 0 only looks, -1 waits for ever.
    /// - Returns: how many items are ready.
    /// - Throws: `notASocket` when a socket was closed but not removed; `terminated` after a shutdown.
    public func wait(milliseconds: Int) throws(ZMQError) -> Int {
        let deadline = milliseconds > 0 ? monotonicMilliseconds() + Int64(milliseconds) : 0
        var left = milliseconds
        while true {
            let isAnyReady = try askUsed()
            try pollDescriptors(milliseconds: isAnyReady ? 0 : left)
            let ready = try askSigned()
            if ready > 0 { return ready }
            // A sign may be for libzmq itself, and a signal ends the system's wait.
            if milliseconds > 0 { left = Int(max(0, deadline - monotonicMilliseconds())) }
            if left == 0 { return 0 }
        }
    }

    /// What the last wait found for this item.
    public func ready(_ slot: Slot) -> PollEvents { items[slot.index].found }
    public func isReadable(_ slot: Slot) -> Bool { ready(slot).contains(.readable) }

    /// Asks the sockets of which the descriptor may show no sign although they are ready.
    private func askUsed() throws(ZMQError) -> Bool {
        var isAnyReady = false
        for index in items.indices {
            guard let socket = items[index].socket else { continue }
            guard socket.isOpen else {
                throw ZMQError(
                    rawValue: ZMQError.notASocket.rawValue, call: "poll", subject: "item \(index), which is closed")
            }
            if socket.uses != items[index].usesSeen || !items[index].found.isEmpty { try ask(socket, index) }
            if !items[index].found.isEmpty { isAnyReady = true }
        }
        return isAnyReady
    }

    private func pollDescriptors(milliseconds: Int) throws(ZMQError) {
        let count = descriptors.withUnsafeMutableBufferPointer { descriptors in
            poll(descriptors.baseAddress, nfds_t(descriptors.count), CInt(clamping: milliseconds))
        }
        if count >= 0 { return }
        guard errno == EINTR else { throw ZMQError(rawValue: errno, call: "poll", subject: "") }
        for index in descriptors.indices { descriptors[index].revents = 0 }
    }

    /// - Returns: how many items are ready, those included that were before.
    private func askSigned() throws(ZMQError) -> Int {
        var ready = 0
        for index in items.indices {
            let shown = descriptors[index].revents
            if let socket = items[index].socket {
                if shown != 0 { try ask(socket, index) }
            } else {
                items[index].found = Self.events(shown)
            }
            if !items[index].found.isEmpty { ready += 1 }
        }
        return ready
    }

    private func ask(_ socket: Socket, _ index: Int) throws(ZMQError) {
        items[index].found = try socket.events().intersection(items[index].wanted)
        items[index].usesSeen = socket.uses
    }

    private static func flags(_ events: PollEvents) -> Int16 {
        (events.contains(.readable) ? Int16(POLLIN) : 0) | (events.contains(.writable) ? Int16(POLLOUT) : 0)
    }

    /// The system tells of failures unasked.
    private static func events(_ flags: Int16) -> PollEvents {
        var events: PollEvents = []
        if flags & Int16(POLLIN) != 0 { events.insert(.readable) }
        if flags & Int16(POLLOUT) != 0 { events.insert(.writable) }
        if flags & ~Int16(POLLIN | POLLOUT | POLLPRI) != 0 { events.insert(.failed) }
        return events
    }

    /// A free place asks for nothing on no descriptor, which poll(2) passes over.
    private static var nothing: pollfd { pollfd(fd: -1, events: 0, revents: 0) }

    private func insert(_ item: Item, _ descriptor: pollfd) -> Slot {
        if let index = free.popLast() {
            items[index] = item
            descriptors[index] = descriptor
            return Slot(index: index)
        }
        items.append(item)
        descriptors.append(descriptor)
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
