import Testing

@Suite("Exit codes of real processes")
struct ExitCodeTests {
    static let nobody = ["--requests", "tcp://127.0.0.1:1", "--timeout", "200ms"]

    static let cases: [(words: [String], code: Int32, output: String, errors: String)] = [
        (["--version"], 0, "alertbus ", ""),
        (["--help"], 0, "Commands:", ""),
        (["help", "raise"], 0, "Usage: alertbus raise", ""),
        (["raise", "--help"], 0, "--breakthrough", ""),
        ([], 2, "", "Usage: alertbus"),
        (["riase"], 2, "", "did you mean raise?"),
        (["--verison"], 2, "", "did you mean --version?"),
        (["raise"], 2, "", "SURFACE is missing"),
        (["raise", "a", "k", "--titel", "x"], 2, "", "did you mean --title?"),
        (["raise", "a//b", "k"], 2, "", "has an empty segment"),
        (["raise", "a", ""], 2, "", "KEY \"\" must not be empty"),
        (["raise", "a", "k", "--priority", "256"], 2, "", "from 0 to 255"),
        (["raise", "a", "k", "--params", "[1]"], 2, "", "takes a JSON object"),
        (["raise", "a", "k", "--params", "{"], 2, "", "takes JSON"),
        (["raise", "a", "k", "--selected", "x=1"], 2, "", "there is no --source"),
        (["raise", "a", "k", "--on-owner-loss", "die"], 2, "", "takes keep or close"),
        (["raise", "a", "k", "--requests", "http://x"], 2, "", "--requests: "),
        (["raise", "a", "k", "--timeout", "5"], 2, "", "takes a time such as"),
        (["update", "a", "k", "--intercept", "--no-intercept"], 2, "", "exclude each other"),
        (["answer", "a", "k", "{"], 2, "", "JSON takes JSON"),
        (["answer", "a", "1"], 2, "", "KEY is missing"),
        (["why", "a", "k", "--instance", "3"], 2, "", "exclude each other"),
        (["check", "/nonexistent"], 1, "", "cannot be read"),
        (["check", "--surface", "lobby/a"], 0, "[default_policy] applies", ""),
        (["simulate", "/nonexistent"], 1, "", "cannot be read"),
        (["arbiter", "--requests", "nowhere"], 1, "", "--requests: arbiter.requests"),
        (["arbiter", "--requests", "tcp://0.0.0.0:*", "--journal", "memory"], 1, "", "security.insecure"),
        (["arbiter", "--config", "/nonexistent"], 1, "", "cannot be read"),
        (["raise", "a", "k"] + nobody, 3, "", "no arbiter answered at tcp://127.0.0.1:1 within 200ms"),
        (["list"] + nobody, 3, "", "no arbiter answered"),
        (["hold", "/"] + nobody, 3, "", "no arbiter answered"),
        (["raise", "a", "k", "--wait"] + nobody, 3, "", "No arbiter answered on tcp://127.0.0.1:1 within 200 ms"),
        (["watch", "/"] + nobody, 3, "", "no arbiter answered"),
        (["watch", "/", "--json"] + nobody, 3, "", "no arbiter answered"),
        (["watch", "a//b"], 2, "", "has an empty segment"),
        (["watch", "/", "--feed", "nowhere"], 2, "", "--feed: "),
    ]

    @Test("and what they print where", arguments: cases.indices)
    func exits(index: Int) async throws {
        let (words, code, output, errors) = Self.cases[index]
        let outcome = try await run(words)
        #expect(outcome.code == code, "\(words): \(outcome)")
        #expect(outcome.output.contains(output) || output.isEmpty, "\(words): \(outcome)")
        #expect(outcome.output.isEmpty == output.isEmpty, "\(words): \(outcome)")
        #expect(outcome.errors.contains(errors) || errors.isEmpty, "\(words): \(outcome)")
        #expect(outcome.errors.isEmpty == errors.isEmpty, "\(words): \(outcome)")
    }

    @Test("Without an arbiter a command ends within its timeout")
    func timeout() async throws {
        let start = ContinuousClock.now
        #expect(try await run(["list"] + Self.nobody).code == 3)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("A full disk under standard output is an error")
    func fullDisk() async throws {
        let outcome = try await run(["--help"], output: "/dev/full")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("No space left"))
    }
}
