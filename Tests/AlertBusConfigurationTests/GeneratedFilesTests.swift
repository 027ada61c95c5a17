import AlertBusConfiguration
import AlertBusModel
import Testing

@Suite("Files that follow from the table of keys", .serialized)
struct GeneratedFilesTests {
    static let samplePath = "/Config/alertbus.toml"
    static let referencePath = "/Sources/AlertBus/AlertBus.docc/Configuration.md"

    @Test(
        "are up to date",
        arguments: [(samplePath, ConfigurationPages.sample), (referencePath, ConfigurationPages.reference)])
    func isCurrent(path: String, generated: String) {
        if Repository.regenerates {
            #expect(Repository.write(generated, to: Repository.root + path))
            return
        }
        let isCurrent = Repository.text(Repository.root + path) == generated
        #expect(
            isCurrent,
            "\(path) is out of date; run: ALERTBUS_REGENERATE=1 swift test --filter GeneratedFilesTests"
        )
    }

    @Test("The sample has the defaults, and one policy that shows every key")
    func sampleHasDefaults() throws {
        let sample = try Configuration.load(path: Repository.root + Self.samplePath)
        var expected = Configuration()
        expected.policies.rules = [PolicyRule(pattern: try PathPattern("lobby/**"), policy: Policy())]
        expected.policyOrigins = sample.policyOrigins
        #expect(sample == expected)
        #expect(sample.policyOrigins.count == 1)
    }

    @Test("Every key can be left out, except the surfaces of a policy, and takes no date")
    func everyKeyIsDecoded() throws {
        let lines = Self.sampleLines
        let standard = try Configuration.decode(text: ConfigurationPages.sample, name: "sample")
        for index in Self.keyLines {
            var changed = lines
            changed[index] = Self.name(lines[index]) + " = 1979-05-27"
            #expect(throws: ConfigurationFaults.self, "\(lines[index])") {
                try Configuration.decode(text: changed.joined(separator: "\n"), name: "sample")
            }
            changed[index] = "# left out"
            let shortened = try? Configuration.decode(text: changed.joined(separator: "\n"), name: "sample")
            #expect((shortened == standard) == !lines[index].hasPrefix("surfaces = \""), "\(lines[index])")
        }
    }

    /// Two keys that share a place would change two lines, and a key without a place none.
    @Test("Another value of a key comes back in that line and in no other")
    func everyKeyHasAPlaceOfItsOwn() throws {
        let lines = Self.sampleLines
        for index in Self.keyLines {
            var changed = lines
            changed[index] = Self.name(lines[index]) + " = " + Self.otherValue(for: lines[index])
            // Permissions without keys would be a conflict.
            let needsKey = Self.name(lines[index]) == "permissions_file"
            let configuration = try Configuration.decode(
                text: changed.joined(separator: "\n"), name: "sample", overrides: needsKey ? [Self.curve] : [])
            let written = ConfigurationPages.file(of: configuration).split(
                separator: "\n", omittingEmptySubsequences: false)
            let differing = zip(lines.dropFirst(4), written).filter { $0.0 != $0.1 }.map { String($0.1) }
            #expect(differing == (needsKey ? [#"curve_key_file = "arbiter.key""#] : []) + [changed[index]])
        }
    }

    private static let curve = ConfigurationOverride(
        key: "security.curve_key_file", value: "arbiter.key", source: "test")
    private static let sampleLines = ConfigurationPages.sample.split(
        separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    private static let keyLines = sampleLines.indices.filter {
        !sampleLines[$0].hasPrefix("#") && sampleLines[$0].contains(" = ")
    }

    private static func name(_ line: String) -> String { String(line.prefix(while: { $0 != " " })) }

    /// A value that the key takes and that is not its default.
    private static func otherValue(for line: String) -> String {
        switch name(line) {
        case "requests", "feed": return #""ipc:///tmp/alertbus-other""#
        case "ipc_mode": return #""0660""#
        case "order": return #""arrival""#
        case "covered": return #""hide""#
        case "preempt": return #""higher""#
        case "overflow": return #""evict_lowest""#
        case "insecure", "hold": return "true"
        case "journal", "curve_key_file", "permissions_file": return #""some.file""#
        case "owner_timeout_ms": return "999"
        case "message_bytes", "beat_after_ms", "beat_cycle_ms", "max_bytes": return "1024"
        case "bytes", "subscriber_backlog_bytes", "producer_backlog_bytes": return "16_777_216"
        case "surfaces" where line.contains("\""): return #""lobby/*/modal""#
        default: return "9"
        }
    }

    @Test("The reference names every key of the sample")
    func referenceIsComplete() {
        for line in ConfigurationPages.sample.split(separator: "\n") where !line.hasPrefix("#") {
            let name = line.hasPrefix("[") ? String(line) : "`" + line.prefix(while: { $0 != " " }) + "`"
            #expect(ConfigurationPages.reference.contains(name), "\(name)")
        }
    }

    @Test("An empty file is a configuration with every default")
    func emptyFile() throws {
        #expect(try Configuration.decode(text: "", name: "empty") == Configuration())
    }
}
