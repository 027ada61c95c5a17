import AlertBusConfiguration
import AlertBusSwarm
import TestSupport
import Testing

@Suite("A profile")
struct ProfileTests {
    @Test("is told all its faults at once, each with its place")
    func faults() throws {
        let text = """
            [load]
            shape = "stedy"
            raise = "often"
            alives = 3
            [[alert]]
            priority = 256
            ttl_ms = 0
            [[alert]]
            intercept = "no"
            [poeple]
            answer = 10
            [people]
            answer = 101
            """
        let error = #expect(throws: ConfigurationFaults.self) { try SwarmProfile.decode(text: text, name: "p.toml") }
        let lines = try #require(error).description.split(separator: "\n").map(String.init)
        let expected = [
            ("p.toml:2:9: load.shape: ", "did you mean \"steady\"?"), ("p.toml:3:9: load.raise: ", "found the string \"often\""),
            ("p.toml:4:1: load.alives: unknown key", "did you mean alive?"), ("p.toml:6:12: alert[0].priority: ", "found 256"),
            ("p.toml:7:10: alert[0].ttl_ms: ", "from 1 to 3_600_000 ms"),
            ("p.toml:9:13: alert[1].intercept: ", "expected true or false"),
            ("p.toml:10:2: poeple: unknown key", "did you mean people?"), ("p.toml:13:10: people.answer: ", "from 0 to 100"),
        ]
        #expect(lines.count == expected.count, "\(lines)")
        for (line, (start, end)) in zip(lines, expected) { #expect(line.hasPrefix(start) && line.contains(end), "\(line)") }
    }

    @Test(
        "is refused when it is no profile at all",
        arguments: [
            ("[load", "not valid TOML"), ("load = 3", "expected a table [load]"),
            ("alert = 3", "expected tables, each headed [[alert]]"),
            ("[load]\nraise = 0", "load.raise: expected at least 1"),
            ("[[alert]]\nweight = 0", "alert.weight: expected at least one kind"),
            ("[policy]\nslots = 0", "policy.slots: expected an integer from 1 to 64"),
        ])
    func refused(text: String, message: String) throws {
        let error = #expect(throws: ConfigurationFaults.self) { try SwarmProfile.decode(text: text, name: "p") }
        #expect(try #require(error).description.contains(message))
    }

    @Test("that cannot be read says why")
    func unreadable() throws {
        let error = #expect(throws: ConfigurationFaults.self) { try SwarmProfile.load(path: "/nonexistent/p.toml") }
        #expect(try #require(error).faults.first?.errno == 2)
    }

    @Test("without a word has every default")
    func empty() throws {
        #expect(try SwarmProfile.decode(text: "", name: "p") == SwarmProfile())
        #expect(SwarmProfile().policy.activationDelay == 0)
    }

    @Test("of the samples can be read", arguments: Repository.profiles)
    func samples(name: String) throws {
        let profile = try SwarmProfile.load(path: Repository.profile(name))
        #expect(profile.load.title == name.split(separator: "-").joined(separator: " "))
    }

    @Test("that nobody gives is the sample steady")
    func standard() throws {
        #expect(try SwarmProfile.load(path: Repository.profile("steady")) == SwarmProfile.standard)
    }

    @Test("without a title is called like its file")
    func title() throws {
        let scratch = TemporaryDirectory("swarm")
        #expect(try SwarmProfile.load(path: scratch.file("lunch.toml", "")).load.title == "lunch")
    }

    @Test("has every key explained in the documentation")
    func documented() throws {
        let page = try #require(TextFile.read(Repository.root + "/Sources/AlertBus/AlertBus.docc/Swarm.md"))
        for section in ProfileTable.sections where section.header != "[policy]" {
            #expect(page.contains("`\(section.header)`"), "\(section.header)")
            for key in section.keys { #expect(page.contains("| `\(key)` |"), "\(section.header) \(key)") }
        }
        for name in Repository.profiles { #expect(page.contains("`\(name).toml`"), "\(name)") }
    }
}
