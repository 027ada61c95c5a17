import AlertBusModel
import AlertBusWire
import Glibc
import TestSupport
import Testing

/// `alertbus provide`, and what becomes of a load when its provider dies.
@Suite("alertbus provide", .serialized, .timeLimit(.minutes(3)))
struct ProvideTests {
    /// The `detail` of how an alert with one source ends.
    private func cause(_ arbiter: ArbiterProgram, _ source: String = "houses") async throws -> String {
        let raise = try await arbiter.run("raise", "a", "k", "--source", source, "--wait", "--json")
        let outcome = try JSONValue(parsing: raise.output)
        #expect(raise.code == 1 && outcome["reason"]?.string == "load_failed")
        return outcome["detail"]?.string ?? ""
    }

    @Test("serves a file, and reads it again for each request")
    func file() async throws {
        let arbiter = try await ArbiterProgram()
        let rows = arbiter.directory.file("rows.json", #"[{"id": 1, "name": "One"}]"#)
        let provider = try await arbiter.provider("houses", "--file", rows)
        let screen = try RawPeer(arbiter.requests)
        try screen.subscribe("/")
        _ = try await arbiter.run("raise", "a", "first", "--source", "houses", "--selected", "houses=1")
        let first = try screen.nextShow()
        #expect(first.ids("houses") == "[1]")
        #expect(String(decoding: first.data[0].rows[0].json, as: UTF8.self) == #"{"id":1,"name":"One"}"#)
        _ = arbiter.directory.file("rows.json", #"[{"id":2},{"id":3}]"#)
        _ = try await arbiter.run("raise", "b", "second", "--source", "houses")
        #expect(try screen.nextShow().ids("houses") == "2 3")
        _ = arbiter.directory.file("rows.json", "[{]")
        #expect(try await cause(arbiter).hasPrefix("houses: the file \(rows) is not JSON: byte "))
        unlink(rows)
        #expect(try await cause(arbiter).contains("cannot be read: No such file"))
        try await provider.waitForErrors("alertbus provide: houses: ")
    }

    @Test("serves what a command writes; it gets the request on standard input")
    func command() async throws {
        let arbiter = try await ArbiterProgram()
        let provider = try await arbiter.provider("houses", "--exec", #"read r; printf '[{"id":1,"asked":%s}]' "$r""#)
        let screen = try RawPeer(arbiter.requests)
        try screen.subscribe("/")
        _ = try await arbiter.run("raise", "a", "k", "--source", #"houses={"region": [3, "x"]}"#)
        #expect(
            String(decoding: try screen.nextShow().data[0].rows[0].json, as: UTF8.self) == #"{"id":1,"asked":{"region":[3,"x"]}}"#)
        _ = try await arbiter.run("raise", "b", "k", "--source", "houses")
        #expect(String(decoding: try screen.nextShow().data[0].rows[0].json, as: UTF8.self) == #"{"id":1,"asked":null}"#)
        provider.send(SIGTERM)
        #expect(try await provider.wait() == 0)
    }

    struct Failing: Sendable, CustomTestStringConvertible {
        var command: String
        var cause: String
        var testDescription: String { command }
    }

    @Test(
        "names the cause when the command fails",
        arguments: [
            Failing(command: "echo first >&2; echo 'no connection' >&2; exit 3", cause: "the command ended with 3: no connection"),
            Failing(command: "exit 7", cause: "the command ended with 7"),
            Failing(command: "kill -9 $$", cause: "the command was ended by signal 9"),
            Failing(command: "echo hello", cause: "the command's output is not JSON: byte 0"),
            Failing(command: "true", cause: "the command's output is not JSON"),
            Failing(command: "echo '{\"id\":1}'", cause: "the command's output is JSON, but no array of rows"),
            Failing(command: "echo '[{\"name\":1}]'", cause: "row 0 of the provider is no object with a number or a string as id"),
            Failing(command: "echo '[{\"id\":1},{\"id\":1}]'", cause: "another row has the same id"),
            Failing(command: "sleep 60", cause: "the command did not end within 300ms"),
            Failing(command: "exec >&- 2>&-; sleep 60", cause: "the command did not end within 300ms"),
            Failing(command: "sleep 60 & echo '[]'", cause: "the command did not end within 300ms"),
            Failing(command: "no-such-command-of-this-test", cause: "the command ended with 127"),
        ])
    func failing(failing: Failing) async throws {
        let arbiter = try await ArbiterProgram()
        let provider = try await arbiter.provider("houses", "--time-limit", "300ms", "--exec", failing.command)
        let cause = try await cause(arbiter)
        #expect(cause.hasPrefix("houses: ") && cause.contains(failing.cause), "\(cause)")
        provider.send(SIGTERM)
        #expect(try await provider.wait() == 0)
    }

    @Test("takes a big request and a big answer without either side waiting for the other")
    func big() async throws {
        let arbiter = try await ArbiterProgram()
        let provider = try await arbiter.provider("houses", "--exec", #"printf '[{"id":1,"echo":'; cat; printf '}]'"#)
        let screen = try RawPeer(arbiter.requests)
        try screen.subscribe("/")
        let text = String(repeating: "x", count: 100_000)
        _ = try await arbiter.run("raise", "a", "k", "--source", "houses=\"\(text)\"")
        #expect(try screen.nextShow().data[0].rows[0].json.count == text.utf8.count + 18)
        withExtendedLifetime(provider) {}
    }

    @Test("runs no more commands at the same time than it is allowed, and kills those that nobody waits for")
    func bounded() async throws {
        let arbiter = try await ArbiterProgram()
        let log = arbiter.directory.file("log", "")
        let provider = try await arbiter.provider(
            "houses", "--concurrency", "2", "--exec", "echo begin >> \(log); sleep 0.3; echo end >> \(log); echo '[]'")
        for index in 0..<6 { _ = try await arbiter.run("raise", "s\(index)", "k", "--source", "houses") }
        try await eventually("six runs") { arbiter.directory.text("log").components(separatedBy: "end").count == 7 }
        var running = 0
        for line in arbiter.directory.text("log").split(separator: "\n") {
            running += line == "begin" ? 1 : -1
            #expect(running <= 2)
        }
        provider.send(SIGTERM)
        #expect(try await provider.wait() == 0)
        let pid = arbiter.directory.file("pid")
        let stuck = try await arbiter.provider("stuck", "--time-limit", "1h", "--exec", "sleep 600 & echo $! > \(pid); wait")
        _ = try await arbiter.run("raise", "stuck", "k", "--source", "stuck")
        try await eventually("the command") { Int32(arbiter.directory.text("pid").dropLast()) != nil }
        let sleeper = try #require(Int32(arbiter.directory.text("pid").dropLast()))
        _ = try await arbiter.run("withdraw", "stuck", "k")
        try await eventually("the end of the command's child") { kill(sleeper, 0) != 0 || Self.isZombie(sleeper) }
        stuck.send(SIGINT)
        #expect(try await stuck.wait() == 0)
    }

    /// Killed, but nobody in this container takes its status.
    private static func isZombie(_ process: pid_t) -> Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        guard fgets(&buffer, 256, file) != nil else { return true }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(") Z ")
    }

    @Test("that is killed at work: its load goes to another one within a second or so")
    func killed() async throws {
        let arbiter = try await ArbiterProgram()
        let first = try await arbiter.provider("houses", "--exec", "sleep 600")
        let page = try arbiter.start("raise", "a", "k", "--source", "houses", "--wait")
        try await arbiter.waitForState("k", "loading")
        let second = try await arbiter.provider("houses", "--exec", "echo '[{\"id\":2}]'")
        let screen = try RawPeer(arbiter.requests)
        try screen.subscribe("a")
        let start = milliseconds()
        first.send(SIGKILL)
        #expect(try screen.nextShow().ids("houses") == "2")
        #expect(milliseconds() - start <= 2000)
        _ = try await arbiter.run("answer", "a", "k", "1")
        #expect(try await page.wait() == 0)
        withExtendedLifetime(second) {}
    }

    @Test("that is ended at work hands its load on; with nobody else the alert fails at its deadline and says so")
    func ended() async throws {
        let arbiter = try await ArbiterProgram()
        let first = try await arbiter.provider("houses", "--exec", "sleep 600")
        let page = try arbiter.start(
            "raise", "a", "k", "--source", "houses", "--source-timeout", "houses=2s", "--wait", "--json")
        try await arbiter.waitForState("k", "loading")
        first.send(SIGTERM)
        #expect(try await first.wait() == 0)
        #expect(try await page.wait() == 1)
        #expect(page.output.contains("houses: its provider went away and there is no other one"), "\(page.output)")
    }

    @Test("refuses a wrong command line, and tells when there is no arbiter")
    func usage() async throws {
        let nowhere = "tcp://127.0.0.1:1"
        func run(_ words: String...) async throws -> (Int32, String) {
            let program = try Program("alertbus", ["provide"] + words, requests: nowhere)
            return (try await program.wait(), program.errors)
        }
        #expect(try await run("houses").1.contains("--file or --exec is missing"))
        #expect(try await run("houses", "--file", "x", "--exec", "y").1.contains("exclude each other"))
        #expect(try await run("houses", "--file", "/nowhere").1.contains("cannot be read"))
        #expect(try await run("houses", "--exec", "true", "--concurrency", "65").1.contains("from 1 to 64"))
        #expect(try await run("houses", "--exec", "true", "--timeout", "200ms").0 == 3)
    }
}
