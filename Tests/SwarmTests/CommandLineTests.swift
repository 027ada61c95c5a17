import AlertBusMeasure
import Glibc
import TestSupport
import Testing

@Suite("The command swarm", .serialized)
struct CommandLineTests {
    @Test(
        "says what is wrong with its words",
        arguments: [
            (["--rate", "fast"], "--rate takes an integer"), (["--producers", "0"], "--producers takes an integer from 1"),
            (["x.json"], "unexpected word"), (["--curve"], "--curve is for an arbiter that --start starts"),
            (["--prefix", "a//b"], "--prefix"), (["--at", "noon"], "--at takes a time"),
            (["--compare", "a.json"], "--compare takes two reports"),
            (["--join", "a.json"], "--join takes two reports or more"),
            (["--processes", "8", "--surfaces", "4"], "--processes 8 is more"),
            (["--start", "memory", "--subscribers", "1", "--surfaces", "1000"], "more than 200 surfaces"),
        ])
    func usage(words: [String], message: String) async throws {
        let program = try Program(["swarm"] + words)
        #expect(try await program.wait() == 2, "\(program.errors)")
        #expect(program.errors.contains(message), "\(program.errors)")
    }

    @Test("ends without an arbiter, and with a faulty profile")
    func refused() async throws {
        let nobody = try Program(["swarm", "--requests", "tcp://127.0.0.1:1", "--timeout", "200ms"])
        #expect(try await nobody.wait() == 3)
        let scratch = TemporaryDirectory("swarm")
        let faulty = try Program(["swarm", "--start", "memory", "--mix", scratch.file("p.toml", "[load]\nspeed = 1\n")])
        #expect(try await faulty.wait() == 1)
        #expect(faulty.errors.contains("p.toml:2:1: load.speed: unknown key"))
        let blocked = try Program(["swarm", "--start", "/proc/nonexistent/journal"])
        #expect(try await blocked.wait() == 1)
        #expect(blocked.errors.contains("did not become ready"))
    }

    @Test("compares and joins reports")
    func reports() async throws {
        let scratch = TemporaryDirectory("swarm")
        var report = SwarmReport()
        report.duration = 10
        report.startedAt = 1_700_000_000_000
        report.counts.acknowledged = 1000
        report.checks = SwarmReport.Check.Name.allCases.map { .init($0, examined: 10) }
        for value in 1...1000 { report.acknowledgement.record(UInt64(value)) }
        var worse = report
        worse.counts.acknowledged = 500
        let (before, after) = (scratch.file("a", report.encodedJSON()), scratch.file("b", worse.encodedJSON()))
        for (words, code) in [([before, before], 0), ([before, after], 4), ([after, before], 0)] as [([String], Int32)] {
            let program = try Program(["swarm", "--compare"] + words)
            #expect(try await program.wait() == code, "\(words): \(program.output) \(program.errors)")
            #expect(!program.output.isEmpty)
        }
        let join = try Program(["swarm", "--join", before, after, before, "--json", scratch.path("c"), "--html", scratch.path("d")])
        #expect(try await join.wait() == 0, "\(join.errors)")
        let joined = try SwarmReport(json: try #require(TextFile.read(scratch.path("c"))))
        #expect(joined.counts.acknowledged == 2500 && joined.acknowledgement.raw.count == 3000)
        #expect(TextFile.read(scratch.path("d"))?.contains("</html>") == true)
        let strange = try Program(["swarm", "--compare", before, scratch.file("e", "{}")])
        #expect(try await strange.wait() == 1)
    }

    @Test("shows where it is on a terminal, and not elsewhere")
    func progress() async throws {
        let terminal = try PseudoTerminal(columns: 200)
        let words = ["swarm", "--start", "memory", "--duration", "2500ms", "--rate", "200"]
        let program = try Program(words, errors: terminal.path)
        try await terminal.waitFor("replies 200/s")
        #expect(terminal.text.contains("[####") && terminal.text.contains("µs"))
        #expect(try await program.wait() == 0)
        terminal.read()
        let before = terminal.text.count
        let quiet = try Program(words + ["--quiet"], errors: terminal.path)
        #expect(try await quiet.wait() == 0)
        terminal.read()
        #expect(terminal.text.count == before)
    }

    @Test("interrupted ends its load, waits for the alerts, reports, and ends the arbiter", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: CInt) async throws {
        let program = try Program(["swarm", "--start", "memory", "--duration", "60s", "--rate", "200"])
        let arbiter = try await startedArbiter(of: program)
        try await poll(seconds: 20, "the load") { Self.processorTicks(of: arbiter) > 0 }
        program.send(signal)
        #expect(try await program.wait(seconds: 30) == 0, "\(program.output) \(program.errors)")
        #expect(program.output.contains("swarm: steady"))
        #expect(!Program.isAlive(arbiter))
    }

    @Test("takes its arbiter along when it is killed")
    func killed() async throws {
        let scratch = TemporaryDirectory("swarm")
        let words = ["swarm", "--start", "memory", "--duration", "60s"]
        let program = try Program(words, environment: ["TMPDIR": scratch.path])
        let arbiter = try await startedArbiter(of: program)
        program.send(SIGKILL)
        #expect(try await program.wait() == 128 + SIGKILL)
        try await poll(seconds: 20, "the arbiter's end") { !Program.isAlive(arbiter) }
    }

    private func startedArbiter(of program: Program) async throws -> pid_t {
        var found: pid_t?
        try await poll(seconds: 30, "the arbiter of \(program.errors)") {
            found = program.children.first { TextFile.read("/proc/\($0)/cmdline")?.contains("arbiter.toml") == true }
            return found != nil
        }
        return try #require(found)
    }

    private static func processorTicks(of process: pid_t) -> Int {
        let fields = (TextFile.read("/proc/\(process)/stat") ?? "").split(separator: ") ").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }
}
