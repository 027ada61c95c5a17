import AlertBus
import AlertBusWire
import Glibc
import TestSupport
import Testing

extension HealingTests {
    /// A quarter of a minute unless ALERTBUS_HEALING_SECONDS says more; the whole story is a minute.
    static var activity: Int { getenv("ALERTBUS_HEALING_SECONDS").flatMap { Int(String(cString: $0)) } ?? 15 }

    @Test("5. 1,000 surfaces, 200 subscribers, random cuts: every screen right in the end, every repair counted with its cause")
    func many() async throws {
        let arbiter = try await ArbiterProcess()
        let proxy = try Proxy(to: arbiter.port)
        defer { proxy.close() }
        // Twenty halls with fifty screens each. Scopes of every width, some subscribers with several.
        var scopes: [String] = []
        for number in 0..<200 {
            switch number % 10 {
            case 0: scopes.append(number == 0 ? "/" : "hall-\(number / 10)/")
            case 1...3: scopes.append("hall-\(number / 10)/row-\(number % 5)/")
            case 4: scopes.append("hall-\(number / 10)/row-1/,hall-\((number / 10 + 7) % 20)/row-2/")
            default: scopes.append("hall-\(number / 10)/row-\(number % 5)/seat-\(number % 7)")
            }
        }
        let processes = try (0..<5).map { process in
            try ScreenProcess(proxy.address, scopes.indices.filter { $0 % 5 == process }.map { scopes[$0] })
        }
        try await poll(seconds: 60, "200 connections") { proxy.connections == 200 }

        let surfaces = (0..<1000).map { "hall-\($0 / 50)/row-\($0 / 10 % 5)/seat-\($0 % 10)" }
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(1000) { Self.raise(surfaces[$0], "base") }
        let start = ContinuousClock.now
        var random = SystemRandomNumberGenerator()
        var cuts = 0
        var rounds = 0
        var up: Set<Int> = []
        while milliseconds(since: start) < Self.activity * 1000 {
            let round = rounds
            rounds += 1
            try await producer.flood(200, window: 64) { _ in
                let place = Int.random(in: 0..<1000, using: &random)
                if up.remove(place) != nil { return Self.withdraw(surfaces[place], "flash") }
                if Bool.random(using: &random) { return Self.update(surfaces[place], "base", text: "round \(round)") }
                up.insert(place)
                return Self.raise(surfaces[place], "flash")
            }
            if round % 5 == 4 {
                let count = Int.random(in: 1...20, using: &random)
                cuts += count
                proxy.set {
                    $0.cuts = count
                    $0.delay = Int64.random(in: 0...20)
                }
            }
        }
        proxy.set { $0.delay = 0 }
        var reports: [ScreenProcess.Report] = []
        for process in processes { reports += try await settled(process, arbiter.requests, seconds: 60) }
        var causes: [String: Int] = [:]
        for report in reports {
            for (cause, count) in report.repairs where count > 0 { causes[cause, default: 0] += count }
            // Each return of a connection is a repair, and is counted as that. One that is cut again before its snapshot has come is
            // one more, of which the screen saw nothing.
            #expect(report.repairs["reconnected", default: 0] + report.repairs["silence", default: 0] >= report.reconnects)
        }
        let reconnects = reports.reduce(0) { $0 + $1.reconnects }
        report(
            "5 \(rounds * 200) changes on 1,000 surfaces, \(cuts) cuts, \(reconnects) reconnects of 200 subscribers; repairs: \(causes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
        #expect(reports.count == 200)
        #expect(reconnects > 0)
        // Nothing is lost but by a cut, and nothing is repaired that was not lost.
        #expect(causes.values.reduce(0, +) <= cuts)
        #expect(causes["unanswered"] == nil, "a snapshot that was asked for did not come")
        let direct = try RawClient(arbiter.requests)
        try direct.send(#"{"v":1,"op":"list","ref":"l","surface":"/","subscribers":true}"#)
        var listed = 0
        for case .subscribers(let part) in try await direct.settle() { listed += part.subscribers.count }
        // The old connections of those that were cut are forgotten.
        try await poll(seconds: 20, "exactly 200 subscribers, got \(listed)") {
            try direct.send(#"{"v":1,"op":"list","ref":"l","surface":"/","subscribers":true}"#)
            listed = 0
            for case .subscribers(let part) in try await direct.settle() { listed += part.subscribers.count }
            return listed == 200
        }
    }
}
