import AlertBus
import AlertBusWire
import TestSupport
import Testing

extension HealingTests {
    @Test("4. A producer whose replies are lost sends again: one alert, one instance")
    func repliesLost() async throws {
        let arbiter = try await ArbiterProcess()
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        let watcher = try RawClient(arbiter.requests)
        try watcher.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"lobby/"}"#)
        _ = try await watcher.settle()
        var options = ClientOptions()
        options.timeout = nil
        options.reconnect = .milliseconds(100)
        let producer = try Producer(requests: proxy.address, name: "p", options: options)
        let bystander = try Operator(requests: arbiter.requests)
        try await poll(seconds: 20, "the producer to connect") { producer.link == .connected }

        for round in 1...3 {
            proxy.set { $0.toClients = .discard }
            async let raised = producer.raise("lobby/a", "door-\(round)", AlertConfig(title: "Door", isIntercept: false))
            // It has arrived, and the reply is gone. In the first round the client finds out by silence alone.
            try await poll(seconds: 20, "the alert to arrive") { try await bystander.list("lobby/").count == round }
            if round > 1 { proxy.cut() }
            if round == 1 { try await poll(seconds: 20, "the silence to be noticed") { producer.link != .connected } }
            proxy.set { $0.toClients = .forward }
            let handle = try await raised
            #expect(handle.instance == UInt64(round))
        }
        #expect(try await bystander.list("lobby/").map(\.instance) == [3, 2, 1])
        let shows = try await watcher.settle().compactMap { message -> UInt64? in
            guard case .stream(let message) = message, case .show(let alert) = message.change else { return nil }
            return alert.instance
        }
        #expect(shows == [1, 2, 3])
    }

    @Test("4. Even \"dismiss the top one\" takes effect once when its reply is lost")
    func onceOverReconnect() async throws {
        let arbiter = try await ArbiterProcess()
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        let direct = try RawClient(arbiter.requests)
        try await direct.flood(3) { Self.raise("lobby/a", "k\($0)") }
        var options = ClientOptions()
        options.timeout = nil
        options.reconnect = .milliseconds(100)
        let person = try Operator(requests: proxy.address, options: options)
        #expect(try await person.list("lobby/").count == 3)
        proxy.set { $0.toClients = .discard }
        async let dismissed = person.dismiss("lobby/a")
        let bystander = try Operator(requests: arbiter.requests)
        try await poll(seconds: 20, "the dismissal to arrive") { try await bystander.list("lobby/").count == 2 }
        proxy.cut()
        proxy.set { $0.toClients = .forward }
        #expect(try await dismissed.instance == 3)
        #expect(try await bystander.list("lobby/").map(\.key) == ["k1", "k0"])
    }
}
