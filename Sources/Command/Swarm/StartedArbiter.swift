import AlertBusConfiguration
import AlertBusModel
import AlertBusSwarm
import AlertBusWire
import Glibc
import ZeroMQ

/// An arbiter that runs for one load test.
final class StartedArbiter {
    private let child: ChildProgram
    private let directory: String
    let requests: Endpoint
    let keys: (own: CurveKeyPair, server: CurvePublicKey)?
    /// The client's key file; nil without encryption.
    let keyFile: String?

    var process: pid_t { child.process }

    private static let patience = 30_000

    /// - Parameter journal: `memory`, or the path of a file.
    init(journal: String, _ settings: SwarmSettings, _ arguments: Arguments) throws(CommandFailure) {
        directory = try Self.makeDirectory()
        do throws(CommandFailure) {
            var configuration = Configuration()
            configuration.policies.fallback = settings.options.profile.policy
            let options = settings.options
            configuration.peerLimits.connections = max(10_000, options.producers + options.subscribers + 100)
            if settings.isEncrypted {
                (keys, keyFile) = try Self.makeKeys(directory, &configuration)
            } else {
                (keys, keyFile) = (nil, nil)
            }
            try SwarmReports.write(ConfigurationPages.file(of: configuration), to: directory + "/arbiter.toml")
            let address = BusAddress.given(arguments)?.text ?? "tcp://127.0.0.1:*"
            child = try ChildProgram([
                "arbiter", "--config", directory + "/arbiter.toml", "--requests", address, "--feed", "none", "--journal", journal,
                "--json",
            ])
            requests = try Self.address(of: child)
        } catch {
            Self.remove(directory)
            throw error
        }
    }

    /// Ends it, and removes its files but for the journal.
    func stop() {
        _ = child.end(within: 10_000)
        Self.remove(directory)
    }

    private static func address(of child: ChildProgram) throws(CommandFailure) -> Endpoint {
        let deadline = SystemClock.monotonic() + Int64(patience)
        while SystemClock.monotonic() < deadline {
            if let line = child.takeLine() {
                guard let ready = try? JSONValue(parsing: line), let address = ready["requests"]?.string else { break }
                return try BusAddress.parse(address, source: "the arbiter's address")
            }
            if child.waitToRead(milliseconds: 100), !child.read() { break }
        }
        throw .refused("the arbiter that --start started did not become ready; what it said stands above")
    }

    private static func makeKeys(
        _ directory: String, _ configuration: inout Configuration
    ) throws(CommandFailure) -> ((own: CurveKeyPair, server: CurvePublicKey), String) {
        let path = directory + "/client.key"
        let server: CurveKeyPair
        let client: CurveKeyPair
        do throws(ZMQError) {
            server = try CurveKeyPair.generate()
            client = try CurveKeyPair.generate()
        } catch {
            throw .refused("cannot make keys: \(error)")
        }
        do throws(CurveKeyFile.Fault) {
            try CurveKeyFile(publicKey: server.publicKey, secretKey: server.secretKey)
                .write(path: directory + "/arbiter.key", comment: "The arbiter of a load test.")
            try CurveKeyFile(publicKey: client.publicKey, secretKey: client.secretKey, serverKey: server.publicKey)
                .write(path: path, comment: "The clients of a load test.")
        } catch {
            throw .refused("\(error)")
        }
        configuration.security.curveKeyFile = directory + "/arbiter.key"
        return ((client, server.publicKey), path)
    }

    private static func makeDirectory() throws(CommandFailure) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/alertbus-swarm-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .refused("cannot make a directory in \(base): \(String(cString: strerror(errno))) (errno \(errno))")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func remove(_ directory: String) {
        for name in ["arbiter.toml", "arbiter.key", "client.key"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
}
