import AlertBusWire
import Glibc
import TestSupport
import Testing

@Suite("raise --wait")
struct WaitTests {
    /// Waits until an alert is there.
    static func appears(_ state: String, at arbiter: TestArbiter) async throws {
        try await poll(seconds: 30, "\(state)") { try await arbiter.states().contains(state) }
    }

    @Test("prints the answer that another process gave")
    func answer() async throws {
        let arbiter = try await TestArbiter()
        let waiting = try arbiter.start("raise", "a", "k", "--title", "Leave?", "--wait")
        try await Self.appears("k:shown", at: arbiter)
        #expect(try await arbiter.run("answer", "a", "k", #"{"action": "yes", "n": [1, 2.50]}"#).code == 0)
        #expect(try await waiting.wait() == 0)
        #expect(waiting.output == #"{"action":"yes","n":[1,2.50]}"# + "\n")
        #expect(waiting.errors == "note: nobody is watching a at the moment\n")
    }

    @Test("prints the reason where there is no answer, and tells by its exit code whether the alert was shown to its end")
    func reasons() async throws {
        let arbiter = try await TestArbiter()
        let dismissed = try arbiter.start("raise", "a", "dismissed", "--wait")
        try await Self.appears("dismissed:shown", at: arbiter)
        let withdrawn = try arbiter.start("raise", "a", "withdrawn", "--wait", "--json")
        try await Self.appears("withdrawn:deferred", at: arbiter)
        let refused = try await arbiter.run("raise", "a", "refused", "--no-activate", "--wait")
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.errors.hasPrefix("alertbus raise: refused: intercepted: "))
        _ = try await arbiter.run("withdraw", "a", "withdrawn")
        #expect(try await withdrawn.wait() == 1)
        #expect(withdrawn.output == #"{"reason":"withdrawn","instance":2,"revision":1}"# + "\n")
        #expect(
            withdrawn.errors
                == "note: nobody is watching a at the moment\nalertbus raise: the alert ended: withdrawn by its producer\n")
        _ = try await arbiter.run("dismiss", "a")
        #expect(try await dismissed.wait() == 0)
        #expect(dismissed.output == "dismissed\n")
        let timedOut = try await arbiter.run("raise", "b", "short", "--display-for", "50ms", "--wait")
        #expect(timedOut.code == 0 && timedOut.output == "timed_out\n")
        let expired = try await arbiter.run("raise", "b", "short", "--ttl", "50ms", "--wait")
        #expect(expired.code == 1 && expired.output == "expired\n")
    }

    @Test("survives a kill -9 of the arbiter")
    func restart() async throws {
        let directory = TemporaryDirectory("command")
        let address = "ipc://\(directory.path)/requests"
        let journal = directory.file("journal")
        let first = try await TestArbiter(address: address, journal: journal)
        let waiting = try first.start("raise", "a", "k", "--wait")
        try await Self.appears("k:shown", at: first)
        first.process.send(SIGKILL)
        #expect(try await first.process.wait() == 128 + SIGKILL)
        let second = try await TestArbiter(address: address, journal: journal)
        #expect(try await second.run("answer", "a", "k", "7").code == 0)
        #expect(try await waiting.wait() == 0)
        #expect(waiting.output == "7\n")
    }

    @Test("with --on-owner-loss close takes the alert along when it is killed")
    func ownerLoss() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file("alertbus.toml", "[liveness]\nowner_timeout_ms = 2500\n")
        let arbiter = try await TestArbiter(["--config", file])
        let waiting = try arbiter.start("raise", "a", "k", "--wait", "--on-owner-loss", "close")
        try await Self.appears("k:shown", at: arbiter)
        waiting.send(SIGKILL)
        try await poll(seconds: 30, "the end of the alert") { try await arbiter.states().isEmpty }
        #expect(try await arbiter.run("dismiss", "a", "k").errors.contains("its producer died"))
    }
}
