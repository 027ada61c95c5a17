import AlertBusWire
import Glibc
import TestSupport
import Testing

@Suite("watch")
struct WatchTests {
    @Test("prints a line for each event, and nothing that a terminal would obey")
    func lines() async throws {
        let arbiter = try await TestArbiter()
        _ = try await arbiter.run("raise", "lobby/a", "door", "--priority", "3", "--title", "Door \u{1B}[31m门\nopen")
        let watch = try arbiter.start("watch", "lobby/")
        try await watch.waitForOutput("(snapshot)\n")
        _ = try await arbiter.run("update", "lobby/a", "door", "--priority", "2", "--title", "Still open")
        _ = try await arbiter.run("raise", "elsewhere", "hidden")
        _ = try await arbiter.run("dismiss", "lobby/a")
        try await watch.waitForOutput("(dismissed)\n")
        #expect(watch.lines.allSatisfy { $0.prefixMatch(of: /\d\d:\d\d:\d\d\.\d\d\d/) != nil })
        #expect(
            watch.lines.map { $0.dropFirst(12) } == [
                "  lobby/a  show    door  P3  \"Door \u{FFFD}[31m门 open\"  (snapshot)",
                "  lobby/a  update  door  P2  \"Still open\"  (updated)",
                "  lobby/a  hide    door  P2  \"Still open\"  (dismissed)",
            ])
        #expect(watch.errors.isEmpty)
    }

    @Test("--json gives the messages as they come, without holes, and confirms them as drawn")
    func raw() async throws {
        let arbiter = try await TestArbiter()
        let watch = try arbiter.start("watch", "/", "--json")
        try await watch.waitForOutput(#""op":"snapshot""#)
        for key in ["x", "y"] {
            _ = try await arbiter.run("raise", "a", key)
            _ = try await arbiter.run("dismiss", "a")
        }
        try await poll(seconds: 30, "5 messages") { watch.lines.count >= 5 }
        let messages = try watch.lines.map { try JSONValue(parsing: $0) }
        #expect(messages.map { $0["op"]?.string } == ["snapshot", "show", "hide", "show", "hide"])
        #expect(messages.dropFirst().map { $0["seq"]?.integer } == [1, 2, 3, 4])
        try await poll(seconds: 30, "the confirmation") {
            try await arbiter.run("list", "a", "--subscribers", "--json").output.contains(#""sent":4,"drawn":4"#)
        }
        #expect(try await arbiter.run("raise", "a", "z").errors.isEmpty, "somebody watches")
    }

    @Test("says when the bus is lost and back, and shows what it missed", arguments: [false, true])
    func reconnects(isRaw: Bool) async throws {
        let directory = TemporaryDirectory("command")
        let address = "ipc://\(directory.path)/requests"
        let journal = directory.file("journal")
        let first = try await TestArbiter(address: address, journal: journal)
        _ = try await first.run("raise", "a", "before")
        let watch = try first.start(isRaw ? ["watch", "/", "--json"] : ["watch", "/"])
        try await watch.waitForOutput("before")
        first.process.send(SIGKILL)
        _ = try await first.process.wait()
        try await watch.waitForErrors("bus lost: nothing is heard from \(address)")
        let second = try await TestArbiter(address: address, journal: journal)
        _ = try await second.run("dismiss", "a", "before")
        _ = try await second.run("raise", "b", "after")
        try await watch.waitForErrors("bus back: \(address) is heard again")
        try await watch.waitForOutput("after")
        if !isRaw {
            try await watch.waitForOutput("hide    before")
            #expect(watch.lines.filter { $0.contains("show    before") }.count == 1)
        }
    }

    @Test("waits for an arbiter that is not there yet")
    func early() async throws {
        let directory = TemporaryDirectory("command")
        let address = "ipc://\(directory.path)/requests"
        let watch = try CommandProcess(["watch", "/"], environment: ["ALERTBUS_REQUESTS": address])
        try await watch.waitForErrors("bus lost: ")
        let arbiter = try await TestArbiter(address: address)
        _ = try await arbiter.run("raise", "a", "k")
        try await watch.waitForOutput("show    k")
    }

    @Test("--feed follows as an observer, on one surface only if that is asked for")
    func feed() async throws {
        let directory = TemporaryDirectory("command")
        let feed = "ipc://\(directory.path)/feed"
        let arbiter = try await TestArbiter(feed: feed)
        let raw = try CommandProcess(["watch", "a", "--feed", feed, "--json"])
        let watch = try CommandProcess(["watch", "a", "--feed", feed])
        // What is published before the subscription has arrived is lost, so alerts come until both have heard one.
        var count = 0
        try await poll(seconds: 30, "a message on the feed") {
            count += 1
            _ = try await arbiter.run("raise", "a", "k\(count)", "--title", "T")
            _ = try await arbiter.run("raise", "a/below", "k\(count)")
            _ = try await arbiter.run("dismiss", "a", "k\(count)")
            return watch.output.contains("hide") && watch.output.contains("  P1  ") && raw.output.contains(#""op":"show""#)
        }
        #expect(!watch.output.contains("a/below") && !raw.output.contains("a/below"))
        #expect(watch.lines.contains { $0.contains("  P1  \"T\"  (") })
        for line in raw.lines { #expect(try JSONValue(parsing: line)["surface"] == "a") }
    }

    @Test("is coloured on a terminal, unless NO_COLOR says otherwise", arguments: [[:], ["NO_COLOR": "1"], ["TERM": "dumb"]])
    func colours(environment: [String: String]) async throws {
        let arbiter = try await TestArbiter()
        _ = try await arbiter.run("raise", "a", "k", "--priority", "3")
        let terminal = try PseudoTerminal()
        var environment = environment
        environment["ALERTBUS_REQUESTS"] = arbiter.address
        let watch = try CommandProcess(["watch", "/"], environment: environment, output: terminal.path)
        try await terminal.waitFor("(snapshot)")
        #expect(terminal.text.contains("\u{1B}[32mshow") == (environment.count == 1))
        #expect(terminal.text.contains("\u{1B}") == (environment.count == 1))
        watch.send(SIGKILL)
        _ = try await watch.wait()
    }
}
