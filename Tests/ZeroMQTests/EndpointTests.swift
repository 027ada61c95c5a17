import Testing
import ZeroMQ

@Suite struct EndpointTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:5555", Endpoint.tcp(host: "127.0.0.1", port: 5555)),
        ("tcp://*:5555", .tcp(host: "*", port: 5555)),
        ("tcp://localhost:*", .tcp(host: "localhost", port: 0)),
        ("tcp://[::1]:1", .tcp(host: "::1", port: 1)),
        ("ipc:///run/bus", .ipc(path: "/run/bus")),
        ("ipc://@bus", .ipc(path: "@bus")),
        ("inproc://x", .inproc(name: "x")),
    ]) func isParsed(text: String, endpoint: Endpoint) throws {
        #expect(try Endpoint(text) == endpoint)
        #expect(try Endpoint(endpoint.description) == endpoint)
    }

    @Test(arguments: [
        ("", EndpointFault.noTransport("")),
        ("127.0.0.1:5555", .noTransport("127.0.0.1:5555")),
        ("udp://a:1", .unknownTransport("udp://a:1", transport: "udp")),
        ("tcp://a", .noPort("tcp://a")),
        ("tcp://:1", .noHost("tcp://:1")),
        ("tcp://a:", .badPort("tcp://a:")),
        ("tcp://a:65536", .badPort("tcp://a:65536")),
        ("tcp://a:+1", .badPort("tcp://a:+1")),
        ("tcp://a b:1", .badHost("tcp://a b:1")),
        ("tcp://a;b:1", .badHost("tcp://a;b:1")),
        ("tcp://::1:1", .noBrackets("tcp://::1:1")),
        ("ipc://", .emptyName("ipc://")),
        ("inproc://", .emptyName("inproc://")),
    ]) func isRefused(text: String, fault: EndpointFault) {
        #expect(throws: fault) { _ = try Endpoint(text) }
        #expect(!fault.description.isEmpty)
    }

    @Test func anIPCPathMayHave107Bytes() throws {
        let longest = "/" + String(repeating: "p", count: 106)
        #expect(try Endpoint("ipc://" + longest) == .ipc(path: longest))
        let tooLong = longest + "p"
        #expect(throws: EndpointFault.ipcPathTooLong(tooLong, bytes: 108)) { _ = try Endpoint("ipc://" + tooLong) }
        // Built by hand it is refused at the bind.
        let socket = try PairSocket(try Context())
        #expect(throws: BindError.endpoint(.ipcPathTooLong(tooLong, bytes: 108))) {
            try socket.bind(.ipc(path: tooLong))
        }
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:1", true), ("tcp://127.8.9.10:1", true), ("tcp://localhost:1", true), ("tcp://[::1]:1", true),
        ("ipc:///x", true), ("inproc://x", true), ("tcp://*:1", false), ("tcp://0.0.0.0:1", false),
        ("tcp://127.0.0.1.example.org:1", false), ("tcp://127.example:1", false), ("tcp://[::]:1", false),
        ("tcp://10.0.0.1:1", false), ("tcp://127.0.0.256:1", false),
    ]) func knowsLoopback(text: String, loopback: Bool) throws {
        #expect(try Endpoint(text).isLoopback == loopback)
    }

    @Test func localhostCanBeBound() throws {
        let socket = try RouterSocket(try Context())
        try socket.bind(.tcp(host: "localhost", port: 0))
        guard case .tcp("127.0.0.1", let port) = try socket.boundEndpoint() else {
            Issue.record("not bound to loopback")
            return
        }
        #expect(port != 0)
    }

    @Test func ipv6Loopback() throws {
        let context = try Context()
        let router = try RouterSocket(context)
        try router.setIPv6(true)
        do {
            try router.bind(.tcp(host: "::1", port: 0))
        } catch {
            // A machine without IPv6 says so, and nothing else.
            #expect([.library(.noSuchDevice), .library(.addressNotAvailable)].contains(error))
            return
        }
        let dealer = try DealerSocket(context)
        try dealer.setIPv6(true)
        try dealer.connect(try router.boundEndpoint())
        try dealer.send("six")
        var body = Message()
        _ = try router.next(into: &body)
        #expect(body.text == "six")
    }
}
