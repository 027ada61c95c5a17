import AlertBusConfiguration
import AlertBusModel
import AlertBusService
import Glibc
import Testing
import ZeroMQ

/// What an arbiter refuses to start with, and what its sockets look like.
@Suite("The start", .serialized) struct StartTests {
    /// The check at the start has to notice a handler that is wrong.
    @Test("An arbiter that would admit a key that nobody listed serves nothing")
    func canary() throws {
        let directory = Directory()
        let pair = try CurveKeyPair.generate()
        try CurveKeyFile(publicKey: pair.publicKey, secretKey: pair.secretKey)
            .write(path: directory.path + "/server.key", comment: "test")
        write("", to: directory.path + "/permissions.toml")
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress("tcp://127.0.0.1:*")
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = .memory
        configuration.security.curveKeyFile = directory.path + "/server.key"
        configuration.security.permissionsFile = directory.path + "/permissions.toml"
        let refusal = #expect(throws: ServiceError.self) {
            _ = try Service(configuration: configuration, everybodyGets: .admit(userID: "anybody"))
        }
        #expect("\(refusal.map { "\($0)" } ?? "")".contains("A key that is not listed was admitted"))
        #expect(throws: Never.self) { _ = try Service(configuration: configuration) }
        #expect(throws: Never.self) { _ = try Service(configuration: configuration, everybodyGets: .refuse("no")) }
        // The feed is checked as well.
        configuration.arbiter.feed = try ListenAddress("tcp://127.0.0.1:*")
        #expect(throws: Never.self) { _ = try Service(configuration: configuration) }
    }

    private func start(_ words: [String]) throws -> Process {
        let process = try Process(["arbiter", "--journal", "memory"] + words)
        try poll("the start; \(process.errors)") { process.output.contains("ready") || !process.isRunning }
        return process
    }

    @Test("Other machines may connect only with CURVE, or when --insecure is spelled out")
    func exposed() throws {
        for address in ["tcp://0.0.0.0:*", "tcp://*:*", "tcp://[::]:*"] {
            let refused = try start(["--requests", address, "--feed", "none"])
            #expect(try refused.wait() == 1)
            #expect(refused.errors.contains("security.curve_key_file, or security.insecure"), "\(refused.errors)")
        }
        let feed = try start(["--requests", "tcp://127.0.0.1:*", "--feed", "tcp://0.0.0.0:*"])
        #expect(try feed.wait() == 1)
        // Spelled out it listens to everybody, and only for as long as this looks.
        let insecure = try start(["--requests", "tcp://0.0.0.0:*", "--feed", "none", "--insecure"])
        #expect(try Self.answers(insecure))
        insecure.send(SIGTERM)
        #expect(try insecure.wait() == 0)
        // So does one with keys, without that word.
        let directory = Directory()
        let key = directory.path + "/server.key"
        #expect(try run("keygen", "arbiter", "--server", "--out", key).code == 0)
        write("[security]\ncurve_key_file = \"\(key)\"\n", to: directory.path + "/arbiter.toml")
        let keyed = try start(["--requests", "tcp://0.0.0.0:*", "--feed", "none", "--config", directory.path + "/arbiter.toml"])
        #expect(keyed.output.contains("ready: requests tcp://0.0.0.0:"), "\(keyed.errors)")
    }

    /// Asks over loopback an arbiter that listens on all addresses.
    private static func answers(_ process: Process) throws -> Bool {
        let address = try #require(
            process.output.split(separator: " ").first { $0.hasPrefix("tcp://0.0.0.0:") }, "\(process.output)")
        let port = address.drop { $0 != "0" }.split(separator: ":")[1].prefix { $0.isNumber }
        return try Peer("tcp://127.0.0.1:\(port)").outcome(Ask.ping) == "pong"
    }

    @Test("An ipc socket is its owner's alone, unless configured")
    func ipcMode() throws {
        let directory = Directory()
        let path = directory.path + "/requests"
        func mode() -> mode_t {
            var status = stat()
            stat(path, &status)
            return status.st_mode & 0o777
        }
        let words = ["--requests", "ipc://\(path)", "--feed", "none"]
        let first = try start(words)
        #expect(mode() == 0o600)
        // A live one is not taken over.
        let second = try start(words)
        #expect(try second.wait() == 1)
        #expect(second.errors.contains("Cannot listen for requests"), "\(second.errors)")
        #expect(try Peer("ipc://\(path)").outcome(Ask.ping) == "pong")
        // A stale one is removed.
        first.send(SIGKILL)
        _ = try first.wait()
        #expect(access(path, F_OK) == 0)
        write("[arbiter]\nipc_mode = \"0660\"\n", to: directory.path + "/arbiter.toml")
        let third = try start(words + ["--config", directory.path + "/arbiter.toml"])
        #expect(mode() == 0o660)
        #expect(try Peer("ipc://\(path)").outcome(Ask.ping) == "pong")
        third.send(SIGTERM)
        #expect(try third.wait() == 0)
        // What is no socket is left alone.
        write("precious", to: path)
        #expect(try start(words).wait() == 1)
        #expect(text(of: path) == "precious")
    }

    @Test("Keys that others may read are not used")
    func exposedKey() throws {
        let directory = Directory()
        let path = directory.path + "/server.key"
        #expect(try run("keygen", "arbiter", "--server", "--out", path).code == 0)
        chmod(path, 0o644)
        write("[security]\ncurve_key_file = \"\(path)\"\n", to: directory.path + "/arbiter.toml")
        let process = try start(["--requests", "tcp://127.0.0.1:*", "--feed", "none", "--config", directory.path + "/arbiter.toml"])
        #expect(try process.wait() == 1)
        #expect(process.errors.contains("others may read this secret key"))
    }
}
