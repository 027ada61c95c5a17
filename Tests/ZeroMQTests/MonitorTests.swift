import Testing
import ZeroMQ

@Suite struct MonitorTests {
    let context: Context

    init() throws { context = try Context() }

    @Test func tellsTheLifeOfAConnection() throws {
        let router = try RouterSocket(context)
        let serverMonitor = try Monitor(of: router)
        let endpoint = try router.bindAnywhere()
        let dealer = try DealerSocket(context)
        let clientMonitor = try Monitor(of: dealer)
        try dealer.connect(endpoint)
        let client = try clientMonitor.events { $0 == .handshakeSucceeded }
        #expect(client.contains(.connected))
        let server = try serverMonitor.events { $0 == .handshakeSucceeded }
        #expect(server.first == .listening)
        #expect(server.contains(.accepted))
        router.close()
        let end = try serverMonitor.events { $0 == .monitorStopped }
        #expect(end.last == .monitorStopped)
        let lost = try clientMonitor.events { if case .connectRetried = $0 { true } else { false } }
        #expect(lost.contains(.disconnected))
    }

    @Test func namesTheEndpoint() throws {
        let dealer = try DealerSocket(context)
        let monitor = try Monitor(of: dealer)
        let router = try RouterSocket(context)
        let endpoint = try router.bindAnywhere()
        try dealer.connect(endpoint)
        #expect(try monitor.waitToReceive(milliseconds: patience))
        let event = try #require(try monitor.tryReceive())
        #expect(event.endpoint == endpoint.description)
    }

    @Test func goesIntoAPollerAndDrains() throws {
        let router = try RouterSocket(context)
        let monitor = try Monitor(of: router)
        let poller = Poller()
        let slot = poller.add(monitor)
        _ = try router.bindAnywhere()
        #expect(try poller.wait(milliseconds: patience) == 1)
        #expect(poller.isReadable(slot))
        var kinds: [MonitorEvent.Kind] = []
        try monitor.drain { kinds.append($0.kind) }
        #expect(kinds == [.listening])
    }

    /// More events than two default queues hold, and nobody reads: the socket must still answer.
    @Test func aMonitorThatNobodyReadsDoesNotStallTheSocket() throws {
        let router = try RouterSocket(context)
        // Otherwise connects overflow the queue, and the system tries them again after a second.
        try router.setBacklog(4_096)
        let monitor = try Monitor(of: router)
        let endpoint = try router.bindAnywhere()
        for _ in 0..<1_200 { _ = try RawClient(endpoint) }
        let dealer = try DealerSocket(context)
        try dealer.connect(endpoint)
        try dealer.send("still there?")
        let answered = try router.waitToReceive(milliseconds: patience)
        var count = 0
        #expect(
            try eventually {
                try monitor.drain { _ in count += 1 }
                return count > 2_400
            })
        #expect(answered)
    }

    @Test func stoppingLeavesTheSocketAlive() throws {
        let router = try RouterSocket(context)
        let endpoint = try router.bindAnywhere()
        for _ in 0..<20 {
            do { _ = try Monitor(of: router) }
            let dealer = try DealerSocket(context)
            try dealer.connect(endpoint)
            try dealer.send("hello")
            var body = Message()
            _ = try router.next(into: &body)
            #expect(body.text == "hello")
        }
    }
}
