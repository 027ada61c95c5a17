import AlertBusModel
import CoreOracle
import Testing

/// The arrival table, a test for each line of it and each rule that can change it.
@Suite struct ArrivalTests {
    @Test func `free: shown, whatever the alert says`() {
        for (intercept, activate) in [(true, true), (true, false), (false, true), (false, false)] {
            var d = Dialogue()
            let told = d.raise("a") {
                $0.intercept = intercept
                $0.activate = activate
            }
            #expect(told == ["s#1 show a raised", "accepted 1 r1 shown"])
        }
    }

    @Test func `busy: what waits is deferred behind its betters, and told its position`() {
        var d = Dialogue()
        d.raise("a")
        #expect(d.raise("b") == ["accepted 2 r1 deferred 1"])
        #expect(d.raise("c", 3) == ["accepted 3 r1 deferred 1"])
        #expect(d.raise("d") == ["accepted 4 r1 deferred 3"])
        #expect(d.raise("e", 3) == ["accepted 5 r1 deferred 2"])
    }

    @Test func `busy: what does not wait is refused`() {
        var d = Dialogue()
        d.raise("a")
        #expect(d.raise("b", 3) { $0.activate = false } == ["refused intercepted"])
    }

    @Test func `busy, covered stay: an interceptor lies on top and nobody is told`() {
        var d = Dialogue()
        d.raise("a", session: 7)
        #expect(d.raise("b") { $0.intercept = false } == ["s#2 show b raised", "accepted 2 r1 shown"])
        #expect(d.screen() == ["a", "b"])
    }

    @Test func `busy, covered stay: one below that does not wait stays displayed too`() {
        var d = Dialogue()
        d.raise("a") { $0.activate = false }
        d.raise("b") { $0.intercept = false }
        #expect(d.screen() == ["a", "b"])
    }

    @Test func `busy, covered hide: the one below is hidden first and may come back`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a", session: 7)
        #expect(
            d.raise("b") { $0.intercept = false } == [
                "s#2 hide a covered", "to [7] a covered covered", "s#3 show b raised", "accepted 2 r1 shown",
            ])
        d.dismiss()
        #expect(d.wait(350) == ["s#5 show a resumed", "to [7] a resumed resumed"])
    }

    @Test func `busy, covered hide: the one below that does not wait ends`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a", session: 7) { $0.activate = false }
        #expect(
            d.raise("b") { $0.intercept = false } == [
                "s#2 hide a displaced", "to [7] a ended displaced", "s#3 show b raised", "accepted 2 r1 shown",
            ])
    }

    @Test func `preempt never: a higher priority waits`() {
        var d = Dialogue()
        d.raise("a", 1)
        #expect(d.raise("b", 3) == ["accepted 2 r1 deferred 1"])
    }

    @Test(arguments: Covered.allCases)
    func `preempt higher: only a strictly higher priority covers`(_ covered: Covered) {
        var d = Dialogue {
            $0.preempt = .higher
            $0.covered = covered
        }
        d.raise("a", 2)
        #expect(d.raise("b", 2) == ["accepted 2 r1 deferred 1"])
        #expect(d.raise("c", 1) == ["accepted 3 r1 deferred 2"])
        #expect(d.raise("d", 3).last == "accepted 4 r1 shown")
        #expect(d.screen() == (covered == .stay ? ["a", "d"] : ["d"]))
    }

    @Test func `preempt higher holds with order arrival too`() {
        var d = Dialogue {
            $0.preempt = .higher
            $0.order = .arrival
        }
        d.raise("a", 1)
        #expect(d.raise("b", 3) == ["s#2 show b raised", "accepted 2 r1 shown"])
    }

    @Test func `preempt higher does not fill an empty place past those who wait`() {
        var d = Dialogue { $0.preempt = .higher }
        d.raise("a")
        d.raise("b")
        d.dismiss()
        #expect(d.raise("c", 3) == ["accepted 3 r1 deferred 1"], "the gap runs: it joins the election")
        #expect(d.wait(350).first == "s#3 show c dequeued")
    }

    @Test func `slots: places are filled side by side`() {
        var d = Dialogue { $0.slots = 2 }
        #expect(d.raise("a").last == "accepted 1 r1 shown")
        #expect(d.raise("b").last == "accepted 2 r1 shown")
        #expect(d.raise("c").last == "accepted 3 r1 deferred 1")
    }

    @Test func `slots: an arrival does not pass those who wait for an empty place`() {
        var d = Dialogue { $0.slots = 2 }
        for key in ["a", "b", "c"] { d.raise(key) }
        d.dismiss("a")
        #expect(d.raise("d") == ["accepted 4 r1 deferred 2"])
        #expect(d.raise("e") { $0.activate = false } == ["refused intercepted"])
        #expect(d.raise("f") { $0.intercept = false } == ["s#4 show f raised", "accepted 5 r1 shown"])
        #expect(d.wait(1000) == [], "the stack is full again, so the gap was cancelled")
    }

    @Test func `slots, covered hide: the victim is the lowest-ranked of those on top`() {
        var d = Dialogue {
            $0.slots = 3
            $0.covered = .hide
        }
        d.raise("a", 2)
        d.raise("b", 1)
        d.raise("c", 1)
        #expect(d.raise("d", 3) { $0.intercept = false }.first == "s#4 hide c covered")
        #expect(d.screen() == ["a", "b", "d"])
    }

    @Test func `slots, covered stay: the victim is the one on top that was shown first`() {
        var d = Dialogue { $0.slots = 2 }
        d.raise("a", 3)
        d.raise("b", 1)
        d.raise("c", 1) { $0.intercept = false }
        #expect(d.why("a")?.rule == "lies_under")
        #expect(d.why("b")?.rule == "shown")
        #expect(d.why("c")?.rule == "shown")
    }

    @Test func `a priority outside the range counts as 1, and one above the sender's as the sender's`() {
        var d = Dialogue { $0.maxPriority = 5 }
        d.raise("shown")
        for (key, priority) in [("zero", 0), ("six", 6), ("five", 5)] as [(String, UInt8)] { d.raise(key, priority) }
        d.raise("capped", 5, topPriority: 2)
        let list = d.arbiter.alerts(in: .all).map { "\($0.key) \($0.priority)" }
        #expect(list == ["shown 1", "five 5", "capped 2", "zero 1", "six 1"])
    }

    @Test func `the first pattern that matches gives a surface its rules`() throws {
        var d = Dialogue()
        var hiding = Policy()
        hiding.covered = .hide
        var two = Policy()
        two.slots = 2
        let rules = [
            PolicyRule(pattern: try PathPattern("lobby/*"), policy: hiding),
            PolicyRule(pattern: try PathPattern("**"), policy: two),
        ]
        _ = d.take(.configured(PolicySet(rules: rules), Limits()))
        #expect(d.arbiter.policy(for: "lobby/a") == hiding)
        #expect(d.arbiter.policy(for: "lobby/a/b") == two)
        for surface in ["lobby/a", "x"] {
            d.raise("a", on: surface)
            d.raise("b", on: surface)
        }
        #expect(d.arbiter.alerts(in: .all).map(\.state) == [.shown, .deferred, .shown, .shown])
    }

    @Test func `surfaces do not disturb each other`() {
        var d = Dialogue()
        d.raise("a", on: "x")
        #expect(d.raise("a", on: "y") == ["y#1 show a raised", "accepted 2 r1 shown"])
    }
}
