import AlertBusWire
import Glibc
import TestSupport
import Testing

@Suite("arbiter")
struct ArbiterTests {
    @Test("prints one line when it is ready and ends cleanly on a signal", arguments: [SIGTERM, SIGINT])
    func endsCleanly(signal: CInt) async throws {
        let process = try CommandProcess([
            "arbiter", "--requests", "tcp://127.0.0.1:*", "--feed", "tcp://127.0.0.1:*", "--journal", "memory",
        ])
        try await process.waitForOutput("\n")
        #expect(process.lines.count == 1)
        #expect(
            process.output.wholeMatch(
                of: /ready: requests tcp:\/\/127\.0\.0\.1:\d+, feed tcp:\/\/127\.0\.0\.1:\d+, journal memory, epoch \d+\n/) != nil)
        process.send(signal)
        #expect(try await process.wait() == 0)
        #expect(process.errors.isEmpty)
    }

    @Test("tells machines the same as an object")
    func readyAsJSON() async throws {
        let arbiter = try await TestArbiter()
        let ready = try JSONValue(parsing: arbiter.process.output)
        #expect(ready["ready"]?.boolean == true)
        #expect(ready["requests"]?.string == arbiter.address)
        #expect(ready["feed"]?.string == "none")
        #expect(ready["journal"]?.string == "memory")
        #expect(ready["epoch"]?.integer ?? 0 > 0)
    }

    @Test("keeps its journal in the file that it is given, and shows after a restart what was accepted")
    func journal() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file("journal")
        var epochs: [Int] = []
        for round in 0..<2 {
            let process = try CommandProcess([
                "arbiter", "--requests", "ipc://\(directory.path)/requests", "--feed", "none", "--journal", file, "--json",
            ])
            try await process.waitForOutput("\n")
            let ready = try JSONValue(parsing: process.output)
            #expect(ready["journal"]?.string == file)
            epochs.append(ready["epoch"]?.integer ?? 0)
            let bus = ["--requests", "ipc://\(directory.path)/requests"]
            if round == 0 { #expect(try await run(["raise", "a", "k"] + bus).code == 0) }
            #expect(try await run(["list", "--json"] + bus).output.contains(#""key":"k""#))
            process.send(SIGTERM)
            #expect(try await process.wait() == 0)
        }
        #expect(epochs[1] > epochs[0])
    }

    @Test("A second one on the same address is refused, and the first serves on")
    func addressInUse() async throws {
        let first = try await TestArbiter()
        let second = try await run(["arbiter", "--requests", first.address, "--feed", "none", "--journal", "memory"])
        #expect(second.code == 1)
        #expect(second.errors.contains("Cannot listen for requests on \(first.address)"))
        #expect(try await first.run("list").code == 0)
    }

    @Test("The address on the command line goes before the environment, and that before the file")
    func precedence() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file("a.toml", "[arbiter]\nrequests = \"ipc://file\"\nfeed = \"none\"\njournal = \"memory\"\n")
        let address = "ipc://\(directory.path)/environment"
        for words in [[], ["--requests", "ipc://\(directory.path)/option"]] {
            let process = try CommandProcess(
                ["arbiter", "--config", file] + words, environment: ["ALERTBUS_REQUESTS": address])
            try await process.waitForOutput("\n")
            #expect(process.output.contains(words.last ?? address))
            process.send(SIGTERM)
            #expect(try await process.wait() == 0)
        }
    }

    @Test("Two signals end it at once, even when the first one is still at work")
    func insisting() async throws {
        let arbiter = try await TestArbiter()
        arbiter.process.send(SIGTERM)
        arbiter.process.send(SIGINT)
        let code = try await arbiter.process.wait()
        #expect(code == 0 || code == 128 + SIGINT || code == 128 + SIGTERM)
    }

    @Test("serves also when nobody can read that it is ready")
    func noOutput() async throws {
        let directory = TemporaryDirectory("command")
        let address = "ipc://\(directory.path)/requests"
        let words = ["arbiter", "--requests", address, "--feed", "none", "--journal", "memory"]
        let process = try CommandProcess(words, output: "/dev/full")
        try await process.waitForErrors("cannot write to standard output: No space left")
        #expect(try await run(["list", "--requests", address]).code == 0)
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
        let closed = try await Shell.run("\(CommandProcess.binary) --version >&- 2>\(directory.path)/err; echo $?")
        #expect(closed.output == "1\n")
        #expect(TextFile.read("\(directory.path)/err")?.contains("cannot write to standard output") == true)
    }
}
