import AlertBusMeasure
import AlertBusWire
import TestSupport

/// What a swarm left behind.
struct SwarmOutcome {
    var code: Int32
    var report: SwarmReport
    var output: String
    var errors: String

    func check(_ name: SwarmReport.Check.Name) throws -> SwarmReport.Check {
        guard let check = report.checks.first(where: { $0.name == name }) else { throw Failure("no check \(name)") }
        return check
    }

    /// What went wrong, for a test's message.
    var findings: String { report.checks.flatMap(\.examples).joined(separator: "\n") + "\n" + errors }
}

/// Runs a swarm to its end, and reads its report.
func swarm(_ words: [String], environment: [String: String] = [:], seconds: Int = 90) async throws -> SwarmOutcome {
    let scratch = TemporaryDirectory("swarm")
    let program = try Program(["swarm", "--json", scratch.path("report"), "--quiet"] + words, environment: environment)
    let code = try await program.wait(seconds: seconds)
    guard let text = TextFile.read(scratch.path("report")) else {
        throw Failure("no report of \(words), exit code \(code): \(program.errors)")
    }
    return SwarmOutcome(code: code, report: try SwarmReport(json: text), output: program.output, errors: program.errors)
}

/// An arbiter in a process of its own, on a port that the system chose.
final class RunningArbiter: Sendable {
    let program: Program
    let address: String
    private let scratch: TemporaryDirectory

    /// - Parameter requests: with port `*` the system chooses one.
    init(
        requests: String = "tcp://127.0.0.1:*", journal: String = "memory",
        configuration: String = "[default_policy]\nactivation_delay_ms = 0\n"
    ) async throws {
        let scratch = TemporaryDirectory("swarm")
        let program = try Program(
            [
                "arbiter", "--requests", requests, "--feed", "none", "--journal", journal, "--json", "--config",
                scratch.file("arbiter.toml", configuration),
            ])
        try await poll(seconds: 30, "the arbiter: \(program.errors)") { program.output.contains("\n") }
        guard let address = try JSONValue(parsing: program.output)["requests"]?.string else {
            throw Failure("the arbiter says \(program.output)")
        }
        self.scratch = scratch
        self.program = program
        self.address = address
    }
}

/// The repository's own files.
enum Repository {
    static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    static let profiles = ["steady", "bursts", "priority-storm", "cover-storm", "churn", "slow-subscribers", "answers"]
    static func profile(_ name: String) -> String { "\(root)/Config/swarm/\(name).toml" }
}
