import AlertBus
import AlertBusWire
import Glibc
import TestSupport
import Testing
import ZeroMQ

extension HealingTests {
    @Test("2. A snapshot larger than every queue comes in parts, over a wire that stalls again and again while the screens change")
    func longSnapshot() async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[limits]\nsubscriber_backlog_bytes = 1_048_576\n")
        let arbiter = try await ArbiterProcess(configuration: configuration)
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        let text = String(repeating: "x", count: 20_000)
        let producer = try RawClient(arbiter.requests)
        // 16 MB in all.
        try await producer.flood(800, window: 32) { Self.raise("hall/\($0)", "k", params: text) }
        let screens = try ScreenProcess(proxy.address, ["hall/", "/"])
        for round in 0..<8 {
            // At first the very first snapshot is disturbed, later the stream.
            if round == 4 { try await settled(screens, arbiter.requests, seconds: 60) }
            proxy.set { $0.toClients = .block }
            // More than the system, libzmq and the backlog hold together.
            try await producer.flood(500, window: 32) {
                Self.update("hall/\(($0 * 11 + round) % 800)", "k", text: "\(round)" + text)
            }
            proxy.set { $0.toClients = .forward }
            try await producer.flood(20, window: 4) { Self.update("hall/\($0 + round)", "k", text: "again \(round)" + text) }
        }
        let drawn = try await settled(screens, arbiter.requests, seconds: 60)
        let resyncs = try await Operator(requests: arbiter.requests).listSubscribers().map(\.resyncs)
        report("2 a snapshot of 16 MB over a wire that stalls: streams begun again \(resyncs), repairs \(drawn.map(\.causes))")
        #expect(resyncs.count == 2 && resyncs.allSatisfy { $0 > 1 })
        #expect(drawn.allSatisfy { $0.repairs["pushed", default: 0] > 0 })
        #expect(drawn.allSatisfy { $0.screens.count == 800 })
    }

    @Test("A REQ gets the first part of a long reply, which says that it is not all, and then the replies to what it asks")
    func firstPart() async throws {
        let arbiter = try await ArbiterProcess()
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(3000) { Self.raise("hall/\($0)", "k") }
        let script = try RequestSocket(try Context())
        try script.connect(try Endpoint(arbiter.requests))
        for _ in 0..<3 {
            for (op, isAll) in [("sync", false), ("list", false), ("ping", true)] {
                try script.send(#"{"v":1,"op":"\#(op)","ref":"\#(op)","surface":"/"}"#)
                #expect(try script.waitToReceive(milliseconds: 20_000))
                let reply = try JSONValue(try script.receive().bytes)
                #expect(reply["ref"]?.string == op)
                #expect(reply["last"]?.boolean ?? true == isAll)
            }
        }
    }

    @Test("The arbiter knows of each screen who it is, what it has drawn, how far it is behind, and its time to screen")
    func whoWatches() async throws {
        let arbiter = try await ArbiterProcess()
        let seen = try Operator(requests: arbiter.requests)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(5) { Self.raise("lobby/a", "before\($0)") }
        let screens = try ScreenProcess(arbiter.requests, ["lobby/"])
        try await settled(screens, arbiter.requests)
        // What came by a snapshot was drawn, but its time to screen says nothing.
        var found: [SubscriberSummary] = []
        try await poll(seconds: 20, "the snapshot to be drawn") {
            found = try await seen.listSubscribers()
            return found.first?.screens.first?.drawn == 5
        }
        #expect(found.count == 1 && found[0].toScreen == nil && found[0].screens[0].toScreen == nil)
        for number in 0..<20 { try await producer.flood(1) { _ in Self.raise("lobby/a", "k\(number)") } }
        try await poll(seconds: 20, "everything to be drawn") {
            found = try await seen.listSubscribers()
            return found.first?.screens.first?.drawn == 25
        }
        let screen = found[0].screens[0]
        #expect(screen.sent == 25 && screen.behind == 0 && found[0].resyncs == 0)
        guard let times = found[0].toScreen, let last = screen.toScreen else { throw Failure("no time to screen: \(found)") }
        #expect(times.p50 > 0 && times.p50 <= times.p99 && last > 0)
        report("time to screen, confirmation included: p50 \(times.p50) ms, p99 \(times.p99) ms")

        // One that answers nothing and draws nothing is seen to be behind.
        screens.process.send(SIGSTOP)
        try await producer.flood(1) { _ in Self.raise("lobby/a", "unseen") }
        try await poll(seconds: 20, "the screen to be behind") {
            found = try await seen.listSubscribers()
            return found.first?.screens.first?.behind ?? 0 > 500
        }
        #expect(found[0].screens[0].sent == 26 && found[0].screens[0].drawn == 25)
        screens.process.send(SIGCONT)
        try await poll(seconds: 20, "the screen to have drawn it") {
            found = try await seen.listSubscribers()
            return found.first?.screens.first?.drawn == 26 && found.first?.screens.first?.behind == 0
        }
    }

    @Test("Subscriptions come and go: each scope is delivered once, and only while it is asked for")
    func scopes() async throws {
        let arbiter = try await ArbiterProcess()
        let client = try RawClient(arbiter.requests)
        let producer = try RawClient(arbiter.requests)
        func streams() async throws -> [String] {
            try await client.settle().compactMap { message in
                guard case .stream(let message) = message, case .show(let alert) = message.change else { return nil }
                return "\(message.surface) \(alert.key)"
            }
        }
        func subscribe(_ op: String, _ scope: String) throws {
            try client.send(#"{"v":1,"op":"\#(op)","ref":"s","surface":"\#(scope)"}"#)
        }
        for scope in ["lobby/", "lobby/a", "/", "lobby/"] { try subscribe("subscribe", scope) }
        _ = try await streams()
        var number = 0
        func raised() async throws -> [String] {
            number += 1
            try await producer.flood(3) { Self.raise(["lobby/a", "lobby/b", "hall"][$0], "k\(number)") }
            return try await streams()
        }
        #expect(try await raised() == ["lobby/a k1", "lobby/b k1", "hall k1"])
        try subscribe("unsubscribe", "/")
        #expect(try await raised() == ["lobby/a k2", "lobby/b k2"])
        try subscribe("unsubscribe", "lobby/")
        #expect(try await raised() == ["lobby/a k3"])
        try subscribe("unsubscribe", "lobby/a")
        #expect(try await raised() == [])
        // Back again: a snapshot of what was missed, and then the stream.
        try subscribe("subscribe", "lobby/b")
        let heard = try await client.settle()
        guard case .snapshot(let part) = heard[0] else { throw Failure("a snapshot was expected, got \(heard)") }
        #expect(part.surfaces.map(\.seq) == [4])
        #expect(try await raised() == ["lobby/b k5"])
    }
}
