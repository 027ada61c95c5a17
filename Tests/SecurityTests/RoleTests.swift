import Testing

/// What each role may ask, and on which surfaces.
@Suite("Roles", .serialized) struct RoleTests {
    /// Every request that needs a right, and who has it. `*`: everyone who is listed.
    static let requests: [(ask: String, roles: Set<String>)] = [
        (Ask.raise("lobby/a", "own"), ["producer"]),
        (Ask.about("update", "lobby/a", #""key":"own","priority":2"#), ["producer"]),
        (Ask.about("withdraw", "lobby/a", #""key":"own""#), ["producer"]),
        (Ask.about("dismiss", "lobby/a", #""key":"none""#), ["subscriber", "operator"]),
        (Ask.about("answer", "lobby/a", #""key":"none","answer":1"#), ["subscriber", "operator"]),
        (Ask.about("refresh", "lobby/a", #""key":"none","source":"x""#), ["subscriber", "operator"]),
        (Ask.about("clear", "lobby/a"), ["operator"]),
        (Ask.about("hold", "lobby/a"), ["operator"]),
        (Ask.about("release", "lobby/a"), ["operator"]),
        (Ask.about("list", "lobby/"), ["subscriber", "operator"]),
        (Ask.about("list", "lobby/", #""subscribers":true"#), ["subscriber", "operator"]),
        (Ask.about("sync", "lobby/"), ["subscriber", "operator"]),
        (Ask.about("subscribe", "lobby/"), ["subscriber", "operator"]),
        (Ask.about("why", "lobby/a", #""key":"none""#), ["subscriber", "operator"]),
        (Ask.about("status", "lobby/a", #""key":"none""#), ["subscriber", "operator"]),
        (#"{"v":1,"op":"provide","name":"regions"}"#, ["provider"]),
        (#"{"v":1,"op":"list","counters":true}"#, ["operator"]),
        (Ask.ping, ["*"]),
        (Ask.about("unsubscribe", "lobby/"), ["*"]),
    ]

    static let clients = [
        "producer": #"producer = ["lobby/**"]"#, "subscriber": #"subscriber = ["lobby/**"]"#,
        "operator": #"operator = ["lobby/**"]"#, "provider": #"provider = ["regions"]"#, "observer": "observer = true",
    ]

    @Test("Each role may do its own and nothing else")
    func matrix() throws {
        let arbiter = try SecureArbiter(Self.clients)
        for name in Self.clients.keys.sorted() {
            let peer = try arbiter.peer(name)
            for (ask, roles) in Self.requests {
                let isAllowed = roles.contains("*") || roles.contains(name)
                #expect((try peer.outcome(ask) == "not_allowed") != isAllowed, "\(name): \(ask)")
            }
        }
        #expect(arbiter.process.isRunning)
    }

    @Test("A role counts on its surfaces only")
    func surfaces() throws {
        let arbiter = try SecureArbiter(
            Self.clients.merging(["narrow": #"producer = ["lobby/kiosk-1/*"]"# + "\n" + #"operator = ["lobby/kiosk-1/*"]"#]) { $1 })
        for name in Self.clients.keys.sorted() where name != "provider" && name != "observer" {
            let peer = try arbiter.peer(name)
            for (ask, roles) in Self.requests where roles.contains(name) && ask.contains("lobby") {
                for other in ["hall", "lobbyx", "lobb"] {
                    let elsewhere = ask.replacing(#""lobby/"#, with: "\"\(other)/")
                    #expect(try peer.outcome(elsewhere) == "not_allowed", "\(name): \(elsewhere)")
                }
            }
        }
        let provider = try arbiter.peer("provider")
        #expect(try provider.outcome(#"{"v":1,"op":"provide","name":"regions2"}"#) == "not_allowed")
        let narrow = try arbiter.peer("narrow")
        #expect(try narrow.outcome(Ask.raise("lobby/kiosk-1/modal", "k")) == "accepted")
        #expect(try narrow.outcome(Ask.raise("lobby/kiosk-1/modal/deep", "k")) == "not_allowed")
        #expect(try narrow.outcome(Ask.raise("lobby/kiosk-10/modal", "k")) == "not_allowed")
        // One star is one segment: not everything below.
        #expect(try narrow.outcome(Ask.about("clear", "lobby/kiosk-1/")) == "not_allowed")
        #expect(try narrow.outcome(Ask.about("clear", "/")) == "not_allowed")
        #expect(try narrow.outcome(Ask.about("clear", "lobby/kiosk-1/modal")) == "done")
    }

    @Test("A refusal says who lacks what, and what to do")
    func wording() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let reply = try arbiter.peer("subscriber").ask(Ask.raise("lobby/a", "k"))
        #expect(
            reply["message"]?.string
                == #""subscriber" is not producer for lobby/a. Add it to the entry of this key in the permissions file."#)
    }
}
