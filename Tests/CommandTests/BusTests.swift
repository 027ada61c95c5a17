import AlertBusWire
import TestSupport
import Testing

@Suite("Commands against a real arbiter")
struct BusTests {
    @Test("raise, list, update, why, dismiss, withdraw, answer, clear")
    func commands() async throws {
        let arbiter = try await TestArbiter()
        let raised = try await arbiter.run(
            "raise", "lobby/a", "door", "--priority", "3", "--title", "Door open", "--action", "ok=Fine", "--action", "no",
            "--params", #"{"title":"replaced","x":[1, 2]}"#, "--icon", "bell")
        #expect(raised.code == 0)
        #expect(raised.output == "accepted: door, instance 1, revision 1, shown\n")
        #expect(raised.errors == "note: nobody is watching lobby/a at the moment\n")
        let tea = try await arbiter.run("raise", "lobby/a", "tea", "--ttl", "1h", "--producer", "kitchen", "--json")
        let reply = try JSONValue(parsing: tea.output)
        #expect(reply["op"] == "accepted" && reply["state"] == "deferred" && reply["position"] == 1)

        let refused = try await arbiter.run("raise", "lobby/a", "now", "--no-activate")
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.errors.hasPrefix("alertbus raise: refused: intercepted: "))
        let told = try await arbiter.run("raise", "lobby/a", "now", "--no-activate", "--json")
        #expect(told.code == 1)
        #expect(try JSONValue(parsing: told.output)["reason"] == "intercepted")

        let list = try await arbiter.run("list", "lobby/")
        #expect(list.lines.count == 3)
        #expect(list.lines[0].hasPrefix("SURFACE  KEY   STATE"))
        #expect(list.lines[2].contains("deferred") && list.lines[2].hasSuffix("kitchen"))
        #expect(try await arbiter.states() == ["door:shown", "tea:deferred"])
        #expect(try await arbiter.run("list", "elsewhere/").errors == "no alerts in elsewhere/\n")

        let why = try await arbiter.run("why", "lobby/a", "tea")
        #expect(why.code == 0)
        #expect(why.output.contains("rule: busy") && why.output.contains("above: door (instance 1)"))
        let explanation = try await arbiter.run("why", "lobby/a", "--instance", "2", "--json")
        #expect(try JSONValue(parsing: explanation.output)["rule"] == "busy")

        #expect(try await arbiter.run("update", "lobby/a", "tea", "--priority", "2").code == 1, "it is kitchen's")
        let updated = try await arbiter.run("update", "lobby/a", "tea", "--priority", "2", "--producer", "kitchen")
        #expect(updated.output == "done: instance 2, revision 2\n")
        #expect(try await arbiter.run("dismiss", "lobby/a", "tea", "--revision", "1").code == 1)
        #expect(try await arbiter.run("withdraw", "lobby/a", "tea", "--producer", "kitchen").code == 0)
        #expect(try await arbiter.run("dismiss", "lobby/a", "--instance", "2").errors.contains("already_ended"))
        #expect(try await arbiter.run("dismiss", "lobby/a").code == 0)
        #expect(try await arbiter.states() == [])

        for key in ["x", "y", "z"] { _ = try await arbiter.run("raise", "lobby/b", key) }
        #expect(try await arbiter.run("answer", "lobby/b", "y", #"{"ok": true}"#).code == 0)
        #expect(try await arbiter.run("clear", "lobby/").output == "done: 1\n")
        #expect(try await arbiter.run("clear", "/", "--shown").output == "done: 1\n")
    }

    @Test("hold keeps what arrives waiting until release; breakthrough passes")
    func hold() async throws {
        let arbiter = try await TestArbiter()
        #expect(try await arbiter.run("hold", "lobby/").code == 0)
        #expect(try await arbiter.run("raise", "lobby/a", "tea").output.contains("deferred"))
        #expect(try await arbiter.run("raise", "lobby/a", "fire", "--breakthrough").output.contains("shown"))
        #expect(try await arbiter.run("why", "lobby/a", "tea").output.contains("rule: held"))
        #expect(try await arbiter.run("dismiss", "lobby/a", "fire").code == 0)
        #expect(try await arbiter.run("release", "lobby/").code == 0)
        try await poll(seconds: 20, "tea to be shown") { try await arbiter.states() == ["tea:shown"] }
    }

    @Test("What is raised twice is one alert; with --update it changes in place")
    func again() async throws {
        let arbiter = try await TestArbiter()
        for _ in 0..<2 { #expect(try await arbiter.run("raise", "a", "k", "--title", "T").output.contains("instance 1")) }
        #expect(try await arbiter.run("raise", "a", "k", "--title", "U").errors.contains("duplicate"))
        #expect(try await arbiter.run("raise", "a", "k", "--title", "U", "--update").output.contains("revision 2"))
    }

    @Test("An ambiguous key is refused with the instances to choose from")
    func ambiguous() async throws {
        let arbiter = try await TestArbiter()
        for producer in ["p", "q"] { _ = try await arbiter.run("raise", "a", "k", "--producer", producer) }
        #expect(try await arbiter.run("dismiss", "a", "k").errors.contains("(instances 1, 2)"))
        #expect(try await arbiter.run("answer", "a", "1", "--instance", "2").code == 0)
        #expect(try await arbiter.states() == ["k:shown"])
    }

    @Test("Sources wait for their data; the ids keep their types")
    func sources() async throws {
        let arbiter = try await TestArbiter()
        let raised = try await arbiter.run(
            "raise", "a", "filter", "--source", #"regions={"country":"se"}"#, "--source", "houses", "--selected",
            #"regions=1,north,"2""#)
        #expect(raised.output == "accepted: filter, instance 1, revision 1, loading\n")
        #expect(try await arbiter.run("why", "a", "filter").output.contains("regions, houses"))
    }

    @Test("Many alerts come in parts and are all listed")
    func many() async throws {
        let arbiter = try await TestArbiter()
        let count = 1203
        try Flood.raise(count, on: "many", at: arbiter.address)
        try await poll(seconds: 30, "\(count) alerts") { try await arbiter.states("many").count == count }
        let table = try await arbiter.run("list", "many")
        #expect(table.lines.count == count + 1)
        #expect(Set(table.lines).count == count + 1)
    }

    @Test("On a terminal a list is cut to its width")
    func narrow() async throws {
        let arbiter = try await TestArbiter()
        let name = String(repeating: "long-", count: 30)
        _ = try await arbiter.run("raise", name, "k", "--producer", name)
        let terminal = try PseudoTerminal()
        let list = try CommandProcess(
            ["list"], environment: ["ALERTBUS_REQUESTS": arbiter.address], output: terminal.path)
        try await terminal.waitFor("long-")
        #expect(try await list.wait() == 0)
        try await terminal.waitFor("\u{2026}\r\n")
        for line in terminal.text.split(separator: "\r\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test("A reader that goes away ends a command quietly")
    func brokenPipe() async throws {
        let arbiter = try await TestArbiter()
        try Flood.raise(2000, on: "many", at: arbiter.address)
        try await poll(seconds: 30, "2000 alerts") { try await arbiter.states("many").count == 2000 }
        let command = "\(CommandProcess.binary) list many --requests \(arbiter.address) --json"
        let outcome = try await Shell.run("\(command) | head -1; echo ${PIPESTATUS[0]}")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.last == "0")
        #expect(outcome.errors.isEmpty)
    }
}
