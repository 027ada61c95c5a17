import AlertBusMeasure
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

    @Test("is found when a message is doubled", arguments: [1, 3])
    func double(subscribers: Int) async throws {
        let outcome = try await run(.double, subscribers: subscribers)
        #expect(outcome.code == 4 && failed(outcome) == [.doubled], "\(outcome.findings)")
        #expect(try outcome.check(.doubled).examples.first?.contains("again after") == true, "\(outcome.findings)")
    }
}
