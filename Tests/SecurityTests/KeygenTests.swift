import AlertBusConfiguration
import AlertBusWire
import Glibc
import Testing
import ZeroMQ

@Suite("keygen", .serialized) struct KeygenTests {
    @Test("writes a pair that only its owner may read, never over another, and prints an entry that is valid")
    func client() throws {
        let directory = Directory()
        let path = directory.path + "/gate.key"
        let server = try CurveKeyPair.generate().publicKey
        let made = try run("keygen", "gate \"7\"", "--out", path, "--server-key", server.z85)
        #expect(made.code == 0, "\(made.errors)")
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let file = try CurveKeyFile.read(path: path)
        let pair = try file.pair(path: path)
        #expect(file.serverKey == server)
        let permissions = try Permissions.decode(text: made.output, name: "output")
        #expect(permissions.client(name: "gate \"7\"")?.key == pair.publicKey.z85)
        // Without a line about surfaces it may do nothing.
        #expect(permissions.clients.first?.producer.isEmpty == true)
        #expect(!made.output.contains(pair.secretKey.z85))
        #expect(!made.errors.contains(pair.secretKey.z85))
        let again = try run("keygen", "gate", "--out", path)
        #expect(again.code == 1)
        #expect(again.errors.contains("never overwritten"))
        #expect(try CurveKeyFile.read(path: path) == file)
    }

    @Test("makes an arbiter's pair and the lines of its configuration")
    func server() throws {
        let directory = Directory()
        let path = directory.path + "/arbiter.key"
        let made = try run("keygen", "arbiter", "--server", "--out", path)
        #expect(made.code == 0)
        let configuration = try Configuration.decode(text: made.output, name: "output")
        #expect(configuration.security.curveKeyFile == path)
        #expect(made.output.contains(try CurveKeyFile.read(path: path).pair(path: path).publicKey.z85))
    }

    @Test("refuses a server key that is none, and a name that is no file")
    func usage() throws {
        #expect(try run("keygen", "a", "--out", "/tmp/never", "--server-key", "short").code == 2)
        #expect(try run("keygen", "../a").code == 2)
        #expect(try run("keygen", "a/b").code == 2)
        #expect(access("/tmp/never", F_OK) != 0)
    }

    @Test("tells machines the same as an object")
    func json() throws {
        let directory = Directory()
        let path = directory.path + "/a.key"
        let line = try JSONValue(parsing: try run("keygen", "a", "--out", path, "--json").output)
        #expect(line["name"]?.string == "a")
        #expect(line["file"]?.string == path)
        #expect(line["key"]?.string == (try CurveKeyFile.read(path: path).publicKey?.z85))
    }

    @Test("A key that cannot be used is said with its file and line")
    func faults() throws {
        let directory = Directory()
        let path = directory.path + "/a.key"
        write("secret = \"short\"\n", to: path)
        let outcome = try run("list", "--key", path)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("a.key:1: this is not a key of 40 characters"))
        #expect(try run("keygen", "b", "--out", directory.path + "/b.key").code == 0)
        let lacking = try run("list", "--key", directory.path + "/b.key")
        #expect(lacking.code == 2)
        #expect(lacking.errors.contains("does not hold the arbiter's key"))
    }
}

@Suite("The sample of a permissions file") struct SampleTests {
    @Test("has every key, and is valid")
    func sample() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let sample = text(of: root + "/Config/permissions.toml")
        let permissions = try Permissions.decode(text: sample, name: "Config/permissions.toml")
        #expect(permissions.clients.count >= 4)
        for key in Permissions.keys {
            #expect(sample.contains("\n\(key) = "), "\(key) is not shown")
        }
        for client in permissions.clients { #expect(CurvePublicKey(z85: client.key) != nil, "\(client.name)") }
    }
}
