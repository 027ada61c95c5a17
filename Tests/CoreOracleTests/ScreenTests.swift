import AlertBusModel
import CoreOracle
import Testing

@Suite struct ScreenTests {
    @Test func `a free surface shows at once, a busy one defers, refuses or is covered`() {
        var d = Dialogue { $0.covered = .hide }
        #expect(d.raise("a", 2, session: 7) == ["s#1 show a raised", "accepted 1 r1 shown"])
        #expect(d.raise("b", 3) == ["accepted 2 r1 deferred 1"])
        #expect(d.raise("c", 3) { $0.activate = false } == ["refused intercepted"])
        #expect(
            d.raise("d") { $0.intercept = false } == [
                "s#2 hide a covered", "to [7] a covered covered", "s#3 show d raised", "accepted 3 r1 shown",
            ])
        #expect(d.dismiss() == ["s#4 hide d dismissed", "to [] d ended dismissed", "done 3 r1 1"])
        #expect(d.wait(349) == [])
        #expect(d.wait(1) == ["s#5 show b dequeued", "to [] b shown dequeued"])
        #expect(d.dismiss("b") == ["s#6 hide b dismissed", "to [] b ended dismissed", "done 2 r1 1"])
        #expect(d.wait(1000) == ["s#7 show a resumed", "to [7] a resumed resumed"])
    }

    @Test func `a covered alert that does not wait ends displaced`() {
        var d = Dialogue { $0.covered = .hide }
        _ = d.raise("a") { $0.activate = false }
        #expect(
            d.raise("b") { $0.intercept = false } == [
                "s#2 hide a displaced", "to [] a ended displaced", "s#3 show b raised", "accepted 2 r1 shown",
            ])
    }

    @Test func `what lies under is on top again without a message, and its clock went on only on top`() {
        var d = Dialogue()
        _ = d.raise("a") { $0.display = 100 }
        _ = d.wait(40)
        #expect(d.raise("b") { $0.intercept = false } == ["s#2 show b raised", "accepted 2 r1 shown"])
        #expect(d.wait(1000) == [])
        #expect(d.dismiss() == ["s#3 hide b dismissed", "to [] b ended dismissed", "done 2 r1 1"])
        #expect(d.wait(59) == [])
        #expect(d.wait(1) == ["s#4 hide a timed_out", "to [] a ended timed_out"])
    }

    @Test func `slots fill side by side and the one shown first is the victim`() {
        var d = Dialogue { $0.slots = 2 }
        _ = d.raise("a", 3)
        _ = d.raise("b", 1)
        #expect(d.raise("c", 2) == ["accepted 3 r1 deferred 1"])
        #expect(d.raise("d") { $0.intercept = false } == ["s#3 show d raised", "accepted 4 r1 shown"])
        #expect(d.model.alerts.filter(\.onTop).map(\.key) == ["b", "d"])
        #expect(d.dismiss("b").first == "s#4 hide b dismissed")
        #expect(d.model.alerts.filter(\.onTop).map(\.key) == ["a", "d"])
        #expect(d.wait(1000) == [], "the stack is still full")
    }

    @Test func `arrivals in the gap join one election, and an interceptor cancels it`() {
        var d = Dialogue()
        _ = d.raise("a")
        _ = d.raise("b", 2)
        _ = d.dismiss()
        _ = d.wait(300)
        #expect(d.raise("c", 3) == ["accepted 3 r1 deferred 1"])
        #expect(d.wait(50) == ["s#3 show c dequeued", "to [] c shown dequeued"])
        _ = d.dismiss()
        #expect(d.raise("d") { $0.intercept = false } == ["s#5 show d raised", "accepted 4 r1 shown"])
        #expect(d.wait(1000) == [])
    }

    @Test func `without a delay the election is in the same step, and receipts come before the reply`() {
        var d = Dialogue { $0.activationDelay = 0 }
        _ = d.raise("a")
        _ = d.raise("b", session: 4)
        #expect(
            d.dismiss() == [
                "s#2 hide a dismissed", "to [] a ended dismissed", "s#3 show b dequeued", "to [4] b shown dequeued",
                "done 1 r1 1",
            ])
    }

    @Test func `a victim that may not be covered yet keeps an urgent one waiting, even one that does not wait`() {
        var d = Dialogue {
            $0.minShow = 100
            $0.covered = .hide
            $0.preempt = .higher
        }
        _ = d.raise("a", 1)
        #expect(d.raise("b", 2) { $0.activate = false } == ["accepted 2 r1 deferred 1"])
        #expect(d.wait(99) == [])
        #expect(
            d.wait(1) == [
                "s#2 hide a covered", "to [] a covered covered", "s#3 show b raised", "to [] b shown raised",
            ])
    }

    @Test func `an urgent one by preempting whose victim is gone waits for the election`() {
        var d = Dialogue {
            $0.minShow = 1000
            $0.preempt = .higher
        }
        _ = d.raise("a", 1)
        _ = d.raise("b", 2)
        #expect(d.dismiss() == ["s#2 hide a dismissed", "to [] a ended dismissed", "done 1 r1 1"])
        #expect(d.wait(349) == [])
        #expect(d.wait(1) == ["s#3 show b dequeued", "to [] b shown dequeued"])
    }

    @Test func `an urgent interceptor takes the empty place at once`() {
        var d = Dialogue { $0.minShow = 1000 }
        _ = d.raise("a")
        _ = d.raise("b") { $0.intercept = false }
        #expect(
            d.dismiss() == [
                "s#2 hide a dismissed", "to [] a ended dismissed", "s#3 show b raised", "to [] b shown raised",
                "done 1 r1 1",
            ])
    }

    @Test func `deadlines are taken at their own time, lifetimes before gaps`() {
        var d = Dialogue()
        _ = d.raise("a")
        _ = d.raise("b", 3) { $0.ttl = 350 }
        _ = d.raise("c")
        _ = d.dismiss()
        #expect(
            d.wait(5000) == ["to [] b ended expired", "s#3 show c dequeued", "to [] c shown dequeued"])
    }
}
