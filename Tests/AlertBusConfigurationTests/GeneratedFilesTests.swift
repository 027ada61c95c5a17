import AlertBusConfiguration
import AlertBusModel
import Testing

@Suite("Files that follow from the table of keys")
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
            "\(path) differs from the table of keys; write it anew with: ALERTBUS_REGENERATE=1 swift test --filter GeneratedFilesTests")
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

    @Test("Every key of the sample is used: another value of it is seen or refused")
    func everyKeyIsDecoded() throws {
        let lines = ConfigurationPages.sample.split(separator: "\n", omittingEmptySubsequences: false)
        let standard = try Configuration.decode(text: ConfigurationPages.sample, name: "sample")
        var keys = 0
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") && line.contains(" = ") {
            keys += 1
            var changed = lines
            changed[index] = line.prefix(while: { $0 != "=" }) + "= 1979-05-27"
            #expect(throws: ConfigurationFaults.self, "\(line)") {
                try Configuration.decode(text: changed.joined(separator: "\n"), name: "sample")
            }
            changed[index] = "# left out"
            let isRequired = line.hasPrefix("surfaces")
            let shortened = try? Configuration.decode(text: changed.joined(separator: "\n"), name: "sample")
            #expect((shortened == standard) == !isRequired, "\(line)")
        }
        #expect(keys > 50)
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
