import AlertBusWire
import Testing

/// What a key may beyond its roles: priority, breakthrough, rate, alerts held.
@Suite("Privileges", .serialized) struct PrivilegeTests {
    static let all = #"producer = ["**"]"# + "\n"
    static let admin = ["admin": #"operator = ["**"]"# + "\n" + #"subscriber = ["**"]"# + "\n" + #"producer = ["**"]"#]

    @Test("An alert is not more urgent than its key may be, also when it is updated")
    func topPriority() throws {
        let arbiter = try SecureArbiter(Self.admin.merging(["low": Self.all + "top_priority = 1"]) { $1 })
        let low = try arbiter.peer("low")
        let admin = try arbiter.peer("admin")
        _ = try admin.ask(Ask.raise("a", "base", #""priority":1"#))
        _ = try low.ask(Ask.raise("a", "mine", #""priority":3"#))
        _ = try admin.ask(Ask.raise("a", "other", #""priority":2"#))
        func priorities() throws -> [String: Int] {
            let alerts = try admin.ask(Ask.about("list", "a"))["alerts"]?.array ?? []
            return Dictionary(uniqueKeysWithValues: alerts.map { ($0["key"]!.string!, $0["priority"]!.integer!) })
        }
        #expect(try priorities() == ["base": 1, "mine": 1, "other": 2])
        #expect(try low.outcome(Ask.about("update", "a", #""key":"mine","priority":3"#)) == "done")
        #expect(try priorities()["mine"] == 1)
    }

    @Test("Only a key with breakthrough is shown on a surface that is held")
    func breakthrough() throws {
        let arbiter = try SecureArbiter(
            Self.admin.merging(["fire": Self.all + "breakthrough = true", "news": Self.all]) { $1 })
        let admin = try arbiter.peer("admin")
        #expect(try admin.outcome(Ask.about("hold", "a")) == "done")
        let ask = Ask.raise("a", "k", #""breakthrough":true,"intercept":false"#)
        #expect(try arbiter.peer("news").ask(ask)["state"]?.string == "deferred")
        #expect(try arbiter.peer("fire").ask(ask)["state"]?.string == "shown")
    }

    @Test("Commands of a key pass at its rate over all its connections; the most urgent is shed last")
    func rate() throws {
        let arbiter = try SecureArbiter(
            Self.admin.merging(["slow": Self.all + "rate_per_second = 1\nburst = 8"]) { $1 })
        // A quarter of the burst is kept for the urgent.
        var outcomes: [String] = []
        for number in 0..<12 {
            let reply = try arbiter.peer("slow").ask(Ask.raise("a", "k\(number)", #""priority":1"#))
            outcomes.append(reply["reason"]?.string ?? "accepted")
            if reply["op"]?.string == "refused" {
                let wait = try #require(reply["retry_after_ms"]?.integer)
                #expect((1...4000).contains(wait))
            }
        }
        #expect(outcomes.prefix(6).allSatisfy { $0 == "accepted" })
        #expect(outcomes.filter { $0 == "over_limit" }.count >= 3)
        #expect(try arbiter.peer("slow").outcome(Ask.raise("a", "urgent", #""priority":3"#)) == "accepted")
        // Others are not held back.
        let admin = try arbiter.peer("admin")
        for number in 0..<50 { #expect(try admin.outcome(Ask.raise("a", "o\(number)")) == "accepted") }
        #expect(try arbiter.counters()["refused_over_limit"] ?? 0 >= 3)
    }

    @Test("After the time that a refusal names, the command passes")
    func retryAfter() throws {
        let arbiter = try SecureArbiter(Self.admin.merging(["slow": Self.all + "rate_per_second = 20\nburst = 4"]) { $1 })
        let slow = try arbiter.peer("slow")
        var wait: Int?
        for number in 0..<1000 where wait == nil {
            wait = try slow.ask(Ask.raise("a", "k\(number)", #""priority":1"#))["retry_after_ms"]?.integer
        }
        let start = milliseconds()
        let pause = Int64(try #require(wait))
        try poll("the time to pass") { milliseconds() - start > pause + 1 }
        #expect(try slow.outcome(Ask.raise("a", "late", #""priority":1"#)) == "accepted")
    }

    @Test("A key holds no more alerts than it may, and may again when one has ended")
    func alertsHeld() throws {
        let arbiter = try SecureArbiter(Self.admin.merging(["few": Self.all + "alerts = 2"]) { $1 })
        let few = try arbiter.peer("few")
        #expect(try few.outcome(Ask.raise("a", "k1")) == "accepted")
        #expect(try few.outcome(Ask.raise("b", "k2")) == "accepted")
        #expect(try few.outcome(Ask.raise("c", "k3")) == "over_limit")
        #expect(try few.outcome(Ask.about("withdraw", "a", #""key":"k1""#)) == "done")
        #expect(try few.outcome(Ask.raise("c", "k3")) == "accepted")
    }
}
