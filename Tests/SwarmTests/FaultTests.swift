import AlertBusMeasure
import TestSupport
import Testing

/// A relay between the swarm and the arbiter does one thing wrong, and the swarm must find exactly that.
@Suite("A fault on purpose", .serialized)
struct FaultTests {
    private func run(_ fault: Relay.Fault, subscribers: Int = 1) async throws -> SwarmOutcome {
        let arbiter = try await RunningArbiter()
        let relay = try Relay(to: arbiter.address, fault: fault)
        defer { relay.stop() }
        return try await swarm([
            "--requests", relay.address, "--duration", "1500ms", "--rate", "300", "--producers", "4", "--surfaces", "1",
            "--subscribers", "\(subscribers)", "--timeout", "30s",
        ])
    }

    private func failed(_ outcome: SwarmOutcome) -> [SwarmReport.Check.Name] {
        outcome.report.checks.filter { !$0.passed }.map(\.name)
    }

    @Test("is not there without one")
    func none() async throws {
        let outcome = try await run(.none, subscribers: 3)
        #expect(outcome.code == 0 && failed(outcome).isEmpty, "\(outcome.findings)")
    }

    @Test("is found when a message is dropped", arguments: [1, 3])
    func drop(subscribers: Int) async throws {
        let outcome = try await run(.drop, subscribers: subscribers)
        #expect(outcome.code == 4 && failed(outcome) == [.lost], "\(outcome.findings)")
        #expect(try outcome.check(.lost).examples.first?.contains("did not come to subscriber") == true, "\(outcome.findings)")
        #expect(outcome.output.contains("FAILED"))
    }

    @Test("is found when two messages are swapped", arguments: [1, 3])
    func swap(subscribers: Int) async throws {
        let outcome = try await run(.swap, subscribers: subscribers)
        #expect(outcome.code == 4 && failed(outcome) == [.order], "\(outcome.findings)")
    }

    private func runShort(_ fault: Relay.Fault) async throws -> SwarmOutcome {
        let scratch = TemporaryDirectory("swarm")
        let profile = scratch.file("short.toml", "[load]\nwithdraw = 0\n[[alert]]\nttl_ms = 1000\ndisplay_ms = 20\n")
        let arbiter = try await RunningArbiter()
        let relay = try Relay(to: arbiter.address, fault: fault)
        defer { relay.stop() }
        return try await swarm([
            "--requests", relay.address, "--duration", "1s", "--rate", "100", "--mix", profile, "--timeout", "30s",
        ])
    }

    @Test("is found when a producer is not told the end of its alert")
    func hiddenEnd() async throws {
        let outcome = try await runShort(.hideEnd)
        #expect(outcome.code == 4 && failed(outcome) == [.lost], "\(outcome.findings)")
        #expect(try outcome.check(.lost).examples.first?.contains("its producer was not told") == true, "\(outcome.findings)")
    }

    @Test("is none when a reply is lost: the command is sent again")
    func hiddenReply() async throws {
        let outcome = try await runShort(.hideReply)
        #expect(outcome.code == 0 && failed(outcome).isEmpty, "\(outcome.findings)")
        #expect(outcome.report.counts.resent >= 1)
    }

    @Test("is found when a message is doubled", arguments: [1, 3])
    func double(subscribers: Int) async throws {
        let outcome = try await run(.double, subscribers: subscribers)
        #expect(outcome.code == 4 && failed(outcome) == [.doubled], "\(outcome.findings)")
        #expect(try outcome.check(.doubled).examples.first?.contains("again after") == true, "\(outcome.findings)")
    }
}
