import Glibc
import Synchronization
import TestSupport

/// A TCP relay between clients and the arbiter, on a thread of its own, that drops, delays and cuts on command.
final class Proxy: Sendable {
    enum Flow: Equatable, Sendable {
        case forward
        /// What comes is read and lost. Only a cut mends such a connection: what follows would begin in the middle.
        case discard
        /// Nothing is read, as if the wire were blocked.
        case block
    }

    struct Orders: Sendable {
        var toArbiter = Flow.forward
        var toClients = Flow.forward
        /// Milliseconds that every piece is late, each way.
        var delay: Int64 = 0
        /// New connections are closed at once.
        var isDown = false
        /// Connections to cut in the middle of what they carry.
        var cuts = 0
        var isClosing = false
    }

    let port: UInt16
    private let orders: Mutex<Orders>
    private let open = Atomic<Int>(0)

    var address: String { "tcp://127.0.0.1:\(port)" }
    /// Connections at the moment.
    var connections: Int { open.load(ordering: .relaxed) }

    /// - Parameter target: the port on the loopback to which it connects.
    init(to target: UInt16) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        LoopbackAddress.prepare(listener)
        let address = LoopbackAddress.bindAny(listener)
        guard let address, listen(listener, 512) == 0 else { throw Failure("the proxy cannot listen: errno \(errno)") }
        port = address
        orders = Mutex(Orders())
        TestThread { [weak self] in Loop(listener, target, self).run() }.detach()
    }

    func set(_ change: (inout Orders) -> Void) { orders.withLock { change(&$0) } }

    /// Cuts so many connections in the middle, chosen at random; all by default.
    func cut(_ count: Int = .max) { orders.withLock { $0.cuts = count } }

    /// Ends the thread and all connections.
    func close() { orders.withLock { $0.isClosing = true } }

    fileprivate func take() -> Orders {
        orders.withLock { orders in
            defer { orders.cuts = 0 }
            return orders
        }
    }

    fileprivate func note(_ connections: Int) { open.store(connections, ordering: .relaxed) }
}

/// One way of a connection.
private struct Lane {
    var pieces: [(due: Int64, bytes: [UInt8])] = []
    var size = 0
    var isOver = false
}

private final class Relay {
    let client: CInt
    let server: CInt
    var up = Lane()
    var down = Lane()
    /// It ends after half of the next piece, or then.
    var cutBy: Int64?

    init(_ client: CInt, _ server: CInt) {
        self.client = client
        self.server = server
    }
}

private final class Loop {
    private let listener: CInt
    private let target: UInt16
    // The proxy's orders outlive its owner's interest; a weak reference ends the thread with it.
    private weak var proxy: Proxy?
    private var relays: [Relay] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ listener: CInt, _ target: UInt16, _ proxy: Proxy?) {
        self.listener = listener
        self.target = target
        self.proxy = proxy
    }

    func run() {
        while let orders = proxy?.take(), !orders.isClosing {
            wait(orders)
            accept(orders)
            doom(orders.cuts)
            let now = Self.now()
            relays.removeAll { !goesOn($0, orders, now) }
            proxy?.note(relays.count)
        }
        for relay in relays { end(relay) }
        close(listener)
    }

    /// At most for 5 ms, so that orders and delayed pieces are soon looked at.
    private func wait(_ orders: Proxy.Orders) {
        var items = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        for relay in relays {
            items.append(pollfd(fd: relay.client, events: orders.toArbiter == .block ? 0 : Int16(POLLIN), revents: 0))
            items.append(pollfd(fd: relay.server, events: orders.toClients == .block ? 0 : Int16(POLLIN), revents: 0))
        }
        _ = poll(&items, nfds_t(items.count), 5)
    }

    private func accept(_ orders: Proxy.Orders) {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { return }
            LoopbackAddress.prepare(client)
            guard !orders.isDown, let server = LoopbackAddress.connect(target) else {
                close(client)
                continue
            }
            relays.append(Relay(client, server))
        }
    }

    private func doom(_ count: Int) {
        for relay in relays.shuffled().prefix(count) { relay.cutBy = Self.now() + 20 }
    }

    private func goesOn(_ relay: Relay, _ orders: Proxy.Orders, _ now: Int64) -> Bool {
        let isAlive =
            take(relay.client, &relay.up, orders.toArbiter, now + orders.delay)
            && take(relay.server, &relay.down, orders.toClients, now + orders.delay)
            && give(relay.server, &relay.up, now, half: false)
            && give(relay.client, &relay.down, now, half: relay.cutBy != nil)
        if isAlive && now < relay.cutBy ?? .max { return true }
        end(relay)
        return false
    }

    private func end(_ relay: Relay) {
        // Half of them with a reset, as when a machine goes down.
        if Bool.random() {
            var now = linger(l_onoff: 1, l_linger: 0)
            for descriptor in [relay.client, relay.server] {
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            }
        }
        close(relay.client)
        close(relay.server)
    }

    /// - Returns: false when the connection has ended.
    private func take(_ descriptor: CInt, _ lane: inout Lane, _ flow: Proxy.Flow, _ due: Int64) -> Bool {
        guard flow != .block, !lane.isOver else { return true }
        while lane.size < 1 << 20 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            if count == 0 {
                lane.isOver = true
                return !lane.pieces.isEmpty
            }
            if flow == .discard { continue }
            lane.pieces.append((due, Array(buffer[..<count])))
            lane.size += count
        }
        return true
    }

    private func give(_ descriptor: CInt, _ lane: inout Lane, _ now: Int64, half: Bool) -> Bool {
        while let piece = lane.pieces.first, piece.due <= now {
            let wanted = half ? max(1, piece.bytes.count / 2) : piece.bytes.count
            let count = send(descriptor, piece.bytes, wanted, CInt(truncatingIfNeeded: MSG_NOSIGNAL))
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            if half { return false }
            lane.size -= count
            if count == piece.bytes.count { lane.pieces.removeFirst() } else { lane.pieces[0].bytes.removeFirst(count) }
        }
        return !(lane.isOver && lane.pieces.isEmpty)
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

private enum LoopbackAddress {
    /// - Returns: the port that the system chose.
    static func bindAny(_ descriptor: CInt) -> UInt16? {
        guard with(port: 0, { bind(descriptor, $0, $1) }) == 0 else { return nil }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    static func connect(_ port: UInt16) -> CInt? {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // Small, so that a blocked wire soon holds no more.
        var room: CInt = 64 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        guard with(port: port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        prepare(descriptor)
        return descriptor
    }

    /// Nobody waits for it, and no child keeps it open.
    static func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func with(port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
