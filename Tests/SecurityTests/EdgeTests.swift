import AlertBusWire
import Glibc
import Testing
import ZeroMQ

/// The edges of limits that need more than one peer or more than one message.
@Suite("Edges of limits", .serialized) struct EdgeTests {
    private func open(_ limits: String = "", policy: String = "", descriptors: Int? = nil) throws -> SecureArbiter {
        try SecureArbiter([:], limits: limits, policy: policy, usesKeys: false, descriptors: descriptors)
    }

    private func counters(_ peer: Peer) throws -> [String: Int] {
        let reply = try peer.ask(#"{"v":1,"op":"list","counters":true}"#)
        var result: [String: Int] = [:]
        for member in reply["counters"]?.members ?? [] { result[member.name] = member.value.integer }
        return result
    }

    private func text(_ bytes: Int) -> String { #""params":{"x":"\#(String(repeating: "x", count: bytes))"}"# }

    // MARK: What is held

    @Test("Bytes in total: whoever sends the alert, the next one that does not fit is refused until some have ended")
    func bytesInTotal() throws {
        let limit = 100_000
        let arbiter = try open("bytes = \(limit)")
        let admin = try Peer(arbiter.requests)
        var accepted = 0
        var refused = 0
        for number in 0..<60 {
            // Many producers, and many surfaces: the sum counts.
            let reply = try Peer(arbiter.requests).ask(
                Ask.raise("s/\(number % 7)", "k\(number)", text(4000) + #","producer":"p\#(number % 5)""#))
            if reply["op"]?.string == "accepted" { accepted += 1 } else { refused += 1 }
            if reply["op"]?.string == "refused" {
                #expect(reply["reason"]?.string == "over_limit")
                #expect(reply["retry_after_ms"]?.integer ?? 0 > 0)
                #expect(reply["message"]?.string?.contains("(bytes)") == true)
            }
        }
        #expect(accepted > 20 && refused > 20)
        let full = try counters(admin)
        #expect(full["alert_bytes"] ?? .max <= limit)
        #expect(full["refused_over_limit"] == refused)
        // An update that makes an alert larger counts as well.
        #expect(try admin.outcome(Ask.about("update", "s/0", #""key":"k0","producer":"p0","# + text(90_000))) == "over_limit")
        #expect(try admin.outcome(Ask.about("withdraw", "s/0", #""key":"k0","producer":"p0""#)) == "done")
        #expect(try admin.outcome(Ask.raise("s/0", "again", text(3000))) == "accepted")
    }

    @Test("Alerts of a surface: a more urgent one takes the place of the lowest, and the most urgent is shed last")
    func urgentAtTheCapacity() throws {
        let arbiter = try open(policy: "capacity = 3\noverflow = \"evict_lowest\"")
        let peer = try Peer(arbiter.requests)
        func raise(_ key: String, _ priority: Int) throws -> String {
            try peer.outcome(Ask.raise("a", key, #""priority":\#(priority)"#))
        }
        #expect(try raise("shown", 3) == "accepted")
        for key in ["w1", "w2"] { #expect(try raise(key, 1) == "accepted") }
        #expect(try raise("middle", 2) == "accepted")
        // It is as low as the lowest.
        #expect(try raise("low", 1) == "over_limit")
        for key in ["u1", "u2", "u3"] { #expect(try raise(key, 3) == "accepted") }
        for key in ["w1", "w2", "middle"] {
            #expect(
                try peer.hears("event") {
                    $0["key"]?.string == key && $0["event"]?.string == "ended" && $0["reason"]?.string == "evicted"
                })
        }
        #expect(try raise("u4", 3) == "over_limit")
        let left = try peer.ask(Ask.about("list", "a"))["alerts"]?.array?.compactMap { $0["key"]?.string } ?? []
        #expect(Set(left) == ["shown", "u1", "u2", "u3"])
    }

    @Test("The rate of a connection without a key: the most urgent is shed last, and other connections are not held back")
    func urgentAtTheRate() throws {
        let arbiter = try open("rate_per_second = 1\nburst = 8")
        let flood = try Peer(arbiter.requests)
        var low: [String] = []
        for number in 0..<10 { low.append(try flood.outcome(Ask.raise("a", "k\(number)", #""priority":1"#))) }
        #expect(low.prefix(6).allSatisfy { $0 == "accepted" })
        #expect(low.suffix(2).contains("over_limit"))
        #expect(try flood.outcome(Ask.raise("a", "urgent", #""priority":3"#)) == "accepted")
        let honest = try Peer(arbiter.requests)
        for number in 0..<6 { #expect(try honest.outcome(Ask.raise("b", "k\(number)")) == "accepted") }
        #expect(try counters(honest)["refused_over_limit"] ?? 0 >= 2)
    }

    @Test("Scopes that are held or released: so many, and a wider one takes their place")
    func holds() throws {
        let arbiter = try open()
        let peer = try Peer(arbiter.requests)
        for number in 0..<1000 { #expect(try peer.outcome(Ask.about("hold", "h/\(number)")) == "done") }
        #expect(try peer.outcome(Ask.about("hold", "h/more")) == "over_limit")
        #expect(try peer.outcome(Ask.about("release", "h/")) == "done")
        #expect(try peer.outcome(Ask.about("hold", "h/more")) == "done")
    }

    @Test("What is remembered of tokens, producers, keys and ended alerts stays bounded, however many there were")
    func bookkeeping() throws {
        let arbiter = try open("memory = 500")
        let peer = try Peer(arbiter.requests)
        let long = String(repeating: "n", count: 200)
        var number = 0
        func cycle(_ count: Int) throws {
            let end = number + count
            while number < end {
                // A hundred at a time, so that it does not take long.
                for each in number..<min(number + 100, end) {
                    let who = #""key":"\#(long)\#(each)","producer":"\#(long)\#(each)","once":"\#(long)\#(each)"#
                    try peer.send(#"{"v":1,"op":"raise","surface":"a",\#(who)-r"}"#)
                    try peer.send(#"{"v":1,"op":"withdraw","surface":"a",\#(who)-w"}"#)
                }
                number = min(number + 100, end)
                #expect(try peer.outcome(Ask.ping) == "pong")
                peer.inbox = []
            }
        }
        try cycle(3000)
        let before = try counters(peer)
        try cycle(12_000)
        let after = try counters(peer)
        #expect(after["accepted"] == 15_000)
        #expect(after["alerts"] == 0)
        // Kept whole, these would be 12,000 times 2 KiB and more.
        let growth = (after["resident_bytes"] ?? 0) - (before["resident_bytes"] ?? 0)
        print("12,000 more producers, keys and tokens: \(growth / 1024) KiB more")
        #expect(growth < (8 << 20) * memoryFactor)
    }

    // MARK: What waits to be sent

    @Test("A producer that never reads costs its bound and no more, and is counted")
    func producerBacklog() throws {
        let arbiter = try open("message_bytes = 65536\nproducer_backlog_bytes = 65536\nsubscriber_backlog_bytes = 65536")
        let honest = try Peer(arbiter.requests)
        let before = try counters(honest)
        let silent = try RawConnection(arbiter.requests)
        try silent.shakeHands(as: "DEALER")
        var number = 0
        try poll("the drop", within: 60_000) {
            for _ in 0..<500 {
                number += 1
                silent.write(RawConnection.frame(Array(Ask.raise("a/\(number % 50)", "k\(number)").utf8)))
            }
            return try counters(honest)["backlogs_dropped"] ?? 0 > 0
        }
        let after = try counters(honest)
        #expect((after["resident_bytes"] ?? 0) - (before["resident_bytes"] ?? 0) < HostilePeerTests.memoryBound)
        #expect(try honest.outcome(Ask.raise("honest", "k")) == "accepted")
    }

    @Test("Observers that never read hold so many bytes of large messages; what is beyond is lost to the feed, and counted")
    func feedBytes() throws {
        let arbiter = try open()
        let producer = try Peer(arbiter.requests)
        let before = try counters(producer)
        let stalled = try (0..<3).map { _ in
            let raw = try RawConnection(arbiter.feed)
            try raw.shakeHands(as: "SUB")
            raw.write(RawConnection.frame([1]))
            return raw
        }
        try poll("the subscriptions") { try counters(producer)["feed_subscriptions"] ?? 0 >= 3 }
        #expect(try producer.outcome(Ask.raise("a", "k", text(900_000))) == "accepted")
        for number in 0..<150 {
            #expect(
                try producer.outcome(
                    Ask.about(
                        "update", "a", #""key":"k","params":{"n":\#(number),"x":"\#(String(repeating: "y", count: 900_000))"}"#))
                    == "done")
        }
        let after = try counters(producer)
        #expect(after["feed_dropped"] ?? 0 > 10)
        #expect((after["resident_bytes"] ?? 0) - (before["resident_bytes"] ?? 0) < HostilePeerTests.memoryBound)
        #expect(stalled.allSatisfy { $0.descriptor >= 0 })
    }

    @Test("Who unsubscribes what it never subscribed to silences the feed for nobody, and who comes when nobody listens is heard")
    func feedSilence() throws {
        let arbiter = try open()
        let producer = try Peer(arbiter.requests)
        var number = 0
        func hears(_ observer: SubscriberSocket) throws {
            try poll("a message of the feed") {
                number += 1
                #expect(try producer.outcome(Ask.raise("hall/\(number)", "k")) == "accepted")
                return try observer.waitToReceive(milliseconds: 20)
            }
            while let _ = try observer.tryReceive() {}
        }
        // Nobody has listened so far.
        #expect(try producer.outcome(Ask.raise("hall/0", "k")) == "accepted")
        var first: SubscriberSocket? = try SubscriberSocket(try Context())
        try first!.subscribe("hall/")
        try first!.connect(try Endpoint(arbiter.feed))
        try hears(first!)
        let before = try counters(producer)["feed_subscriptions"] ?? 0
        let raw = try RawConnection(arbiter.feed)
        try raw.shakeHands(as: "SUB")
        raw.write(RawConnection.frame([1] + Array("other/".utf8)))
        for _ in 0..<50 { raw.write(RawConnection.frame([0] + Array("hall/".utf8))) }
        raw.write(RawConnection.frame([1] + Array("last/".utf8)))
        try poll("what it sent") { try counters(producer)["feed_subscriptions"] ?? 0 >= before + 2 }
        try hears(first!)
        // The last one leaves, and another one comes.
        first = nil
        try hears(
            {
                let second = try SubscriberSocket(try Context())
                try second.subscribe("hall/")
                try second.connect(try Endpoint(arbiter.feed))
                return second
            }())
    }

    // MARK: Connections

    @Test("Who leaves after its misdeed takes no newcomer along", arguments: [true, false])
    func descriptorUsedAgain(isFeed: Bool) throws {
        let arbiter = try open("frames = 4")
        func connected() throws -> RawConnection {
            let raw = try RawConnection(isFeed ? arbiter.feed : arbiter.requests)
            try raw.shakeHands(as: isFeed ? "SUB" : "DEALER")
            return raw
        }
        let misdeed: [UInt8] =
            isFeed
            ? RawConnection.frame([2, 3, 4])
            : (0..<8).flatMap { _ in RawConnection.frame([0x78], more: true) } + RawConnection.frame([0x78])
        var newcomers: [RawConnection] = []
        for _ in 0..<300 {
            var hostile: RawConnection? = try connected()
            hostile!.write(misdeed)
            hostile = nil
            // The system gives it the descriptor that has just become free.
            newcomers.append(try connected())
            if newcomers.count > 20 { newcomers.removeFirst() }
            #expect(newcomers.allSatisfy { !$0.isClosed })
        }
        let honest = try Peer(arbiter.requests)
        #expect(try honest.outcome(Ask.ping) == "pong")
        #expect(newcomers.allSatisfy { !$0.isClosed })
    }

    @Test("Where the system allows few open files, connections stay below that, and the arbiter says so")
    func fewDescriptors() throws {
        let arbiter = try open(descriptors: 160)
        let honest = try Peer(arbiter.requests)
        let start = try counters(honest)
        #expect(start["descriptors_limit"] == 160)
        #expect(start["connections_limit"] == 96)
        #expect(arbiter.process.errors.contains("open files"), "\(arbiter.process.errors)")
        var connections: [RawConnection] = []
        for number in 0..<400 {
            connections.append(try RawConnection(number % 4 == 0 ? arbiter.feed : arbiter.requests))
            if number % 20 == 19 {
                // A newcomer is turned away as soon as the arbiter has heard of it.
                try poll("the door") {
                    let now = try counters(honest)
                    return now["connections"] ?? .max <= 96 + 2 && now["connections_accepted"] ?? 0 > number
                }
                #expect(try honest.outcome(Ask.raise("a", "k\(number)")) == "accepted")
            }
        }
        let end = try counters(honest)
        #expect(end["connections_turned_away"] ?? 0 >= 300)
        #expect(end["accepts_without_descriptor"] == 0)
        #expect(end["descriptors"] ?? .max < 160)
        connections = []
        try poll("room again") { try Peer(arbiter.requests).outcome(Ask.ping) == "pong" }
    }
}
