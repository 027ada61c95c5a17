import AlertBusWire
import Testing
import ZeroMQ

/// At each limit: a refusal that says which, a count, and no harm to others.
@Suite("Limits", .serialized) struct LimitTests {
    static let clients = [
        "peer": #"producer = ["**"]"# + "\n" + #"subscriber = ["**"]"# + "\n" + #"provider = ["**"]"#,
        "admin": #"operator = ["**"]"#,
    ]

    /// Lines of the section `limits`, what fills the limit, what passes it, and the reason.
    static let limits: [(limits: String, fill: [String], over: String, reason: String)] = [
        ("alerts_per_producer = 2", [Ask.raise("a", "1"), Ask.raise("b", "2")], Ask.raise("c", "3"), "over_limit"),
        ("alerts = 2", [Ask.raise("a", "1"), Ask.raise("b", "2")], Ask.raise("c", "3"), "over_limit"),
        ("surfaces = 2", [Ask.raise("a", "1"), Ask.raise("b", "2")], Ask.raise("c", "3"), "over_limit"),
        (
            "bytes = 1024", [Ask.raise("a", "1")],
            Ask.raise("a", "2", #""params":{"text":"\#(String(repeating: "x", count: 2000))"}"#), "over_limit"
        ),
        ("sources = 1", [], Ask.raise("a", "1", #""sources":[{"name":"x"},{"name":"y"}]"#), "over_limit"),
        (
            "subscriptions_per_session = 2", [Ask.about("subscribe", "a"), Ask.about("subscribe", "b")],
            Ask.about("subscribe", "c"), "over_limit"
        ),
        (
            "provided_names_per_session = 1", [#"{"v":1,"op":"provide","name":"x"}"#],
            #"{"v":1,"op":"provide","name":"y"}"#, "over_limit"
        ),
        (
            "message_bytes = 1024", [], Ask.raise("a", "1", #""params":{"x":"\#(String(repeating: "x", count: 1100))"}"#),
            "malformed"
        ),
        ("rate_per_second = 1\nburst = 2", [Ask.raise("a", "1")], Ask.raise("a", "3"), "over_limit"),
        (
            "snapshot_requests_per_second = 1\nsubscriptions_per_session = 2",
            [Ask.about("sync", "a"), Ask.about("sync", "a")], Ask.about("sync", "a"), "over_limit"
        ),
        (
            "snapshot_requests_per_second = 1\nsubscriptions_per_session = 2",
            [Ask.about("list", "a"), Ask.about("list", "a")], Ask.about("list", "a"), "over_limit"
        ),
        (
            "snapshot_requests_per_second = 1\nsubscriptions_per_session = 2",
            [Ask.about("subscribe", "a"), Ask.about("subscribe", "a")], Ask.about("subscribe", "a"), "over_limit"
        ),
        (
            "alerts_per_producer = 2", [Ask.raise("a", "1"), Ask.raise("b", "2")],
            Ask.raise("a", "3", #""priority":3,"intercept":false"#), "over_limit"
        ),
    ]

    @Test("of the configuration", arguments: limits.indices)
    func configured(index: Int) throws {
        let (limits, fill, over, reason) = Self.limits[index]
        let arbiter = try SecureArbiter(Self.clients, limits: limits)
        let peer = try arbiter.peer("peer")
        let before = try arbiter.counters()["refused_\(reason)"] ?? 0
        for ask in fill { #expect(try peer.outcome(ask) != reason, "\(limits): \(ask.prefix(100))") }
        var outcome = ""
        // A bucket gets a new token each second, and the machine may be slow.
        for _ in 0..<5 where outcome != reason {
            let reply = try peer.ask(over)
            outcome = reply["reason"]?.string ?? "accepted"
            if limits.contains("per_second") && outcome == reason { #expect(reply["retry_after_ms"]?.integer ?? 0 > 0) }
            #expect(outcome != reason || reply["message"]?.string?.isEmpty == false)
        }
        #expect(outcome == reason, "\(limits)")
        #expect(try arbiter.counters()["refused_\(reason)"] ?? 0 > before)
        #expect(try peer.outcome(Ask.ping) == "pong")
    }

    @Test("of a surface: its capacity")
    func capacity() throws {
        let arbiter = try SecureArbiter(Self.clients, policy: "capacity = 1")
        let peer = try arbiter.peer("peer")
        #expect(try peer.outcome(Ask.raise("a", "shown")) == "accepted")
        #expect(try peer.outcome(Ask.raise("a", "waits")) == "accepted")
        #expect(try peer.outcome(Ask.raise("a", "one more")) == "over_limit")
        #expect(try peer.outcome(Ask.raise("b", "elsewhere")) == "accepted")
    }

    @Test("of rows: too many are refused, and the alert ends with the cause")
    func rows() throws {
        let arbiter = try SecureArbiter(Self.clients, limits: "rows = 2")
        let peer = try arbiter.peer("peer")
        #expect(try peer.outcome(#"{"v":1,"op":"provide","name":"x"}"#) == "done")
        #expect(try peer.outcome(Ask.raise("a", "k", #""sources":[{"name":"x"}]"#)) == "accepted")
        var load: Int?
        #expect(
            try peer.hears("load") {
                load = $0["load"]?.integer; return true
            })
        let rows = (0..<3).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try peer.send(#"{"v":1,"op":"loaded","load":\#(try #require(load)),"rows":[\#(rows)]}"#)
        #expect(try peer.hears("event") { $0["event"]?.string == "ended" && $0["reason"]?.string == "load_failed" })
    }

    @Test("of nesting")
    func nesting() throws {
        let arbiter = try SecureArbiter(Self.clients)
        let peer = try arbiter.peer("peer")
        func nested(_ depth: Int) -> String {
            Ask.raise(
                "a", "k\(depth)", #""params":{"x":\#(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))}"#
            )
        }
        #expect(try peer.outcome(nested(62)) == "accepted")
        // It cannot be read, so its reply has no ref.
        try peer.send(nested(63))
        #expect(try peer.hears("refused") { $0["reason"]?.string == "malformed" })
        #expect(try arbiter.counters()["malformed"] == 1)
    }

    @Test("of frames: a second one is refused, and many end the connection")
    func frames() throws {
        let arbiter = try SecureArbiter(Self.clients, limits: "frames = 4")
        let peer = try arbiter.peer("peer")
        #expect(try peer.outcome(Ask.ping) == "pong")
        func send(_ count: Int) throws {
            for index in 0..<count { try peer.socket.send(Ask.ping, more: index < count - 1) }
        }
        try send(2)
        #expect(try peer.hears("refused") { $0["reason"]?.string == "malformed" })
        #expect(try arbiter.counters()["connections_cut_off"] == 0)
        try send(100)
        try poll("the end of the connection") { try arbiter.counters()["connections_cut_off"] == 1 }
        // libzmq connects again, and an honest message is answered.
        #expect(try peer.outcome(Ask.ping) == "pong")
    }

    @Test("of a message that is far too long: the connection ends")
    func farTooLong() throws {
        let arbiter = try SecureArbiter(Self.clients, limits: "message_bytes = 1024")
        let peer = try arbiter.peer("peer")
        #expect(try peer.outcome(Ask.ping) == "pong")
        let admin = try arbiter.peer("admin")
        func accepted() throws -> Int {
            try admin.ask(#"{"v":1,"op":"list","counters":true}"#)["counters"]?["connections_accepted"]?.integer ?? 0
        }
        let before = try accepted()
        try peer.send(Ask.raise("a", "k", #""params":{"x":"\#(String(repeating: "x", count: 10_000))"}"#))
        try poll("another connection") { try accepted() > before }
        #expect(try admin.ask(Ask.about("list", "/"))["alerts"]?.array?.isEmpty == true)
    }
}
