import AlertBusModel
import CoreOracle
import Testing

/// `min_show_ms`, and those who wait only for it.
@Suite struct UrgencyTests {
    @Test func `an interceptor waits until the one below was shown long enough`() {
        var d = Dialogue { $0.minShow = 100 }
        d.raise("a")
        d.wait(30)
        #expect(d.raise("b") { $0.intercept = false } == ["accepted 2 r1 deferred 1"])
        #expect(d.wait(69) == [])
        #expect(d.wait(1) == ["s#2 show b raised", "to [] b shown raised"])
    }

    @Test func `it waits even if it does not wait otherwise`() {
        var d = Dialogue { $0.minShow = 100 }
        d.raise("a")
        #expect(
            d.raise("b") {
                $0.intercept = false
                $0.activate = false
            } == ["accepted 2 r1 deferred 1"])
        #expect(d.wait(100).first == "s#2 show b raised")
    }

    @Test func `the alert's own time counts before the policy's`() {
        var d = Dialogue { $0.minShow = 1000 }
        d.raise("a") { $0.minShow = 0 }
        #expect(d.raise("b") { $0.intercept = false }.first == "s#2 show b raised")
        d.raise("c") {
            $0.intercept = false
            $0.minShow = 5000
        }
        d.wait(1000)
        #expect(d.screen() == ["a", "b", "c"], "b was protected by the policy")
    }

    @Test func `each show starts it again`() {
        var d = Dialogue {
            $0.minShow = 100
            $0.covered = .hide
        }
        d.raise("a")
        d.wait(100)
        d.raise("b") { $0.intercept = false }
        d.wait(100)
        d.dismiss()
        d.wait(350)
        #expect(d.screen() == ["a"])
        #expect(d.raise("c") { $0.intercept = false }.last == "accepted 3 r1 deferred 1")
        d.wait(99)
        #expect(d.screen() == ["a"])
        d.wait(1)
        #expect(d.screen() == ["c"])
    }

    @Test func `an end during the protection lets an interceptor in at once, a preempting one wait for the election`() {
        for (intercept, immediate) in [(false, true), (true, false)] {
            var d = Dialogue {
                $0.minShow = 1000
                $0.preempt = .higher
            }
            d.raise("a", 1)
            d.raise("b", 3) { $0.intercept = intercept }
            d.dismiss("a")
            #expect(d.screen() == (immediate ? ["b"] : []))
            d.wait(350)
            #expect(d.screen() == ["b"])
        }
    }

    @Test func `of two urgent ones the better goes first and is protected itself`() {
        var d = Dialogue {
            $0.minShow = 100
            $0.covered = .hide
        }
        d.raise("a")
        d.raise("b", 1) { $0.intercept = false }
        d.raise("c", 3) { $0.intercept = false }
        d.wait(100)
        #expect(d.screen() == ["c"])
        #expect(d.wait(99) == [])
        d.wait(1)
        #expect(d.screen() == ["b"])
    }

    @Test func `one that an update leaves without protection gives way at once, and the sender hears of its end`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a") { $0.minShow = 1000 }
        d.raise("b") { $0.intercept = false }
        #expect(
            d.raise("a", session: 4, update: true) { $0.activate = false } == [
                "s#2 update a r2", "s#3 hide a displaced", "to [4] a ended displaced", "s#4 show b raised", "to [] b shown raised",
                "accepted 1 r2 ended",
            ])
        #expect(d.wait(2000) == [])
        #expect(d.raise("a") { $0.closesOnOwnerLoss = true } == ["accepted 3 r1 deferred 1"], "the key is free")
    }

    @Test func `one that an update makes the lowest gives way at once`() {
        var d = Dialogue {
            $0.covered = .hide
            $0.slots = 2
        }
        d.raise("b", 1) { $0.minShow = 1000 }
        d.raise("a", 2) { $0.activate = false }
        d.raise("c", 3) { $0.intercept = false }
        #expect(
            d.update("a") { $0.priority = 1 } == [
                "s#3 update a r2", "s#4 hide a displaced", "to [] a ended displaced", "s#5 show c raised", "to [] c shown raised",
                "done 2 r2 1",
            ])
    }
}
