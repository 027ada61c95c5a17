import AlertBusModel
import CoreOracle
import Testing

/// The gap, and the one election at its end.
@Suite struct GapTests {
    @Test func `the gap is as long as the policy says`() {
        var d = Dialogue { $0.activationDelay = 40 }
        d.raise("a")
        d.raise("b")
        d.dismiss()
        #expect(d.arbiter.nextDeadline == 40)
        #expect(d.wait(39) == [])
        #expect(d.wait(1) == ["s#3 show b dequeued", "to [] b shown dequeued"])
    }

    @Test func `no delay elects within the same step`() {
        var d = Dialogue { $0.activationDelay = 0 }
        d.raise("a")
        d.raise("b")
        #expect(
            d.dismiss() == [
                "s#2 hide a dismissed", "to [] a ended dismissed", "s#3 show b dequeued", "to [] b shown dequeued",
                "done 1 r1 1",
            ])
    }

    @Test func `a new arrival on an empty surface does not wait for a gap`() {
        var d = Dialogue()
        d.raise("a")
        d.dismiss()
        #expect(d.arbiter.nextDeadline == nil, "nothing waits, so no gap runs")
        #expect(d.raise("b").first == "s#3 show b raised")
    }

    @Test func `order priority elects the best, order arrival the first`() {
        for (order, expected) in [(Order.priority, "c"), (.arrival, "b")] {
            var d = Dialogue { $0.order = order }
            d.raise("a")
            d.raise("b", 1)
            d.raise("c", 3)
            d.dismiss()
            d.wait(350)
            #expect(d.screen() == [expected])
        }
    }

    @Test func `a covered one comes back only when it wins`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a", 2)
        d.raise("b", 1) { $0.intercept = false }
        d.raise("c", 3)
        d.raise("d", 2)
        d.dismiss()
        #expect(d.wait(350).first == "s#5 show c dequeued")
        d.dismiss()
        #expect(d.wait(350).first == "s#7 show a resumed", "as good as d, and earlier")
    }

    @Test func `withdrawing the last one that waits cancels the gap`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.dismiss()
        #expect(d.withdraw("b") == ["to [] b ended withdrawn", "done 2 r1 1"])
        #expect(d.arbiter.nextDeadline == nil)
        #expect(d.raise("c").first == "s#3 show c raised")
    }

    @Test func `a gap that is due again counts from the last removal`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.dismiss()
        d.hold()
        d.wait(300)
        d.release()
        #expect(d.wait(49) == [])
        #expect(d.wait(1).first == "s#3 show b dequeued")
        d.hold()
        d.raise("c")
        d.dismiss()
        d.wait(1000)
        #expect(d.release() == ["s#5 show c dequeued", "to [] c shown dequeued", "done 0 r0 1"], "the delay has passed")
    }

    @Test func `further ends in the gap leave it as it is, and its election fills every place`() {
        var d = Dialogue { $0.slots = 2 }
        for key in ["a", "b", "c", "d", "e"] { d.raise(key) }
        d.dismiss("a")
        d.wait(200)
        d.dismiss("b")
        #expect(
            d.wait(150) == [
                "s#5 show c dequeued", "to [] c shown dequeued", "s#6 show d dequeued", "to [] d shown dequeued",
            ])
    }

    @Test func `what was lying under is on top again at once, without a message, and no gap runs`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        d.raise("waiting")
        #expect(d.dismiss() == ["s#3 hide b dismissed", "to [] b ended dismissed", "done 2 r1 1"])
        #expect(d.arbiter.nextDeadline == nil)
        #expect(d.why("a")?.rule == "shown")
    }

    @Test func `dismissing the one below leaves the one on top alone`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        #expect(d.dismiss("a") == ["s#3 hide a dismissed", "to [] a ended dismissed", "done 1 r1 1"])
        #expect(d.screen() == ["b"])
        #expect(d.why("b")?.rule == "shown")
    }

    @Test func `time on screen counts only on top`() {
        var d = Dialogue()
        d.raise("a") { $0.display = 100 }
        d.wait(60)
        d.raise("b") { $0.intercept = false }
        d.wait(10_000)
        d.dismiss()
        #expect(d.wait(39) == [])
        #expect(d.wait(1) == ["s#4 hide a timed_out", "to [] a ended timed_out"])
    }

    @Test func `time on screen does not count while it waits or is hidden`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("shown")
        d.raise("a") { $0.display = 100 }
        d.wait(10_000)
        d.dismiss()
        d.wait(350 + 60)
        d.raise("b") { $0.intercept = false }
        d.wait(10_000)
        d.dismiss()
        #expect(d.wait(350).first == "s#7 show a resumed")
        #expect(d.wait(39) == [])
        #expect(d.wait(1) == ["s#8 hide a timed_out", "to [] a ended timed_out"])
    }

    @Test func `a lifetime counts from acceptance in every state`() {
        var d = Dialogue { $0.covered = .hide }
        let mortal = { (content: inout AlertContent) in content.ttl = 100 }
        d.raise("a", with: mortal)
        d.raise("b") {
            $0.intercept = false
            $0.ttl = 100
        }
        d.raise("c", with: mortal)
        d.raise("d") {
            $0.ttl = 100
            $0.sources = [Source(name: "x")]
        }
        #expect(
            d.wait(100) == [
                "to [] a ended expired", "s#4 hide b expired", "to [] b ended expired", "to [] c ended expired",
                "unload 1", "to [] d ended expired",
            ])
    }

    @Test func `at the same millisecond a lifetime comes before the time on screen`() {
        var d = Dialogue()
        d.raise("a") {
            $0.ttl = 100
            $0.display = 100
        }
        #expect(d.wait(100) == ["s#2 hide a expired", "to [] a ended expired"])
    }

    @Test func `an input at the millisecond of a deadline comes after it`() {
        var d = Dialogue()
        d.raise("a") { $0.display = 100 }
        d.now = 100
        #expect(d.dismiss() == ["s#2 hide a timed_out", "to [] a ended timed_out", "refused unknown_alert"])
    }

    @Test func `time does not run backwards`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.wait(1000)
        d.dismiss()
        d.now = 10
        d.raise("c")
        #expect(d.arbiter.now == 1000)
        d.now = 1350
        #expect(d.wait(0).first == "s#3 show b dequeued")
    }
}
