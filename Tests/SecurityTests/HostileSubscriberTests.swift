import AlertBusWire
import Testing
import ZeroMQ

/// A subscriber sees the surfaces of its key, whatever it tries.
@Suite("Hostile subscribers", .serialized) struct HostileSubscriberTests {
    static let clients = [
        "thief": #"subscriber = ["lobby/kiosk-1/**"]"#,
        "admin": #"operator = ["**"]"# + "\n" + #"producer = ["**"]"# + "\n" + #"subscriber = ["**"]"#,
    ]

    @Test("No scope, list, question or prefix shows another surface")
    func requests() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let admin = try arbiter.peer("admin")
        let thief = try arbiter.peer("thief")
        _ = try admin.ask(Ask.raise("lobby/kiosk-10/modal", "secret"))
        _ = try admin.ask(Ask.raise("lobby/kiosk-1", "secret"))
        let scopes = [
            "/", "lobby/", "lobby/kiosk-1", "lobby/kiosk-10/", "lobby/kiosk-10/modal", "lobby/kiosk-", "lobby/*", "**",
            "lobby/kiosk-1/../kiosk-10/modal", "lobby/kiosk-1/**", "lobby", "l",
        ]
        for scope in scopes {
            for op in ["subscribe", "sync", "list"] {
                for more in op == "list" ? ["", #""subscribers":true"#] : [""] {
                    let reply = try thief.ask(Ask.about(op, scope, more))
                    // Below its own surface a name may look strange; nothing is there.
                    let isOwn = scope.hasPrefix("lobby/kiosk-1/")
                    #expect(isOwn || ["not_allowed", "malformed"].contains(reply["reason"]?.string), "\(op) \(scope)")
                    #expect(!reply.text.contains("secret"), "\(op) \(scope)")
                }
            }
            #expect(try thief.outcome(Ask.about("why", scope, #""key":"secret""#)) != "explanation")
            #expect(try thief.outcome(Ask.about("status", scope, #""key":"secret""#)) != "event")
        }
        #expect(try thief.outcome(Ask.about("subscribe", "lobby/kiosk-1/")) == "snapshot")
        _ = try admin.ask(Ask.raise("lobby/kiosk-10/banner", "secret"))
        _ = try admin.ask(Ask.raise("lobby/kiosk-1/banner", "open"))
        #expect(try thief.hears("show") { $0["surface"]?.string == "lobby/kiosk-1/banner" })
        #expect(try !thief.hears("show", within: 300))
        #expect(thief.inbox.allSatisfy { !$0.text.contains("secret") })
    }

    @Test("The feed is open to observers alone")
    func feed() throws {
        let arbiter = try SecureArbiter(Self.clients.merging(["eye": "observer = true"]) { $1 })
        func hears(_ keys: CurveKeyPair?) throws -> Bool {
            let socket = try SubscriberSocket(try Context())
            if let keys { try socket.setCurveClient(keys: keys, serverKey: arbiter.serverKeys.publicKey) }
            try socket.subscribe("")
            try socket.connect(try Endpoint(arbiter.feed))
            let admin = try arbiter.peer("admin")
            for round in 0..<10 {
                _ = try admin.ask(Ask.raise("lobby/\(UInt32.random(in: 0 ... .max))", "k\(round)"))
                if try socket.waitToReceive(milliseconds: 100) { return true }
            }
            return false
        }
        #expect(try hears(arbiter.keys["eye"]))
        #expect(try !hears(arbiter.keys["thief"]))
        #expect(try !hears(arbiter.keys["admin"]))
        #expect(try !hears(CurveKeyPair.generate()))
        #expect(try !hears(nil))
        #expect(try arbiter.counters()["keys_refused"] ?? 0 >= 4)
    }

    @Test("Confirmations that are forged, replayed or of another's surface change nothing and are counted")
    func confirmations() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let admin = try arbiter.peer("admin")
        let thief = try arbiter.peer("thief")
        _ = try thief.ask(Ask.about("subscribe", "lobby/kiosk-1/"))
        _ = try admin.ask(Ask.raise("lobby/kiosk-1/modal", "k"))
        #expect(try thief.hears("show"))
        _ = try admin.ask(Ask.raise("lobby/kiosk-2/modal", "k"))
        let epoch = try #require(try thief.ask(Ask.ping)["epoch"]?.integer)
        func drawn(_ surface: String, _ epoch: Int, _ seq: UInt64) throws {
            try thief.send(Ask.about("drawn", surface, #""epoch":\#(epoch),"seq":\#(seq)"#))
        }
        try drawn("lobby/kiosk-1/modal", epoch, .max)
        try drawn("lobby/kiosk-1/modal", epoch, 2)
        try drawn("lobby/kiosk-1/modal", epoch + 1, 1)
        try drawn("lobby/kiosk-2/modal", epoch, 1)
        try drawn("nowhere", epoch, 1)
        func progress() throws -> Int? {
            _ = try thief.ask(Ask.ping)
            let list = try admin.ask(Ask.about("list", "/", #""subscribers":true"#))
            let screens = list["subscribers"]?.array?.first?["screens"]?.array
            #expect(screens?.count == 1)
            return screens?.first?["drawn"]?.integer
        }
        #expect(try progress() == nil)
        #expect(try arbiter.counters()["confirmations_ignored"] == 5)
        // A true one counts, and the same once more changes nothing.
        for _ in 0..<3 { try drawn("lobby/kiosk-1/modal", epoch, 1) }
        #expect(try progress() == 1)
        #expect(try arbiter.counters()["confirmations_ignored"] == 5)
    }
}
