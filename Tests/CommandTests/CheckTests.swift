import AlertBusWire
import TestSupport
import Testing

@Suite("check")
struct CheckTests {
    static let faulty = "[limits]\nframes = 0\nframez = 1\n[[policy]]\norder = \"age\"\n"

    @Test("says everything that is wrong at once, each with its place")
    func faults() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file("bad.toml", Self.faulty)
        let outcome = try await run(["check", file])
        #expect(outcome.code == 1)
        for place in [":2:10: limits.frames", ":3:1: limits.framez", ":4:1: policy[0].surfaces", ":5:9: policy[0].order"] {
            #expect(outcome.errors.contains(file + place), "\(outcome.errors)")
        }
        #expect(outcome.errors.contains("did you mean limits.frames?") || outcome.errors.contains("did you mean frames?"))
        #expect(outcome.errors.contains("4 faults in"))
    }

    @Test("gives the faults to machines on standard output")
    func faultsAsJSON() async throws {
        let directory = TemporaryDirectory("command")
        let outcome = try await run(["check", directory.file("bad.toml", Self.faulty), "--json"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.isEmpty)
        let lines = try outcome.lines.map { try JSONValue(parsing: $0)["line"]?.integer }
        #expect(lines == [2, 3, 4, 5])
    }

    @Test("tells which policy a surface has, and why")
    func surface() async throws {
        let file = Repository.root + "/Config/alertbus.toml"
        let outcome = try await run(["check", file, "--surface", "lobby/kiosk-1/modal"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("policy[0] is the first whose pattern matches"))
        #expect(outcome.output.contains("activation_delay_ms = 350"))
        let json = try await run(["check", file, "--surface", "elsewhere", "--json"])
        #expect(try JSONValue(parsing: json.output)["rule"]?.integer == -1)
        #expect(try await run(["check", file, "--surface", "a//b"]).code == 2)
    }

    @Test("finds nothing wrong with the sample, and with the defaults")
    func sample() async throws {
        let outcome = try await run(["check", Repository.root + "/Config/alertbus.toml", "--json"])
        #expect(outcome.code == 0)
        #expect(try JSONValue(parsing: outcome.output)["ok"]?.boolean == true)
        #expect(try await run(["check"]).code == 0)
    }

    @Test("looks into the key file and the permissions file that are named")
    func securityFiles() async throws {
        let directory = TemporaryDirectory("command")
        let permissions = directory.file("permissions.toml", "[[clint]]\n")
        let file = directory.file(
            "alertbus.toml", "[security]\ncurve_key_file = \"arbiter.key\"\npermissions_file = \"permissions.toml\"\n")
        let outcome = try await run(["check", file])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("\(directory.path)/arbiter.key: security.curve_key_file: "), "\(outcome)")
        #expect(outcome.errors.contains("\(permissions):1:"), "\(outcome)")
        #expect(outcome.errors.contains("2 faults in"))
    }
}
