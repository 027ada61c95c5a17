import AlertBusWire
import Testing
import ZeroMQ

/// Who a peer is follows from its key alone.
@Suite("Identity", .serialized) struct IdentityTests {
    static let clients = [
        "alice": #"producer = ["lobby/**"]"#, "bob": #"producer = ["lobby/**"]"#,
        "admin": #"operator = ["**"]"# + "\n" + #"subscriber = ["**"]"#,
    ]

    @Test("The name of an alert's producer comes from the key, and another claim is refused")
    func claims() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let alice = try arbiter.peer("alice")
        #expect(try alice.outcome(Ask.raise("lobby/a", "door")) == "accepted")
        #expect(try alice.outcome(Ask.raise("lobby/a", "window", #""producer":"bob""#)) == "not_allowed")
        #expect(try alice.outcome(Ask.raise("lobby/a", "window", #""producer":"alice""#)) == "accepted")
        let list = try arbiter.peer("admin").ask(Ask.about("list", "/"))
        #expect(list["alerts"]?.array?.compactMap { $0["producer"]?.string } == ["alice", "alice"])
    }

    @Test("Nobody changes, withdraws or hears another producer's alert")
    func others() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let alice = try arbiter.peer("alice")
        let bob = try arbiter.peer("bob")
        let admin = try arbiter.peer("admin")
        let instance = try #require(try alice.ask(Ask.raise("lobby/a", "door"))["instance"]?.integer)
        for op in ["update", "withdraw"] {
            #expect(try bob.outcome(Ask.about(op, "lobby/a", #""key":"door","priority":3"#)) == "unknown_alert")
        }
        for op in ["dismiss", "answer"] {
            #expect(try bob.outcome(Ask.about(op, "lobby/a", #""instance":\#(instance),"answer":1"#)) == "not_allowed")
        }
        // The same key is another alert.
        #expect(try bob.outcome(Ask.raise("lobby/a", "door", #""update":true"#)) == "accepted")
        for _ in 0..<10 {
            #expect(try bob.outcome(Ask.about("status", "lobby/a", #""instance":\#(instance)"#)) == "not_allowed")
            // An operator may look, but takes nobody's place: an alert has room for a few listeners only.
            #expect(try arbiter.peer("admin").outcome(Ask.about("status", "lobby/a", #""instance":\#(instance)"#)) == "event")
        }
        _ = try bob.hears("event", within: 200) { $0["event"]?.string == "shown" }
        #expect(try admin.outcome(Ask.about("answer", "lobby/a", #""instance":\#(instance),"answer":{"secret":7}"#)) == "done")
        #expect(try alice.hears("event") { $0["event"]?.string == "ended" && $0["answer"]?["secret"]?.integer == 7 })
        #expect(try !bob.hears("event", within: 300) { $0["instance"]?.integer == instance })
        #expect(try bob.outcome(Ask.about("status", "lobby/a", #""instance":\#(instance)"#)) == "not_allowed")
        #expect(try alice.ask(Ask.about("status", "lobby/a", #""instance":\#(instance)"#))["answer"]?["secret"]?.integer == 7)
    }

    /// Each has a clear message within two seconds, from every kind of client of the command.
    @Test(
        "Who is not let in is told so soon",
        arguments: ["a key that is not listed", "another server key", "no key"],
        [
            ["list"], ["raise", "lobby/a", "k"], ["raise", "lobby/a", "k", "--wait"], ["watch", "lobby/"],
            ["watch", "lobby/", "--json"], ["watch", "lobby/", "--feed"], ["provide", "regions", "--exec", "echo []"],
        ])
    func turnedAway(how: String, words: [String]) throws {
        let arbiter = try SecureArbiter(Self.clients)
        let stranger = try CurveKeyPair.generate()
        let path = arbiter.directory.path + "/stranger.key"
        let server = how == "another server key" ? try CurveKeyPair.generate().publicKey : arbiter.serverKeys.publicKey
        let own = how == "another server key" ? try #require(arbiter.keys["admin"]) : stranger
        try CurveKeyFile(publicKey: own.publicKey, secretKey: own.secretKey, serverKey: server).write(path: path, comment: "test")
        var words = words
        if words.last == "--feed" { words.append(arbiter.feed) }
        words += ["--requests", arbiter.requests]
        if how != "no key" { words += ["--key", path] }
        let start = milliseconds()
        let process = try Process(words)
        #expect(try process.wait() == 1)
        #expect(process.errors.contains("does not let this client in"), "\(process.errors)")
        // Two seconds, and what a busy machine needs to start a process.
        #expect(milliseconds() - start < 5000)
    }

    @Test("A key that is listed works from the command, by option and by environment")
    func command() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let key = try arbiter.keyFile("alice")
        let raised = try run("raise", "lobby/a", "k", "--requests", arbiter.requests, "--key", key)
        #expect(raised.code == 0, "\(raised.errors)")
        let listed = try run(
            "list", "--requests", arbiter.requests, environment: ["ALERTBUS_KEY": try arbiter.keyFile("admin")])
        #expect(listed.output.contains("alice"), "\(listed.errors)")
        let counted = try run("list", "--counters", "--json", "--requests", arbiter.requests, "--key", try arbiter.keyFile("admin"))
        #expect(try JSONValue(parsing: counted.output)["accepted"]?.integer == 1)
        let refused = try run("list", "--counters", "--requests", arbiter.requests, "--key", key)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("not_allowed"))
    }
}
