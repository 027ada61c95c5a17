import Glibc
import Synchronization

/// A TCP relay in front of an arbiter that can lose, delay and cut.
final class Proxy: Sendable {
    private struct State {
        var open: Set<CInt> = []
        var losesReplies = false
        var isBlack = false
        var refuses = false
        var delay: UInt32 = 0
        var accepted = 0
        var refused = 0
        var isClosing = false
    }

    private let state = Mutex(State())
    private let listener: CInt
    private let target: UInt16
    let endpoint: String

    /// - Parameter target: an endpoint such as `tcp://127.0.0.1:5570`.
    init(to target: String) throws {
        self.target = UInt16(target.split(separator: ":").last!)!
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw TimeoutError(what: "a socket for the proxy") }
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> CInt in
                guard bind(listener, generic, length) == 0, listen(listener, 64) == 0 else { return -1 }
                return getsockname(listener, generic, &length)
            }
        }
        guard result == 0 else { throw TimeoutError(what: "a port for the proxy") }
        endpoint = "tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        startThread { [self] in acceptAll() }
    }

    var refused: Int { state.withLock { $0.refused } }
    var accepted: Int { state.withLock { $0.accepted } }

    /// What the arbiter says is swallowed.
    func loseReplies(_ on: Bool) { state.withLock { $0.losesReplies = on } }
    /// Nothing gets through in either direction, and nobody is told; new connections are taken and stay silent too.
    func black(_ on: Bool) { state.withLock { $0.isBlack = on } }
    /// New connections are ended at once.
    func refuse(_ on: Bool) { state.withLock { $0.refuses = on } }
    /// Each piece of data waits for so long.
    func delay(milliseconds: UInt32) { state.withLock { $0.delay = milliseconds } }

    func cut() {
        state.withLock { state in
            for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }

    func close() {
        state.withLock { $0.isClosing = true }
        shutdown(listener, CInt(SHUT_RDWR))
        cut()
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            let (isClosing, refuses) = state.withLock { ($0.isClosing, $0.refuses) }
            if client < 0 || isClosing { break }
            let server = refuses ? -1 : connectToTarget()
            guard server >= 0 else {
                Glibc.close(client)
                state.withLock { $0.refused += 1 }
                continue
            }
            state.withLock { state in
                state.accepted += 1
                state.open.formUnion([client, server])
            }
            let ends = Ends(client, server, self)
            startThread { [self] in pump(from: client, to: server, ends) { $0.isBlack } }
            startThread { [self] in pump(from: server, to: client, ends) { $0.isBlack || $0.losesReplies } }
        }
        Glibc.close(listener)
    }

    /// Closes both ends when both directions are over.
    private final class Ends: Sendable {
        private let descriptors: [CInt]
        private let proxy: Proxy

        init(_ a: CInt, _ b: CInt, _ proxy: Proxy) {
            descriptors = [a, b]
            self.proxy = proxy
        }

        func end() { for descriptor in descriptors { shutdown(descriptor, CInt(SHUT_RDWR)) } }

        deinit {
            proxy.state.withLock { $0.open.subtract(descriptors) }
            for descriptor in descriptors { Glibc.close(descriptor) }
        }
    }

    private func pump(from source: CInt, to sink: CInt, _ ends: Ends, loses: (borrowing State) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            if count <= 0 { break }
            let (isLost, delay) = state.withLock { (loses($0), $0.delay) }
            if isLost { continue }
            if delay > 0 { usleep(delay * 1000) }
            var sent = 0
            while sent < count {
                let result = buffer.withUnsafeBytes { send(sink, $0.baseAddress! + sent, count - sent, CInt(MSG_NOSIGNAL)) }
                if result <= 0 { break }
                sent += result
            }
            if sent < count { break }
        }
        ends.end()
    }

    private func connectToTarget() -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: target)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        Glibc.close(descriptor)
        return -1
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
