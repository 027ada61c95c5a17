import AlertBusCore
import AlertBusModel
import CoreOracle
import Testing

/// The known faults of the first design, each shown on a copy of it and shown to be gone here.
@Suite struct ScarTests {
    @Test func `S1: a covered alert that may not return does not keep the screen busy`() {
        var old = OldManager(staysAfterCover: false)
        old.show(.init(key: "a", isActivate: false))
        old.show(.init(key: "b", isIntercept: false))
        old.dismiss()
        old.wait(1000)
        old.show(.init(key: "c"))
        old.wait(100_000)
        #expect(old.calls == ["show a", "dismiss a", "show b", "dismiss b"], "c waits for ever on an empty screen")

        var new = Dialogue { $0.covered = .hide }
        new.raise("a") { $0.activate = false }
        #expect(
            new.raise("b") { $0.intercept = false } == [
                "s#2 hide a displaced", "to [] a ended displaced", "s#3 show b raised", "accepted 2 r1 shown",
            ])
        new.dismiss()
        new.wait(1000)
        #expect(new.raise("c") == ["s#5 show c raised", "accepted 3 r1 shown"])
    }

    @Test func `S2: the batch limit tells everyone whom it ends`() {
        var old = OldManager(maxBatch: 1)
        for key in ["a", "b", "c"] { old.show(.init(key: key)) }
        old.dismiss()
        old.wait(100_000)
        #expect(old.calls == ["show a", "dismiss a"], "of b and c nobody hears again")

        var new = Dialogue { $0.maxBatch = 1 }
        for key in ["a", "b", "c"] { new.raise(key, session: 7) }
        #expect(
            new.dismiss() == [
                "s#2 hide a dismissed", "to [7] a ended dismissed", "to [7] b ended batch_limit",
                "to [7] c ended batch_limit", "done 1 r1 1",
            ])
    }

    @Test func `S3: an arrival in the gap joins its election`() {
        var old = OldManager(staysAfterCover: false)
        old.show(.init(key: "a"))
        old.show(.init(key: "b", priority: 2))
        old.dismiss()
        old.wait(100)
        old.show(.init(key: "c", isIntercept: false))
        old.wait(1000)
        #expect(old.calls == ["show a", "dismiss a", "dismiss a", "show c", "show b"], "a twice, and c is orphaned")

        var new = Dialogue { $0.covered = .hide }
        new.raise("a")
        new.raise("b")
        #expect(new.dismiss().first == "s#2 hide a dismissed")
        new.wait(100)
        #expect(new.raise("c", 3) == ["accepted 3 r1 deferred 1"])
        #expect(new.wait(249) == [])
        #expect(new.wait(1) == ["s#3 show c dequeued", "to [] c shown dequeued"], "one election, at the end of the gap")
        new.dismiss()
        #expect(
            new.raise("d") { $0.intercept = false } == ["s#5 show d raised", "accepted 4 r1 shown"],
            "one that is not interceptable is shown at once and hides nothing twice")
        #expect(new.wait(1000) == [], "and the gap is cancelled, so that d is not orphaned")
    }

    @Test func `S4: two dismissals in the gap show the next alert once`() {
        var old = OldManager()
        old.show(.init(key: "a"))
        old.show(.init(key: "b"))
        old.dismiss()
        old.wait(100)
        old.dismiss()
        old.wait(1000)
        #expect(old.calls.filter { $0 == "show b" }.count == 2)

        var new = Dialogue()
        new.raise("a")
        new.raise("b")
        new.dismiss("a")
        new.wait(100)
        #expect(new.dismiss("a") == ["refused already_ended"])
        #expect(new.dismiss(instance: 1) == ["refused already_ended"])
        #expect(new.dismiss() == ["refused unknown_alert"], "nothing is on top in the gap")
        #expect(new.wait(250) == ["s#3 show b dequeued", "to [] b shown dequeued"])
        #expect(new.wait(1000) == [])
    }

    @Test func `S5: equal priorities come out in the order of arrival`() {
        let keys = (0..<20).map { "k\($0)" }
        var old = OldManager()
        var new = Dialogue()
        for key in ["first"] + keys {
            old.show(.init(key: key))
            new.raise(key)
        }
        var shown: [String] = []
        for _ in keys {
            old.dismiss()
            old.wait(350)
            new.dismiss()
            new.wait(350)
            shown += new.screen()
        }
        let oldOrder = old.calls.filter { $0.hasPrefix("show k") }.map { String($0.dropFirst(5)) }
        // By chance in one of 20! runs.
        #expect(oldOrder.sorted() == keys.sorted() && oldOrder != keys)
        #expect(shown == keys)
    }

    @Test func `S6: covered and ended are different events`() {
        var old = OldManager(staysAfterCover: false)
        old.show(.init(key: "a"))
        old.show(.init(key: "b", isIntercept: false))
        let whenCovered = old.calls.filter { $0.hasSuffix(" a") }.last
        old.dismiss()
        old.wait(350)
        old.dismiss()
        #expect(whenCovered == "dismiss a" && old.calls.filter { $0.hasSuffix(" a") }.last == "dismiss a")

        var new = Dialogue { $0.covered = .hide }
        var told = new.raise("a", session: 7)
        told += new.raise("b") { $0.intercept = false }
        told += new.dismiss()
        told += new.wait(350)
        told += new.dismiss()
        #expect(
            told.filter { $0.hasPrefix("to [7]") } == [
                "to [7] a covered covered", "to [7] a resumed resumed", "to [7] a ended dismissed",
            ])
    }

    @Test func `S7: an intercepted alert that does not wait is refused`() {
        var old = OldManager()
        old.show(.init(key: "a"))
        old.show(.init(key: "b", isActivate: false))
        old.wait(100_000)
        #expect(old.calls == ["show a"], "b's producer never hears")

        var new = Dialogue()
        new.raise("a")
        #expect(new.raise("b") { $0.activate = false } == ["refused intercepted"])
    }

    @Test func `S8: clearing hides what it ends`() {
        var old = OldManager()
        old.show(.init(key: "a"))
        old.show(.init(key: "b"))
        old.clearCache()
        old.wait(100_000)
        #expect(old.calls == ["show a"], "a stays on the screen and nobody can dismiss it")

        var new = Dialogue()
        new.raise("a", session: 7)
        new.raise("b", session: 7)
        #expect(new.clear() == ["to [7] b ended cleared", "done 0 r0 1"], "what is displayed stays displayed and known")
        #expect(new.screen() == ["a"])
        #expect(new.clear(shown: true) == ["s#2 hide a cleared", "to [7] a ended cleared", "done 0 r0 1"])
    }

    @Test func `S9: an alert has a name, a revision, a lifetime, a query and an answer`() {
        var old = OldManager()
        old.show(.init(key: "a"))
        old.show(.init(key: "old news"))
        old.show(.init(key: "b"))
        old.wait(3_600_000)
        // The person means what was on the screen when the finger went down; the call means whatever is on top.
        old.show(.init(key: "late", isIntercept: false))
        old.dismiss()
        #expect(old.calls.last == "dismiss late")

        var new = Dialogue()
        new.raise("a", session: 7)
        new.raise("old news", session: 7) { $0.ttl = 60_000 }
        new.raise("b", session: 7)
        #expect(new.wait(60_000) == ["to [7] old news ended expired"])
        new.update("a") { $0.params = Array("{}".utf8) }
        new.raise("late") { $0.intercept = false }
        #expect(new.dismiss("a", revision: 1) == ["refused stale"])
        let outcome = new.effects(
            .command(
                .answer(surface: "s", .key("a"), revision: 2, Answer(json: Array("\"yes\"".utf8))), from: Requester()))
        let answers = outcome.compactMap { effect in
            if case .receipt(let receipt, to: [7]) = effect { String(decoding: receipt.answer, as: UTF8.self) } else { nil }
        }
        #expect(answers == ["\"yes\""])
        #expect(new.screen() == ["late"])
        #expect(new.command(.status(surface: "s", .key("a"))) == ["event a ended answered"])
        #expect(new.arbiter.alerts(in: .all).map { "\($0.key) \($0.state) \($0.position)" } == ["late shown 0", "b deferred 1"])
    }
}
