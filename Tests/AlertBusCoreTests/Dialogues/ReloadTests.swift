import AlertBusModel
import CoreOracle
import Testing

/// New rules while the arbiter runs, and a new generation of it.
@Suite struct ReloadTests {
    @Test func `a reload that changes nothing emits nothing and changes nothing`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        d.raise("c", 3)
        d.dismiss()
        let before = d.arbiter.save()
        #expect(d.configure { $0.covered = .hide } == [])
        #expect(d.arbiter.save() == before, "the gap runs on too")
    }

    @Test func `more slots start the gap for what waits`() {
        var d = Dialogue()
        for key in ["a", "b", "c"] { d.raise(key) }
        #expect(
            d.configure { $0.slots = 2 } == ["s#2 show b dequeued", "to [] b shown dequeued"],
            "nothing was removed, so the delay has passed")
        d.dismiss("a")
        d.wait(100)
        #expect(
            d.configure { $0.slots = 3 } == [], "another policy, but the gap that runs counts from the same removal")
        #expect(d.wait(250).first == "s#4 show c dequeued")
    }

    @Test(arguments: Covered.allCases)
    func `fewer slots leave what is shown`(_ covered: Covered) {
        var d = Dialogue {
            $0.slots = 3
            $0.covered = covered
        }
        for key in ["a", "b", "c", "d"] { d.raise(key) }
        #expect(
            d.configure {
                $0.slots = 1
                $0.covered = covered
            } == [])
        #expect(d.screen() == ["a", "b", "c"])
        d.dismiss("a")
        d.dismiss("b")
        d.wait(1000)
        #expect(d.screen() == ["c"], "d waits until a place is free")
        d.dismiss()
        #expect(d.wait(350).first?.hasSuffix("show d dequeued") == true)
    }

    @Test func `with more shown than the new slots allow, covering still changes one for one`() {
        var d = Dialogue {
            $0.slots = 3
            $0.covered = .hide
        }
        for key in ["a", "b", "c"] { d.raise(key) }
        _ = d.configure {
            $0.slots = 1
            $0.covered = .hide
        }
        d.raise("d") { $0.intercept = false }
        #expect(d.screen() == ["a", "b", "d"])
    }

    @Test func `another order sorts what waits again`() {
        var d = Dialogue()
        d.raise("shown")
        d.raise("a", 1)
        d.raise("b", 3)
        #expect(d.configure { $0.order = .arrival } == [])
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["shown", "a", "b"])
        #expect(d.configure { _ in } == [])
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["shown", "b", "a"])
    }

    @Test func `another range rates what waits again`() {
        var d = Dialogue()
        d.raise("shown")
        d.raise("a", 5)
        d.raise("b", 2)
        _ = d.configure { $0.maxPriority = 5 }
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["shown", "a", "b"])
    }

    @Test func `from stay to hide and back nothing leaves the screen`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        #expect(d.configure { $0.covered = .hide } == [])
        #expect(d.screen() == ["a", "b"])
        d.raise("c") { $0.intercept = false }
        #expect(d.configure { _ in } == [])
        d.wait(1000)
        #expect(d.screen().count == 2)
    }

    @Test func `hold in the rules, unless an operator said otherwise`() {
        var d = Dialogue()
        d.raise("a", on: "s")
        d.raise("b", on: "s")
        d.raise("a", on: "t")
        d.raise("b", on: "t")
        _ = d.command(.release(Dialogue.scope("t")))
        _ = d.configure { $0.hold = true }
        for surface in ["s", "t"] { _ = d.command(.dismiss(surface: surface, .top, revision: nil)) }
        #expect(d.wait(350) == ["t#3 show b dequeued", "to [] b shown dequeued"])
    }

    @Test func `smaller limits leave what is there`() {
        var d = Dialogue()
        for key in ["a", "b", "c"] { d.raise(key) }
        var limits = Limits()
        limits.alerts = 1
        #expect(d.take(.configured(PolicySet(), limits)) == [])
        #expect(d.arbiter.alertCount == 3)
        #expect(d.raise("d") == ["refused over_limit"])
    }

    // MARK: A new epoch

    @Test func `streams begin again and what is shown stays`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        #expect(d.take(.started(epoch: 5)) == [])
        #expect(d.arbiter.snapshots(in: .all).map(\.seq) == [0])
        #expect(d.arbiter.snapshots(in: .all).map(\.epoch) == [5])
        #expect(d.screen() == ["a"])
        #expect(d.dismiss()[0] == "s#1 hide a dismissed")
    }

    @Test func `the time on screen stood still since the last input, a lifetime did not`() {
        var d = Dialogue()
        d.raise("a") { $0.display = 100 }
        d.wait(60)
        d.now += 100_000
        #expect(d.take(.started(epoch: 2)) == [])
        #expect(d.wait(39) == [])
        #expect(d.wait(1) == ["s#1 hide a timed_out", "to [] a ended timed_out"])
        d.raise("b") { $0.ttl = 100 }
        d.now += 100_000
        #expect(d.take(.started(epoch: 3)) == ["s#1 hide b expired", "to [] b ended expired"])
    }

    @Test func `a gap that ran out meanwhile elects at the start`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.dismiss()
        d.now = 100_000
        #expect(d.take(.started(epoch: 2)) == ["s#1 show b dequeued", "to [] b shown dequeued"])
    }

    @Test func `nobody hears until somebody asks`() {
        var d = Dialogue()
        d.raise("a", session: 7)
        _ = d.take(.started(epoch: 2))
        #expect(d.dismiss()[1] == "to [] a ended dismissed")
    }
}

extension Dialogue {
    mutating func configure(_ change: (inout Policy) -> Void) -> [String] {
        var policy = Policy()
        change(&policy)
        return take(.configured(PolicySet(fallback: policy), arbiter.limits))
    }
}
