import AlertBusMeasure
import AlertBusWire
import Foundation
import TestSupport
import Testing

/// Whole runs with a real arbiter.
@Suite("A swarm", .serialized)
struct RunTests {
    private static let small = ["--duration", "1500ms", "--rate", "400", "--timeout", "30s"]

    private func expectClean(_ outcome: SwarmOutcome, alerts: UInt64 = 50) throws {
        #expect(outcome.code == 0, "\(outcome.findings)")
        #expect(outcome.report.passed, "\(outcome.findings)")
        #expect(try outcome.check(.ended).examined >= alerts)
        #expect(outcome.report.counts.acknowledged == outcome.report.counts.sent)
        #expect(outcome.report.acknowledgement.raw.count == outcome.report.counts.acknowledged)
    }

    @Test("finds nothing wrong with an arbiter in memory, and tells what it did")
    func memory() async throws {
        let scratch = TemporaryDirectory("swarm")
        let outcome = try await swarm(Self.small + ["--start", "memory", "--html", scratch.path("page.html")])
        try expectClean(outcome)
        let report = outcome.report
        #expect(report.title == "steady" && report.setup.journal == "memory" && report.parts.count == 1)
        #expect(report.setup.offeredRate == 400 && report.counts.sent == 600)
        #expect(report.counts.shown > 20 && report.counts.deliveries > report.counts.shown)
        #expect(!report.timeToScreen.isEmpty && report.timeline.count >= 1)
        #expect(outcome.output.contains("PASSED") && outcome.errors.isEmpty)
        #expect(TextFile.read(scratch.path("page.html"))?.contains("</html>") == true)
    }

    @Test("finds nothing wrong with an arbiter that keeps a journal")
    func file() async throws {
        let scratch = TemporaryDirectory("swarm")
        let outcome = try await swarm(Self.small + ["--start", scratch.path("journal")])
        try expectClean(outcome)
        #expect(outcome.report.setup.journal == "sqlite")
        #expect((TextFile.read(scratch.path("journal")) ?? "").count > 1000)
    }

    @Test("encrypts all connections with keys of its own")
    func curve() async throws {
        let outcome = try await swarm(Self.small + ["--start", "memory", "--curve"])
        try expectClean(outcome)
        #expect(outcome.report.setup.isSecure)
    }

    @Test("encrypts with keys that it is given")
    func givenKeys() async throws {
        let scratch = TemporaryDirectory("swarm")
        for (name, words) in [("server", ["--server"]), ("client", [])] {
            let keygen = try Program(["keygen", name, "--out", scratch.path(name)] + words)
            #expect(try await keygen.wait() == 0, "\(keygen.errors)")
        }
        let key = try #require(TextFile.read(scratch.path("server"))?.split(separator: "\n").first { $0.hasPrefix("public") })
        let server = String(try #require(key.split(separator: "\"").dropFirst().first))
        let configuration =
            "[security]\ncurve_key_file = \"\(scratch.path("server"))\"\n[default_policy]\nactivation_delay_ms = 0\n"
        let arbiter = try await RunningArbiter(configuration: configuration)
        let keys = ["--key=\(scratch.path("client"))", "--server-key=\(server)"]
        try expectClean(try await swarm(Self.small + ["--requests", arbiter.address] + keys))
    }

    @Test("goes on through connections that come and go")
    func churn() async throws {
        let outcome = try await swarm([
            "--start", "memory", "--duration", "4s", "--rate", "400", "--mix", Repository.profile("churn"),
        ])
        try expectClean(outcome)
        #expect(outcome.report.counts.reconnects > 5)
    }

    @Test("brings every answer to the one who asked")
    func answers() async throws {
        let outcome = try await swarm([
            "--start", "memory", "--duration", "2s", "--rate", "100", "--surfaces", "8", "--subscribers", "8", "--mix",
            Repository.profile("answers"),
        ])
        try expectClean(outcome, alerts: 20)
        #expect(try outcome.check(.answered).examined > 10)
        #expect(outcome.report.counts.ended["answered"] ?? 0 > 10 && outcome.report.counts.ended["dismissed"] ?? 0 > 0)
        #expect(outcome.report.answer.raw.count == outcome.report.counts.ended["answered"])
    }

    @Test("runs every sample", arguments: ["bursts", "priority-storm", "cover-storm", "slow-subscribers"])
    func samples(name: String) async throws {
        try expectClean(
            try await swarm(["--start", "memory", "--duration", "2s", "--rate", "500", "--mix", Repository.profile(name)]))
    }

    @Test("shares the work among processes")
    func processes() async throws {
        let outcome = try await swarm(Self.small + ["--start", "memory", "--processes", "2", "--producers", "7"])
        try expectClean(outcome)
        #expect(outcome.report.setup.producers == 7 && outcome.report.setup.subscribers == 4 && outcome.report.setup.surfaces == 4)
        #expect((600...602).contains(outcome.report.counts.sent) && outcome.report.parts.count == 1)
    }

    @Test("sends as fast as the replies come")
    func maximum() async throws {
        let outcome = try await swarm(["--start", "memory", "--duration", "1s", "--rate", "max", "--producers", "4"])
        try expectClean(outcome)
        #expect(outcome.report.setup.offeredRate == nil && outcome.report.counts.sent > 1000)
    }

    @Test("works without screens, and with screens that see everything")
    func screens() async throws {
        try expectClean(try await swarm(Self.small + ["--start", "memory", "--subscribers", "0"]))
        let scratch = TemporaryDirectory("swarm")
        let profile = scratch.file(
            "all.toml", "[subscribers]\nscope = \"all\"\n[[alert]]\nintercept = false\ndisplay_ms = 20\n")
        let outcome = try await swarm(Self.small + ["--start", "memory", "--mix", profile])
        try expectClean(outcome)
        #expect(outcome.report.counts.deliveries > 3 * outcome.report.counts.shown)
        try expectClean(try await swarm(Self.small + ["--start", "memory", "--mix", profile, "--processes", "2"]))
    }

    @Test("does not begin where somebody else's alert is shown")
    func inUse() async throws {
        let arbiter = try await RunningArbiter()
        let raise = try Program(["raise", "swarm/0", "tea", "--requests", arbiter.address])
        #expect(try await raise.wait() == 0, "\(raise.errors)")
        let swarm = try Program(["swarm", "--requests", arbiter.address, "--duration", "1s"])
        #expect(try await swarm.wait() == 1)
        #expect(swarm.errors.contains("swarm/0 shows the alert \"tea\" already") && swarm.errors.contains("--prefix"))
        try expectClean(try await SwarmTests.swarm(Self.small + ["--requests", arbiter.address, "--prefix", "other"]))
    }

    @Test("goes on when the arbiter is killed and starts again, and nothing that was accepted is lost")
    func restart() async throws {
        let scratch = TemporaryDirectory("swarm")
        var arbiter = try await RunningArbiter(journal: scratch.path("journal"))
        let words = [
            "swarm", "--requests", arbiter.address, "--duration", "4s", "--rate", "300", "--quiet", "--json",
            scratch.path("report"),
        ]
        let program = try Program(words)
        let counters = ["list", "--counters", "--json", "--requests", arbiter.address]
        try await poll(seconds: 30, "the load: \(program.errors)") {
            let list = try Program(counters)
            _ = try await list.wait()
            return try JSONValue(parsing: list.output)["accepted"]?.integer ?? 0 > 100
        }
        arbiter.program.send(SIGKILL)
        _ = try await arbiter.program.wait()
        arbiter = try await RunningArbiter(requests: arbiter.address, journal: scratch.path("journal"))
        #expect(try await program.wait(seconds: 60) == 0, "\(program.output) \(program.errors)")
        let report = try SwarmReport(json: try #require(TextFile.read(scratch.path("report"))))
        #expect(report.passed && report.counts.reconnects > 5 && report.counts.acknowledged == report.counts.sent)
    }

    @Test("begins when it is told to")
    func at() async throws {
        let begin = Int64(Date().timeIntervalSince1970 * 1000) + 1500
        let outcome = try await swarm(Self.small + ["--start", "memory", "--at", "\(begin)"])
        try expectClean(outcome)
        #expect(Int64(outcome.report.startedAt) >= begin && Int64(outcome.report.startedAt) < begin + 1000)
    }
}
