import Glibc
import TestSupport
import Testing
import ZeroMQ

/// What a listener wants is known before a handshake, however soon it hangs up on one.
@Suite struct ServerGreetingTests {
    let context: Context

    init() throws { context = try Context() }

    private func router(_ keys: CurveKeyPair? = nil, at endpoint: Endpoint) throws -> (RouterSocket, Endpoint) {
        let router = try RouterSocket(context)
        if let keys { try router.setCurveServer(secretKey: keys.secretKey) }
        try router.bind(endpoint)
        return (router, try Endpoint(try router.lastEndpoint()))
    }

    /// A listener of TCP that does with each connection what it is told.
    private func listener(_ serve: @escaping @Sendable (CInt) -> Void) throws -> Endpoint {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> UInt16? in
                guard bind(descriptor, generic, length) == 0, listen(descriptor, 4) == 0 else { return nil }
                guard getsockname(descriptor, generic, &length) == 0 else { return nil }
                return 0
            }
        }
        try #require(port != nil)
        TestThread {
            let connection = accept(descriptor, nil, nil)
            serve(connection)
            close(connection)
            close(descriptor)
        }.detach()
        return .tcp(host: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
    }

    @Test(arguments: [false, true]) func theMechanismIsTold(isFile: Bool) throws {
        let directory = TemporaryDirectory()
        func place(_ name: String) -> Endpoint {
            isFile ? .ipc(path: directory.path + "/" + name) : .tcp(host: "127.0.0.1", port: 0)
        }
        let (plain, first) = try router(at: place("plain"))
        let (curve, second) = try router(try .generate(), at: place("curve"))
        // Again and again: nothing of it is left to chance.
        for _ in 0..<50 {
            #expect(ServerGreeting.mechanism(of: first) == "NULL")
            #expect(ServerGreeting.mechanism(of: second) == "CURVE")
        }
        #expect(ServerGreeting.disagreement(first, hasKeys: false) == nil)
        #expect(ServerGreeting.disagreement(first, hasKeys: true)?.contains("uses no keys") == true)
        #expect(ServerGreeting.disagreement(second, hasKeys: false)?.contains("wants keys") == true)
        #expect(ServerGreeting.disagreement(second, hasKeys: true) == nil)
        withExtendedLifetime((plain, curve)) {}
    }

    @Test func aNameInTheAbstractNamespace() throws {
        let (router, endpoint) = try router(at: .ipc(path: "@alertbus-greeting-\(getpid())"))
        #expect(ServerGreeting.mechanism(of: endpoint) == "NULL")
        withExtendedLifetime(router) {}
    }

    @Test func otherListenersTellNothing() throws {
        #expect(ServerGreeting.mechanism(of: try listener { _ in }) == nil)
        let text = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        #expect(ServerGreeting.mechanism(of: try listener { _ = send($0, text, text.count, CInt(MSG_NOSIGNAL)) }) == nil)
        // It reads and says nothing: the wait has an end.
        let silent = try listener {
            var bytes = [UInt8](repeating: 0, count: 64)
            while recv($0, &bytes, bytes.count, 0) > 0 {}
        }
        #expect(ServerGreeting.mechanism(of: silent, milliseconds: 50) == nil)
        #expect(ServerGreeting.mechanism(of: .ipc(path: "/nonexistent/socket")) == nil)
        #expect(ServerGreeting.mechanism(of: .inproc(name: "x")) == nil)
    }
}
