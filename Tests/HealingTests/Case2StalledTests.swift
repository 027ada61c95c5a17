import AlertBus
import AlertBusWire
import Glibc
import TestSupport
import Testing

extension HealingTests {
    /// A flood that no queue can hold: changes and the bytes of each.
    struct Flood: CustomTestStringConvertible, Sendable {
        var changes: Int
        var bytes: Int
        var testDescription: String { "\(changes) changes of \(bytes) bytes" }
    }

    @Test(
        "2. A subscriber stopped through a flood beyond every high-water mark: right screen within 2 s after it runs again, memory bounded, others unaffected",
        arguments: [Flood(changes: 6000, bytes: 3500), Flood(changes: 1500, bytes: 24_000)])
    func stopped(flood: Flood) async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[limits]\nsubscriber_backlog_bytes = 1_048_576\n")
        let arbiter = try await ArbiterProcess(configuration: configuration)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(2) { Self.raise("lobby/a", "k\($0)") }
        let stopped = try ScreenProcess(arbiter.requests, ["lobby/a"])
        let others = try ScreenProcess(arbiter.requests, ["lobby/a", "lobby/", "/"])
        try await settled(stopped, arbiter.requests)
        try await settled(others, arbiter.requests)

        stopped.process.send(SIGSTOP)
        let text = String(repeating: "x", count: flood.bytes)
        // The first rounds fill what every process needs once.
        try await producer.flood(200, window: 16) { Self.update("lobby/a", "k\($0 % 2)", text: "\($0)" + text) }
        let before = try arbiter.process.residentBytes
        var most = before
        let start = ContinuousClock.now
        for round in 0..<20 {
            try await producer.flood(flood.changes / 20, window: 16) {
                Self.update("lobby/a", "k\($0 % 2)", text: "\(round)-\($0)" + text)
            }
            most = max(most, try arbiter.process.residentBytes)
        }
        try await producer.flood(2) { $0 == 0 ? Self.withdraw("lobby/a", "k0") : Self.raise("lobby/a", "k2") }
        let took = milliseconds(since: start)
        let rate = flood.changes * 1000 / max(1, took)

        stopped.process.send(SIGCONT)
        let woken = ContinuousClock.now
        let drawn = try await settled(stopped, arbiter.requests)[0]
        let healed = milliseconds(since: woken)
        let rest = try await settled(others, arbiter.requests)

        report(
            "2 stopped through \(flood.testDescription) in \(took) ms (\(rate)/s): right after \(healed) ms (\(drawn.causes)); "
                + "memory of the arbiter grew by \((most - before) >> 20) MiB at most")
        #expect(healed <= 2000)
        #expect(drawn.repairCount > 0, "what no queue holds has to be repaired")
        #expect(most - before < 24 << 20)
        for report in rest { #expect(report.repairCount == 0, "another subscriber was disturbed: \(report.causes)") }
    }

    @Test("2. One that never takes anything costs bounded memory too, and is forgotten when it dies")
    func neverReads() async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[limits]\nmessage_bytes = 262_144\nsubscriber_backlog_bytes = 262_144\n")
        let arbiter = try await ArbiterProcess(configuration: configuration)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(1) { _ in Self.raise("lobby/a", "k") }
        // Twenty subscribers in one process, all stopped.
        let stopped = try ScreenProcess(arbiter.requests, [String](repeating: "lobby/a", count: 20))
        try await settled(stopped, arbiter.requests)
        stopped.process.send(SIGSTOP)
        let text = String(repeating: "x", count: 200_000)
        try await producer.flood(20, window: 8) { Self.update("lobby/a", "k", text: "\($0)" + text) }
        let before = try arbiter.process.residentBytes
        try await producer.flood(150, window: 8) { Self.update("lobby/a", "k", text: "\($0)" + text) }
        let grown = try arbiter.process.residentBytes - before
        report("2 twenty stopped subscribers and 600 MB for them: memory of the arbiter grew by \(grown >> 20) MiB")
        // Two MiB for each in libzmq, and the backlogs.
        #expect(grown < 64 << 20)
        try await stopped.process.kill9()
        let seen = try Operator(requests: arbiter.requests)
        try await poll(seconds: 20, "the dead to be forgotten") { try await seen.listSubscribers().isEmpty }
    }
}
