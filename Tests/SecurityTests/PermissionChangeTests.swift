import AlertBusWire
import Testing
import ZeroMQ

/// The list of permissions changes while the arbiter runs.
@Suite("Permissions while running", .serialized) struct PermissionChangeTests {
    static let clients = [
        "alice": #"producer = ["lobby/**"]"#, "screen": #"subscriber = ["lobby/**"]"#,
        "admin": #"operator = ["**"]"# + "\n" + #"producer = ["**"]"#,
    ]

    private func waitForChange(_ arbiter: SecureArbiter, _ count: Int) throws {
        try poll("the permissions; \(arbiter.process.errors)") {
            arbiter.process.errors.components(of: "The permissions have changed").count >= count
        }
    }

    @Test("A key that is added comes in, and one that is taken out is cut off at once")
    func addedAndRemoved() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let alice = try arbiter.peer("alice")
        #expect(try alice.outcome(Ask.ping) == "pong")
        var clients = Self.clients
        clients["alice"] = nil
        clients["carol"] = #"producer = ["hall/**"]"#
        try arbiter.permit(clients)
        try waitForChange(arbiter, 1)
        #expect(try arbiter.peer("carol").outcome(Ask.raise("hall/a", "k")) == "accepted")
        // Her connection is ended, and she is not let in again.
        try poll("the end of the connection") { try arbiter.counters()["connections_cut_off"] == 1 }
        try? alice.socket.setLinger(milliseconds: 0)
        try poll("a refusal") { try arbiter.counters()["keys_refused"] ?? 0 >= 2 }
        #expect(try !alice.hears("pong", within: 100))
    }

    @Test("A screen that may see less is sent less")
    func narrowed() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let screen = try arbiter.peer("screen")
        let admin = try arbiter.peer("admin")
        #expect(try screen.outcome(Ask.about("subscribe", "lobby/")) == "snapshot")
        #expect(try admin.outcome(Ask.raise("lobby/a", "first")) == "accepted")
        #expect(try screen.hears("show"))
        var clients = Self.clients
        clients["screen"] = #"subscriber = ["hall/**"]"#
        try arbiter.permit(clients)
        try waitForChange(arbiter, 1)
        #expect(try admin.outcome(Ask.raise("lobby/b", "second")) == "accepted")
        #expect(try screen.outcome(Ask.about("sync", "lobby/")) == "not_allowed")
        #expect(try screen.outcome(Ask.about("subscribe", "hall/")) == "snapshot")
        #expect(try !screen.hears("show", within: 300))
    }

    @Test("A name that gets another key does not lend it to the old one's connections")
    func rotated() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let old = try arbiter.peer("alice")
        #expect(try old.outcome(Ask.raise("lobby/a", "k")) == "accepted")
        try arbiter.permit(Self.clients, fresh: ["alice"])
        try waitForChange(arbiter, 1)
        try poll("the end of the connection") { try arbiter.counters()["connections_cut_off"] == 1 }
        #expect(try arbiter.peer("alice").outcome(Ask.about("withdraw", "lobby/a", #""key":"k""#)) == "done")
        _ = try? old.socket.trySend(Array(Ask.raise("lobby/a", "again", #""ref":"again""#).utf8))
        #expect(try !old.hears("accepted", within: 300) { $0["ref"]?.string == "again" })
    }

    @Test("A faulty file is told and keeps the old permissions in force; a good one takes over")
    func faulty() throws {
        let arbiter = try SecureArbiter(Self.clients)
        write("[[client]]\nname = \"alice\"\n", to: arbiter.directory.path + "/permissions.toml")
        try poll("the fault; \(arbiter.process.errors)") {
            arbiter.process.errors.contains("cannot be used; the old ones stay in force")
        }
        #expect(arbiter.process.errors.contains("permissions.toml:1:1: client[0].key"))
        #expect(try arbiter.peer("alice").outcome(Ask.raise("lobby/a", "k")) == "accepted")
        try arbiter.permit(["admin": Self.clients["admin"]!])
        try poll("the new ones") { arbiter.process.errors.contains("have changed and are in force") }
        #expect(try arbiter.peer("admin").outcome(Ask.raise("lobby/a", "l")) == "accepted")
    }

    @Test("An observer that may no more is cut off from the feed")
    func observers() throws {
        let arbiter = try SecureArbiter(Self.clients.merging(["eye": "observer = true"]) { $1 })
        let socket = try SubscriberSocket(try Context())
        try socket.setCurveClient(keys: arbiter.keys["eye"]!, serverKey: arbiter.serverKeys.publicKey)
        try socket.subscribe("")
        try socket.connect(try Endpoint(arbiter.feed))
        let admin = try arbiter.peer("admin")
        var count = 0
        try poll("a message of the feed") {
            count += 1
            _ = try admin.ask(Ask.raise("lobby/\(count)", "k"))
            return try socket.waitToReceive(milliseconds: 20)
        }
        try arbiter.permit(Self.clients)
        try waitForChange(arbiter, 1)
        try poll("the end of the connection") { try arbiter.counters()["connections_cut_off"] == 1 }
        while let _ = try socket.tryReceive() {}
        _ = try admin.ask(Ask.raise("lobby/last", "k"))
        #expect(try !socket.waitToReceive(milliseconds: 500))
    }
}

extension String {
    func components(of text: String) -> [Range<String.Index>] { ranges(of: text) }
}
