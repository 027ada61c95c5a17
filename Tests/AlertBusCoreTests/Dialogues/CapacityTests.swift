import AlertBusCore
import AlertBusModel
import CoreOracle
import Testing

/// Everything that a peer can make grow has a limit.
@Suite struct CapacityTests {
    @Test func `overflow refuse: a newcomer that would have to wait is refused`() {
        var d = Dialogue { $0.capacity = 2 }
        #expect(d.raise("a").last == "accepted 1 r1 shown", "a shown one does not count")
        d.raise("b")
        d.raise("c")
        #expect(d.raise("d", 3) == ["refused over_limit"])
        #expect(d.raise("e", 3) { $0.intercept = false }.last == "accepted 4 r1 shown", "it does not wait")
    }

    @Test func `a refusal says when to try again`() {
        var d = Dialogue { $0.capacity = 1 }
        d.raise("a")
        d.raise("b")
        let effects = d.effects(.command(.raise(Raise(surface: "s", key: "c")), from: Requester()))
        guard case .reply(.refused(let refusal)) = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(refusal.retryAfter > 0)
        #expect(refusal.message.contains("capacity"))
    }

    @Test func `overflow evict_lowest: the lowest-ranked one ends if the newcomer is better`() {
        var d = Dialogue {
            $0.capacity = 2
            $0.overflow = .evictLowest
        }
        d.raise("a")
        d.raise("b", 1, session: 7)
        d.raise("c", 2)
        #expect(d.raise("d", 1) == ["refused over_limit"], "as good as the lowest, but later")
        #expect(d.raise("e", 3) == ["to [7] b ended evicted", "accepted 4 r1 deferred 1"])
        #expect(d.raise("f", 3) == ["to [] c ended evicted", "accepted 5 r1 deferred 2"])
        #expect(d.raise("g", 3) == ["refused over_limit"])
    }

    @Test func `overflow evict_lowest: with order arrival nobody is better than those before`() {
        var d = Dialogue {
            $0.capacity = 1
            $0.overflow = .evictLowest
            $0.order = .arrival
        }
        d.raise("a")
        d.raise("b", 1)
        #expect(d.raise("c", 3) == ["refused over_limit"])
    }

    @Test func `covered and loading alerts count, and a covered one always finds room`() {
        var d = Dialogue {
            $0.capacity = 1
            $0.covered = .hide
        }
        d.raise("a")
        d.raise("b")
        d.raise("c") { $0.intercept = false }
        #expect(d.arbiter.alerts(in: .all).map(\.state) == [.shown, .covered, .deferred])
        #expect(d.raise("e", on: "t") { $0.sources = [Source(name: "x")] }.last == "accepted 4 r1 loading")
        #expect(d.raise("f", on: "t") { $0.sources = [Source(name: "x")] } == ["refused over_limit"])
    }

    @Test func `a screen takes a thousand, the last sixteenth of them of the highest priority`() {
        var d = Dialogue()
        // Without the checks that a dialogue makes after each step: a thousand of them would take a while.
        func fill(_ numbers: ClosedRange<Int>, _ priority: UInt8) {
            var content = AlertContent()
            content.priority = priority
            content.intercept = false
            for number in numbers {
                var effects: [Effect] = []
                let raise = Raise(surface: "s", key: "k\(number)", content: content)
                d.arbiter.step(.command(.raise(raise), from: Requester()), at: d.now, into: &effects)
            }
        }
        fill(1...938, 2)
        #expect(d.screen().count == 938)
        #expect(d.raise("more", 2) { $0.intercept = false } == ["refused over_limit"])
        #expect(d.raise("no", 2) { ($0.intercept, $0.activate) = (false, false) } == ["refused over_limit"])
        #expect(d.raise("waits", 2).last == "accepted 939 r1 deferred 1", "what may be intercepted waits as ever")
        fill(939...1000, 3)
        #expect(d.screen().count == 1000)
        #expect(d.raise("more", 3) { $0.intercept = false } == ["refused over_limit"])
        // What was accepted before its place was gone waits for one.
        #expect(d.raise("late", 3) { ($0.intercept, $0.sources) = (false, [Source(name: "x")]) }.last?.contains("loading") == true)
        _ = d.take(.loaded(load: 1, rows: []))
        #expect(d.why("late")?.state == .deferred)
        d.dismiss("k1000")
        #expect(d.raise("more", 3) { $0.intercept = false }.last?.contains("shown") == true)
    }

    @Test func `many alerts on one screen hold no more than a snapshot can carry`() {
        var d = Dialogue { $0.capacity = 100 }
        let large = Array(("\"" + String(repeating: "x", count: (64 << 10) - 2) + "\"").utf8)
        for number in 1...63 { d.raise("k\(number)") { ($0.intercept, $0.params) = (false, large) } }
        #expect(d.raise("data") { ($0.intercept, $0.sources) = (false, [Source(name: "x")]) }.last?.contains("loading") == true)
        let row = Row(id: Array("1".utf8), json: Array("{\"id\":1}".utf8))
        #expect(d.take(.loaded(load: 1, rows: [row])).contains { $0.contains("show") })
        #expect(d.screen().count == 64, "less than that may be as large as they like")
        #expect(d.update("k1") { $0.params = large + [0x20] }.last?.contains("done") == true, "not more than 64")
        #expect(d.raise("small") { $0.intercept = false }.last?.contains("shown") == true)
        // 65 alerts of nearly 4 MiB.
        #expect(d.update("k2") { $0.params = large + large } == ["refused over_limit"])
        #expect(d.update("k2") { $0.params = [0x31] }.last?.contains("done") == true, "less is always right")
        #expect(d.update("k2") { $0.params = large + large + large } == ["refused over_limit"])
        #expect(d.update("k2") { $0.params = large + large.dropLast(9) }.last?.contains("done") == true)
        #expect(d.raise("more") { $0.intercept = false } == ["refused over_limit"])
        #expect(d.raise("k3", update: true) { ($0.intercept, $0.params) = (false, large + large) } == ["refused over_limit"])
        // What is loaded again may not make it more either.
        _ = d.take(.command(.refresh(surface: "s", .key("data"), source: "x", request: []), from: Requester()))
        let rows = Row(id: Array("1".utf8), json: large)
        let told = d.take(.loaded(load: 2, rows: [rows]))
        #expect(told.last?.hasSuffix("update data r1") == true, "the old rows stay: \(told)")
        _ = d.clear(shown: true)
        #expect(d.raise("again") { ($0.intercept, $0.params) = (false, large) }.last?.contains("shown") == true)
    }

    @Test func `loading alerts are not evicted`() {
        var d = Dialogue {
            $0.capacity = 1
            $0.overflow = .evictLowest
        }
        d.raise("a")
        d.raise("b") { $0.sources = [Source(name: "x")] }
        #expect(d.raise("c", 3) == ["refused over_limit"])
    }

    @Test func `max_batch counts dismissals and answers of shown alerts, and starts again`() {
        var d = Dialogue { $0.maxBatch = 2 }
        for (key, priority) in [("a", 1), ("b", 1), ("c", 3), ("d", 2), ("e", 1)] as [(String, UInt8)] {
            d.raise(key, priority)
        }
        d.dismiss("e")
        _ = d.answer("a", "1")
        d.wait(350)
        #expect(
            d.dismiss() == [
                "s#4 hide c dismissed", "to [] c ended dismissed", "to [] d ended batch_limit",
                "to [] b ended batch_limit", "done 3 r1 1",
            ], "the end of a waiting one did not count")
        d.raise("f")
        d.raise("g")
        #expect(d.dismiss().count == 3)
        d.wait(350)
        #expect(d.screen() == ["g"])
    }

    @Test func `max_batch does not count what ends otherwise`() {
        var d = Dialogue { $0.maxBatch = 1 }
        d.raise("a") { $0.ttl = 10 }
        d.raise("b")
        d.wait(1000)
        _ = d.withdraw("b")
        d.raise("c")
        d.raise("d")
        #expect(d.clear() == ["to [] d ended cleared", "done 0 r0 1"])
    }

    @Test func `limits on alerts, producers, surfaces, sources and bytes refuse and change nothing`() {
        var limits = Limits()
        limits.alerts = 3
        limits.alertsPerProducer = 2
        limits.surfaces = 2
        limits.sources = 1
        limits.bytes = 10
        var d = Dialogue(limits: limits)
        d.raise("a", producer: "p")
        d.raise("b", on: "t", producer: "p")
        let before = d.arbiter.save()
        #expect(d.raise("c", producer: "p") == ["refused over_limit"])
        #expect(d.raise("c", on: "u") == ["refused over_limit"])
        #expect(d.raise("c") { $0.sources = [Source(name: "x"), Source(name: "y")] } == ["refused over_limit"])
        #expect(d.raise("c") { $0.params = Array("{\"a\":12345}".utf8) } == ["refused over_limit"])
        #expect(d.update("a", producer: "p") { $0.params = Array("{\"a\":12345}".utf8) } == ["refused over_limit"])
        #expect(d.arbiter.save() == before)
        d.raise("c")
        #expect(d.raise("d") == ["refused over_limit"])
    }

    @Test func `of all alerts and bytes the last sixteenth is for the most urgent`() {
        var limits = Limits()
        limits.alerts = 32
        limits.bytes = 3200
        func fill(params: Int) -> (ordinary: Int, urgent: Int) {
            var arbiter = Arbiter(policies: PolicySet(), limits: limits, epoch: 1)
            var counts = [0, 0]
            for (index, priority) in [2, 3].enumerated() {
                for number in 0..<40 {
                    var raise = Raise(surface: "s", key: "k\(index)-\(number)")
                    raise.content.priority = UInt8(priority)
                    raise.content.params = [UInt8](repeating: 0x20, count: params)
                    var effects: [Effect] = []
                    arbiter.step(.command(.raise(raise), from: Requester()), at: 0, into: &effects)
                    if case .reply(.accepted) = effects.last { counts[index] += 1 }
                }
            }
            return (counts[0], counts[1])
        }
        #expect(fill(params: 1) == (30, 2), "by number")
        #expect(fill(params: 200) == (15, 1), "by bytes")
    }

    @Test func `what is remembered does not grow with producers, keys and tokens that were`() {
        var limits = Limits()
        limits.memory = 100
        var arbiter = Arbiter(policies: PolicySet(), limits: limits, epoch: 1)
        var sizes: [Int] = []
        for number in 10_000..<14_000 {
            var effects: [Effect] = []
            for command in [
                Command.raise(Raise(surface: "s", key: "key-\(number)")),
                .withdraw(surface: "s", key: "key-\(number)", revision: nil),
            ] {
                let requester = Requester(
                    session: UInt64(number), producer: "producer-\(number)", once: "token-\(number)-\(effects.count)")
                arbiter.step(.command(command, from: requester), at: Milliseconds(number), into: &effects)
            }
            if number % 1000 == 500 { sizes.append(arbiter.save().count) }
        }
        #expect(arbiter.alertCount == 0)
        #expect(sizes.count == 4)
        // Numbers take a byte more as they rise, and the names are all of one length.
        #expect(sizes.max()! - sizes.min()! < 500, "\(sizes)")
        #expect(sizes[0] < 60_000, "\(sizes)")
    }
}
