import Glibc

/// What a listener says of itself before any handshake: which mechanism it wants.
///
/// A client that comes with another mechanism is hung up on, and libzmq 4.3.4 tells why only when it reads the greeting before it
/// notices the hang-up. On a connection that sends no more than the first bytes of a greeting, the other side sends all of its own and waits.
public enum ServerGreeting {
    /// The mechanism of whoever listens: `NULL`, `CURVE`, `PLAIN` or `GSSAPI`.
    ///
    /// - Parameter milliseconds: the longest wait for the connection, and again for the greeting.
    /// - Returns: nil when nobody listens, or what does not speak ZMTP 3, or says nothing in time.
    public static func mechanism(of endpoint: Endpoint, milliseconds: Int = 500) -> String? {
        guard let descriptor = connect(endpoint, milliseconds) else { return nil }
        defer { _ = Glibc.close(descriptor) }
        // The signature, and the version that makes the other side send its mechanism.
        let opening: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3]
        guard Glibc.send(descriptor, opening, opening.count, CInt(MSG_NOSIGNAL)) == opening.count else { return nil }
        let deadline = monotonicMilliseconds() + Int64(milliseconds)
        var greeting: [UInt8] = []
        while greeting.count < mechanismPlace.upperBound {
            guard isReady(descriptor, POLLIN, until: deadline) else { return nil }
            var part = [UInt8](repeating: 0, count: 64)
            let count = retryingInterrupts { CInt(Glibc.recv(descriptor, &part, part.count, 0)) }
            guard count > 0 else { return nil }
            greeting += part[..<Int(count)]
        }
        guard greeting[0] == 0xff, greeting[9] & 1 == 1, greeting[10] >= 3 else { return nil }
        return String(validating: greeting[mechanismPlace].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Why a handshake that was ended without a word cannot succeed: one side wants keys, the other has none.
    ///
    /// - Parameter hasKeys: whether this side comes with CURVE.
    /// - Returns: nil when that is not the reason, or it cannot be told.
    public static func disagreement(_ endpoint: Endpoint, hasKeys: Bool) -> String? {
        switch mechanism(of: endpoint) {
        case nil, hasKeys ? "CURVE" : "NULL": nil
        case "CURVE": "it wants keys, and this client has none"
        case "NULL": "it uses no keys, and this client does"
        case let other?: "it wants the mechanism \(other)"
        }
    }

    private static let mechanismPlace = 12..<32

    private static func connect(_ endpoint: Endpoint, _ milliseconds: Int) -> CInt? {
        switch endpoint {
        case .inproc: return nil
        case .ipc(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // A name in the abstract namespace begins with a zero and has no end but its length.
            let name = path.hasPrefix("@") ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8) + [0]
            guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let length = MemoryLayout<sa_family_t>.size + name.count
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(AF_UNIX, $0, socklen_t(length), milliseconds)
                }
            }
        case .tcp(let host, let port):
            var hints = addrinfo()
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
            defer { freeaddrinfo(found) }
            var next = found
            while let address = next?.pointee {
                let descriptor = address.ai_addr.flatMap { connect(address.ai_family, $0, address.ai_addrlen, milliseconds) }
                if let descriptor { return descriptor }
                next = address.ai_next
            }
            return nil
        }
    }

    private static func connect(
        _ family: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t, _ milliseconds: Int
    ) -> CInt? {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if Glibc.connect(descriptor, address, length) == 0 { return descriptor }
        var fault: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        if errno == EINPROGRESS, isReady(descriptor, POLLOUT, until: monotonicMilliseconds() + Int64(milliseconds)),
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size) == 0, fault == 0
        {
            return descriptor
        }
        _ = Glibc.close(descriptor)
        return nil
    }

    private static func isReady(_ descriptor: CInt, _ events: CInt, until deadline: Int64) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let ready = Glibc.poll(&item, 1, CInt(max(0, deadline - monotonicMilliseconds())))
            if ready >= 0 { return ready > 0 }
            if errno != EINTR { return false }
        }
    }
}
