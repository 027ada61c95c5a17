import AlertBusWire
import Glibc
import Synchronization
import TestSupport
import Testing
import ZeroMQ

/// Peers that do what no client does, some of them byte by byte. Nothing crashes, memory stays bounded, the honest are served.
@Suite("Hostile peers", .serialized) struct HostilePeerTests {
    /// What the arbiter may grow by under any of these attacks.
    static let memoryBound = (200 << 20) * memoryFactor

    /// Without keys everybody on this machine gets as far as the protocol.
    private func open(_ limits: String = "") throws -> SecureArbiter { try SecureArbiter([:], limits: limits, usesKeys: false) }

    private func counters(_ arbiter: SecureArbiter) throws -> [String: Int] {
        var result: [String: Int] = [:]
        let reply = try Peer(arbiter.requests).ask(#"{"v":1,"op":"list","counters":true}"#)
        for member in reply["counters"]?.members ?? [] { result[member.name] = member.value.integer }
        return result
    }

    /// Runs an attack and checks what must hold whatever it was.
    private func survive(_ arbiter: SecureArbiter, _ attack: () throws -> Void) throws {
        let honest = try Peer(arbiter.requests)
        #expect(try honest.outcome(Ask.ping) == "pong")
        let before = try counters(arbiter)["resident_bytes"] ?? 0
        try attack()
        #expect(arbiter.process.isRunning)
        #expect(try honest.outcome(Ask.raise("honest/a", "k\(milliseconds())")) == "accepted")
        let after = try counters(arbiter)
        #expect((after["resident_bytes"] ?? 0) - before < Self.memoryBound)
        #expect(after["violations"] == 0)
        #expect(after["accepts_without_descriptor"] == 0)
    }

    @Test("Connections without a handshake, with half of one, or with another protocol are ended and counted")
    func noHandshake() throws {
        let arbiter = try open()
        try survive(arbiter) {
            let openings: [[UInt8]] = [
                [], [0xff], Array(RawConnection.greeting().prefix(20)), RawConnection.greeting(),
                RawConnection.greeting("CURVE"), Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
                [UInt8](repeating: 0, count: 200), [UInt8](repeating: 0xff, count: 200),
                RawConnection.greeting() + [4, 5] + Array("HELLO".prefix(5).utf8),
                RawConnection.greeting() + RawConnection.ready("PUB"), RawConnection.greeting() + [0, 1, 0x78],
                RawConnection.greeting() + [6, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff],
                RawConnection.greeting() + [4, 30, 5] + Array("READY".utf8) + [200] + [UInt8](repeating: 65, count: 23),
            ]
            let connections = try (0..<8).flatMap { _ in
                try openings.map { opening in
                    let connection = try RawConnection(arbiter.requests)
                    connection.write(opening)
                    return connection
                }
            }
            try poll("the end of all connections", within: 40_000) { connections.allSatisfy { $0.isClosed } }
            #expect(try counters(arbiter)["handshakes_failed"] ?? 0 >= connections.count / 2)
        }
    }

    @Test("An endless handshake is ended, at both ports, and does not grow the memory")
    func endlessHandshake() throws {
        let arbiter = try open()
        try survive(arbiter) {
            for endpoint in [arbiter.requests, arbiter.feed] {
                let connections = try (0..<20).map { _ in try RawConnection(endpoint) }
                var property: [UInt8] = [5] + Array("READY".utf8)
                while property.count < 200_000 { property += [1, 0x61, 0, 0, 0, 10] + Array("0123456789".utf8) }
                var size = UInt64(property.count).bigEndian
                let long = [6] + withUnsafeBytes(of: &size) { Array($0) } + property
                for connection in connections {
                    connection.write(RawConnection.greeting())
                    // A command of 200 kB, then pings for ever, then one byte at a time.
                    connection.write(long)
                }
                for _ in 0..<50 { for connection in connections { connection.write([4, 7, 4] + Array("PING".utf8) + [0, 0]) } }
                try poll("the end of all connections", within: 40_000) { connections.allSatisfy { $0.isClosed } }
            }
        }
    }

    @Test("A frame of a terabyte, and a message that is never finished, end with the connection")
    func hugeFrames() throws {
        let arbiter = try open()
        try survive(arbiter) {
            for size in [
                [0, 0, 1, 0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0, 0, 0x40, 0, 1],
            ] as [[UInt8]] {
                let connection = try RawConnection(arbiter.requests)
                try connection.shakeHands(as: "DEALER")
                connection.write([2] + size)
                try poll("the end of the connection") { connection.isClosed }
            }
            // As many as may be large, never finished: each holds what it was sent, and the connection's end frees it.
            let connections = try (0..<10).map { _ in
                let connection = try RawConnection(arbiter.requests)
                try connection.shakeHands(as: "DEALER")
                connection.write([2, 0, 0, 0, 0, 0, 0x40, 0, 0] + [UInt8](repeating: 0x7b, count: 1 << 20))
                return connection
            }
            #expect(connections.allSatisfy { !$0.isClosed })
        }
    }

    @Test("With CURVE, endless frames never get as far as the memory")
    func endlessFrames() throws {
        let arbiter = try SecureArbiter(["admin": #"operator = ["**"]"# + "\n" + #"producer = ["**"]"#])
        let before = try arbiter.counters()["resident_bytes"] ?? 0
        for mechanism in ["NULL", "CURVE"] {
            let connection = try RawConnection(arbiter.requests)
            connection.write(RawConnection.greeting(mechanism) + RawConnection.ready("DEALER"))
            let frame = RawConnection.frame([UInt8](repeating: 0x20, count: 1 << 20), more: true)
            var written = 0
            while written < 500, connection.write(frame) { written += 1 }
            try poll("the end of the connection", within: 40_000) { connection.isClosed || !connection.write([0]) }
        }
        #expect((try arbiter.counters()["resident_bytes"] ?? 0) - before < Self.memoryBound)
        #expect(try arbiter.counters()["handshakes_failed"] ?? 0 >= 2)
        #expect(try arbiter.peer("admin").outcome(Ask.raise("a", "k")) == "accepted")
    }

    @Test("Of thousands of connections those above the limit are turned away, and who is there is served")
    func manyConnections() throws {
        _ = try FileDescriptorLimit.raise()
        let arbiter = try open("connections = 100")
        let honest = try Peer(arbiter.requests)
        #expect(try honest.outcome(Ask.ping) == "pong")
        var connections: [RawConnection] = []
        var most = 0
        for number in 0..<2000 {
            connections.append(try RawConnection(number % 4 == 0 ? arbiter.feed : arbiter.requests))
            if number % 200 == 0 {
                let reply = try honest.ask(#"{"v":1,"op":"list","counters":true}"#)
                most = max(most, reply["counters"]?["descriptors"]?.integer ?? 0)
                #expect(try honest.outcome(Ask.raise("a", "k\(number)")) == "accepted")
            }
        }
        try poll("the door") {
            try honest.ask(#"{"v":1,"op":"list","counters":true}"#)["counters"]?["connections_turned_away"]?.integer ?? 0 >= 1901
        }
        let report = try honest.ask(#"{"v":1,"op":"list","counters":true}"#)["counters"]
        #expect(report?["connections"]?.integer ?? .max <= 110)
        #expect(report?["descriptors"]?.integer ?? .max <= 100 + 64)
        #expect(report?["accepts_without_descriptor"]?.integer == 0)
        print("2,000 connections against a limit of 100: at most \(most) descriptors seen on the way")
        connections = []
        // There is room again.
        #expect(try Peer(arbiter.requests).outcome(Ask.ping) == "pong")
    }

    @Test("A claimed routing id takes nobody's place, and is counted")
    func identityTheft() throws {
        let arbiter = try open()
        try survive(arbiter) {
            var thieves: [RawConnection] = []
            for _ in 0..<5 {
                let thief = try RawConnection(arbiter.requests)
                try thief.shakeHands(as: "DEALER", identity: "victim")
                thief.write(RawConnection.frame(Array(Ask.raise("a", "stolen").utf8)))
                thieves.append(thief)
            }
            try poll("the count") { try counters(arbiter)["foreign_routing_ids"] ?? 0 >= 1 }
            #expect(try Peer(arbiter.requests).ask(Ask.about("list", "/"))["alerts"]?.array?.isEmpty == true)
        }
    }

    @Test("A peer that stops answering is found, and its connection freed")
    func halfOpen() throws {
        let arbiter = try open()
        let dead = try RawConnection(arbiter.requests)
        dead.write(RawConnection.greeting(minor: 1) + RawConnection.ready("DEALER"))
        let header = try dead.read(64 + 2)
        _ = try dead.read(Int(header[65]))
        // As from a host that vanished: nothing comes any more, not even the answer to a heartbeat.
        try poll("the end of the connection", within: 60_000) { dead.isClosed }
        #expect(try Peer(arbiter.requests).outcome(Ask.ping) == "pong")
    }

    @Test("A subscriber that never reads costs its bound and no more, and is counted")
    func stalledSubscriber() throws {
        let arbiter = try open("message_bytes = 65536\nsubscriber_backlog_bytes = 65536\nproducer_backlog_bytes = 65536")
        try survive(arbiter) {
            let stalled = try RawConnection(arbiter.requests)
            try stalled.shakeHands(as: "DEALER")
            stalled.write(RawConnection.frame(Array(Ask.about("subscribe", "/").utf8)))
            let producer = try Peer(arbiter.requests)
            let text = String(repeating: "x", count: 8000)
            #expect(try producer.outcome(Ask.raise("a", "k", #""params":{"x":"\#(text)"}"#)) == "accepted")
            var number = 0
            try poll("the drop", within: 60_000) {
                for _ in 0..<200 {
                    number += 1
                    try producer.send(Ask.about("update", "a", #""key":"k","params":{"x":"\#(number)\#(text)"}"#))
                    _ = try producer.receive(within: 0)
                }
                _ = try producer.ask(Ask.ping)
                producer.inbox = []
                return try counters(arbiter)["backlogs_dropped"] ?? 0 > 0
            }
        }
    }

    @Test("On the feed, what is no subscription, is too long, or is one too many ends the connection")
    func feedSubscriptions() throws {
        let arbiter = try open("subscriptions_per_session = 10")
        try survive(arbiter) {
            func observer() throws -> RawConnection {
                let raw = try RawConnection(arbiter.feed)
                try raw.shakeHands(as: "SUB")
                return raw
            }
            let malformed: [[UInt8]] = [
                RawConnection.frame([2, 3, 4]), RawConnection.frame([]), RawConnection.frame(Array(Ask.ping.utf8)),
                RawConnection.frame([1] + [UInt8](repeating: 0x61, count: 5000)),
            ]
            for bytes in malformed {
                let raw = try observer()
                // The first may be taken for one of the connection that had the same descriptor before it, and is dropped then.
                try poll("the end of the connection") {
                    raw.write(bytes)
                    return raw.isClosed
                }
            }
            let flood = try observer()
            for number in 0..<100_000 where flood.write(RawConnection.frame([1] + Array("topic-\(number)/".utf8))) {
                if number % 1000 == 0 && flood.isClosed { break }
            }
            try poll("the end of the flood") { flood.isClosed }
            let counted = try counters(arbiter)
            // The one that is too long libzmq ends by itself.
            #expect(counted["connections_cut_off"] ?? 0 >= 4)
            #expect(counted["feed_subscriptions"] ?? 0 >= 11)
            // One that subscribes and unsubscribes for ever is a nuisance to itself alone.
            let busy = try observer()
            for number in 0..<2000 { busy.write(RawConnection.frame([number % 2 == 0 ? 1 : 0] + Array("topic/".utf8))) }
            #expect(!busy.isClosed)
        }
    }

    @Test("Subscribing for ever on the request port is held back")
    func subscriptionFlood() throws {
        let arbiter = try open("subscriptions_per_session = 4\nsnapshot_requests_per_second = 10")
        try survive(arbiter) {
            let peer = try Peer(arbiter.requests)
            var outcomes: [String: Int] = [:]
            for number in 0..<200 {
                outcomes[try peer.outcome(Ask.about("subscribe", "surface-\(number % 5)")), default: 0] += 1
                outcomes[try peer.outcome(Ask.about("unsubscribe", "surface-\(number % 5)")), default: 0] += 1
            }
            #expect(outcomes["over_limit"] ?? 0 > 0)
            #expect(outcomes["done"] == 200)
        }
    }

    @Test("Answers to loads of others, and bytes that are no message, are refused and counted")
    func nonsense() throws {
        let arbiter = try open()
        try survive(arbiter) {
            let provider = try Peer(arbiter.requests)
            let forger = try Peer(arbiter.requests)
            #expect(try provider.outcome(#"{"v":1,"op":"provide","name":"x"}"#) == "done")
            #expect(try provider.outcome(Ask.raise("a", "k", #""sources":[{"name":"x"}]"#)) == "accepted")
            var load: Int?
            #expect(
                try provider.hears("load") {
                    load = $0["load"]?.integer; return true
                })
            let number = try #require(load)
            for guess in [number, number + 1, 0] {
                #expect(try forger.outcome(#"{"v":1,"op":"loaded","load":\#(guess),"rows":[{"id":666}]}"#) == "unknown_alert")
            }
            #expect(try provider.outcome(#"{"v":1,"op":"loaded","load":\#(number),"rows":[{"id":1}]}"#) == "done")
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<2000 {
                let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
                _ = try forger.socket.trySend(bytes)
            }
            #expect(try forger.outcome(Ask.ping) == "pong")
            #expect(try counters(arbiter)["malformed"] ?? 0 >= 2000)
        }
    }

    @Test("Dismissals without the role change nothing, however many")
    func dismissals() throws {
        let arbiter = try SecureArbiter([
            "producer": #"producer = ["**"]"#, "admin": #"operator = ["**"]"#, "vandal": #"producer = ["**"]"#,
        ])
        #expect(try arbiter.peer("producer").outcome(Ask.raise("a", "k")) == "accepted")
        let vandal = try arbiter.peer("vandal")
        for _ in 0..<300 { #expect(try vandal.outcome(Ask.about("dismiss", "a")) == "not_allowed") }
        #expect(try arbiter.counters()["refused_not_allowed"] == 300)
        #expect(try arbiter.peer("admin").ask(Ask.about("list", "a"))["alerts"]?.array?.first?["state"]?.string == "shown")
    }

    @Test("A flood from one producer does not delay another's alert")
    func flood() throws {
        let arbiter = try open()
        let honest = try Peer(arbiter.requests)
        func latencies(_ name: String) throws -> [Int64] {
            var times: [Int64] = []
            for number in 0..<400 {
                let start = ContinuousClock.now
                #expect(try honest.outcome(Ask.raise("honest/\(number % 20)", "\(name)\(number)")) == "accepted")
                times.append(Int64((ContinuousClock.now - start) / .microseconds(1)))
            }
            return times.sorted()
        }
        _ = try latencies("warm")
        let quiet = try latencies("quiet")
        let flood = Flood(arbiter.requests)
        try poll("the flood") { flood.sent > 2000 }
        let before = flood.sent
        let loud = try latencies("loud")
        let during = flood.sent - before
        flood.stop()
        let (p99Quiet, p99Loud) = (quiet[395], loud[395])
        print(
            "p50 and p99 of an honest alert: \(quiet[200]) and \(p99Quiet) µs alone, \(loud[200]) and \(p99Loud) µs while \(during) others came from one producer"
        )
        #expect(during > 400, "this was no flood")
        // What was built for debugging is many times slower, and a busy machine delays both runs alike.
        #if DEBUG
            let bound: Int64 = 300_000
        #else
            let bound: Int64 = 10_000
        #endif
        #expect(p99Loud < max(bound, 10 * p99Quiet))
        #expect(arbiter.process.isRunning)
        #expect(try counters(arbiter)["violations"] == 0)
    }
}

/// Raises and withdraws as fast as it can, from a thread of its own.
final class Flood: Sendable {
    private let count = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)

    var sent: Int { count.load(ordering: .relaxed) }

    init(_ endpoint: String) {
        let thread = TestThread { [self] in
            do {
                let peer = try Peer(endpoint)
                var message = Message()
                var number = 0
                while !isStopping.load(ordering: .relaxed) {
                    number += 1
                    let ask =
                        number % 2 == 1
                        ? Ask.raise("flood", "k\(number / 2)") : Ask.about("withdraw", "flood", #""key":"k\#(number / 2 - 1)""#)
                    // What is not taken yet is not piled up here: a flood, but of a bounded number.
                    if number - sentReplies < 5000, try peer.socket.trySend(Array(ask.utf8)) {
                        count.add(1, ordering: .relaxed)
                    } else {
                        number -= 1
                        _ = try peer.socket.waitToReceive(milliseconds: 5)
                    }
                    while try peer.socket.tryReceive(into: &message) { replies.add(1, ordering: .relaxed) }
                }
            } catch { Issue.record("the flood failed: \(error)") }
            hasEnded.store(true, ordering: .relaxed)
        }
        thread.detach()
    }

    private let replies = Atomic<Int>(0)
    /// Each raise brings a reply and at least one event, each withdrawal a reply and an event.
    private var sentReplies: Int { replies.load(ordering: .relaxed) / 2 }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        let end = milliseconds() + patience
        while !hasEnded.load(ordering: .relaxed) && milliseconds() < end { usleep(1000) }
    }
}
