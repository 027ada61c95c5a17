import AlertBusWire
import Glibc
import Testing

/// An arbiter in a process of its own, on a port that the system chose.
final class TestArbiter: Sendable {
    let process: CommandProcess
    let address: String

    init(
        _ words: [String] = [], address: String = "tcp://127.0.0.1:*", feed: String = "none", journal: String = "memory"
    ) async throws {
        process = try CommandProcess(
            ["arbiter", "--requests", address, "--feed", feed, "--journal", journal, "--json"] + words)
        try await process.waitForOutput("\n")
        let ready = try JSONValue(parsing: process.output)
        self.address = try #require(ready["requests"]?.string)
    }

    func run(_ words: String..., input: String = "") async throws -> Outcome {
        try await CommandTests.run(words, environment: ["ALERTBUS_REQUESTS": address], input: input)
    }

    func start(_ words: String...) throws -> CommandProcess { try start(words) }

    func start(_ words: [String]) throws -> CommandProcess {
        try CommandProcess(words, environment: ["ALERTBUS_REQUESTS": address])
    }

    /// As the words of `list --json`, each alert as `key:state`.
    func states(_ scope: String = "/") async throws -> [String] {
        try await run("list", scope, "--json").lines.map { line in
            let alert = try JSONValue(parsing: line)
            return "\(alert["key"]?.string ?? "?"):\(alert["state"]?.string ?? "?")"
        }
    }
}
