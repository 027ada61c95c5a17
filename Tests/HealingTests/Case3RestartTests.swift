import AlertBus
import AlertBusWire
import Glibc
import TestSupport
import Testing

extension HealingTests {
    @Test("3. A subscriber killed and restarted has the right screen; meanwhile nobody is watching")
    func subscriberKilled() async throws {
        let arbiter = try await ArbiterProcess()
        let producer = try Producer(requests: arbiter.requests, name: "p")
        let first = try ScreenProcess(arbiter.requests, ["lobby/"])
        try await settled(first, arbiter.requests)
        let seen = try await producer.raise("lobby/a", "one", AlertConfig(isIntercept: false))
        #expect(seen.watchers == 1)
        try await settled(first, arbiter.requests)
        try await first.process.kill9()
        var count = 0
        try await poll(seconds: 10, "the arbiter to see that nobody is watching") {
            count += 1
            return try await producer.raise("lobby/a", "k\(count)", AlertConfig(isIntercept: false)).watchers == 0
        }
        let second = try ScreenProcess(arbiter.requests, ["lobby/"])
        let drawn = try await settled(second, arbiter.requests)[0]
        #expect(drawn.repairCount == 0)
        #expect(try await producer.raise("lobby/a", "last", AlertConfig(isIntercept: false)).watchers == 1)
        try await settled(second, arbiter.requests)
    }

    @Test("3. The arbiter killed and restarted with its journal in memory: new epoch, empty, and the screens follow")
    func arbiterKilledInMemory() async throws {
        let first = try await ArbiterProcess()
        let screens = try ScreenProcess(first.requests, ["lobby/", "lobby/a", "/"])
        let producer = try RawClient(first.requests)
        try await producer.flood(30) { Self.raise("lobby/\($0 % 3 == 0 ? "a" : "b")", "old\($0)") }
        try await settled(screens, first.requests)
        try await first.process.kill9()
        let second = try await ArbiterProcess(requests: first.requests)
        #expect(second.epoch > first.epoch)
        let empty = try await settled(screens, second.requests)
        #expect(empty.allSatisfy { $0.screens.isEmpty }, "what the arbiter has forgotten leaves the screens")
        #expect(empty.allSatisfy { $0.repairCount >= 1 && $0.reconnects == 1 })
        let again = try RawClient(second.requests)
        try await again.flood(9) { Self.raise("lobby/a", "new\($0)") }
        let drawn = try await settled(screens, second.requests)
        #expect(drawn[0].screens["lobby/a"]?.epoch == UInt64(second.epoch))
    }

    @Test("3. The arbiter killed in a flood and restarted with its file: what was acknowledged is shown, and nothing twice")
    func arbiterKilledWithJournal() async throws {
        let directory = TemporaryDirectory("healing")
        let journal = "\(directory.path)/journal"
        let first = try await ArbiterProcess(journal: journal)
        let screens = try ScreenProcess(first.requests, ["lobby/", "lobby/a"])
        try await settled(screens, first.requests)
        var arbiter = first
        var epochs = [first.epoch]
        for round in 0..<3 {
            let producer = try RawClient(arbiter.requests)
            try await producer.flood(60) { number in
                number % 3 == 2
                    ? Self.withdraw("lobby/a", "k\(round)-\(number - 1)") : Self.raise("lobby/a", "k\(round)-\(number)")
            }
            // And some of which nobody knows whether they arrived.
            for number in 0..<50 { try producer.send(Self.raise("lobby/b", "lost\(round)-\(number)")) }
            try await arbiter.process.kill9()
            arbiter = try await ArbiterProcess(requests: first.requests, journal: journal)
            epochs.append(arbiter.epoch)
            let state = try await wanted(arbiter.requests, "lobby/a")
            #expect(state.first?.shown.count == 20 * (round + 1))
            let drawn = try await settled(screens, arbiter.requests)
            #expect(drawn.allSatisfy { $0.reconnects == round + 1 && $0.repairCount >= round + 1 })
        }
        #expect(epochs == epochs.sorted() && Set(epochs).count == 4)
    }

    @Test("3. A connection cut in the middle, again and again: always the right screen, no show twice, no orphan")
    func cutInTheMiddle() async throws {
        let arbiter = try await ArbiterProcess()
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        let screens = try ScreenProcess(proxy.address, ["lobby/", "lobby/a", "/"])
        try await settled(screens, arbiter.requests)
        let producer = try RawClient(arbiter.requests)
        let text = String(repeating: "x", count: 3000)
        var previous = [Int](repeating: 0, count: 3)
        for round in 0..<6 {
            // Pieces come late, so that a cut finds some on their way.
            proxy.set { $0.delay = round % 2 == 0 ? 0 : 30 }
            try await producer.flood(200, window: 32) { number in
                if number == 100 { proxy.cut() }
                return number % 2 == 0
                    ? Self.raise("lobby/a", "k\(round)-\(number)", params: text)
                    : number % 6 == 1
                        ? Self.raise("lobby/b", "k\(round)-\(number)") : Self.withdraw("lobby/a", "k\(round)-\(number - 1)")
            }
            try await poll(seconds: 20, "the cut to be noticed") {
                try await screens.reports().enumerated().allSatisfy { $1.reconnects > previous[$0] }
            }
            let drawn = try await settled(screens, arbiter.requests)
            previous = drawn.map(\.reconnects)
        }
        let drawn = try await settled(screens, arbiter.requests)
        report("3 cut in the middle 6 times: \(drawn.map { "\($0.reconnects) reconnects (\($0.causes))" })")
        for report in drawn {
            #expect(report.repairs["reconnected", default: 0] + report.repairs["silence", default: 0] >= report.reconnects)
        }
    }

    @Test("3. A wire that swallows everything is noticed by silence, and repaired on another connection")
    func swallowed() async throws {
        let arbiter = try await ArbiterProcess()
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        let screens = try ScreenProcess(proxy.address, ["lobby/"])
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(3) { Self.raise("lobby/a", "k\($0)") }
        try await settled(screens, arbiter.requests)
        proxy.set { $0.toClients = .discard }
        try await producer.flood(2) { $0 == 0 ? Self.withdraw("lobby/a", "k0") : Self.raise("lobby/a", "k3") }
        try await poll(seconds: 20, "the silence to be noticed") { try await screens.report().link != "connected" }
        proxy.set { $0.toClients = .forward }
        let drawn = try await settled(screens, arbiter.requests)[0]
        #expect(drawn.repairs["silence"] == 1, "\(drawn.causes)")
    }
}
