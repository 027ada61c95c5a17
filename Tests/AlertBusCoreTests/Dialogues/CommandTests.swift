import AlertBusModel
import CoreOracle
import Testing

/// Updates, names, revisions, and sending again.
@Suite struct CommandTests {
    @Test func `an update of a shown alert is published, one of a waiting alert changes its rank`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b", 1)
        d.raise("c", 2)
        #expect(d.update("a") { $0.params = Array("{}".utf8) } == ["s#2 update a r2", "done 1 r2 1"])
        #expect(d.update("b") { $0.priority = 3 } == ["done 2 r2 1"])
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["a", "b", "c"])
        #expect(d.update("c") { $0.priority = 3 } == ["done 3 r2 1"])
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["a", "b", "c"], "its arrival stays")
    }

    @Test func `an update shows, covers and hides nothing`() {
        var d = Dialogue { $0.preempt = .higher }
        d.raise("a", 2)
        d.raise("b", 1)
        #expect(d.update("b") { $0.priority = 3 } == ["done 2 r2 1"])
        #expect(d.update("b") { $0.intercept = false } == ["done 2 r3 1"])
        #expect(d.update("a") { $0.activate = false } == ["s#2 update a r2", "done 1 r2 1"])
    }

    @Test func `a time that an update names starts again, the others go on`() {
        var d = Dialogue()
        d.raise("a") {
            $0.ttl = 1000
            $0.display = 500
        }
        d.wait(400)
        d.update("a") { $0.display = 300 }
        #expect(d.wait(299) == [])
        #expect(d.wait(1) == ["s#3 hide a timed_out", "to [] a ended timed_out"])
        d.raise("b") {
            $0.ttl = 1000
            $0.display = 500
        }
        d.wait(100)
        d.update("b") { $0.ttl = 200 }
        #expect(d.wait(200).first == "s#6 hide b expired")
    }

    @Test func `raise with update replaces the whole content`() {
        var d = Dialogue()
        d.raise("a", 3) {
            $0.ttl = 1000
            $0.params = Array("{\"n\":1}".utf8)
        }
        #expect(d.raise("a", 2, update: true) == ["s#2 update a r2", "accepted 1 r2 shown"])
        #expect(d.wait(10_000) == [], "it has no lifetime any more")
        #expect(d.arbiter.snapshots(in: .all)[0].shown[0].params == [])
    }

    @Test func `raise with update and other sources is refused`() {
        var d = Dialogue()
        d.raise("a") { $0.sources = [Source(name: "x")] }
        #expect(d.raise("a", update: true) { $0.sources = [Source(name: "y")] } == ["refused duplicate"])
    }

    @Test func `equal content repeats the acceptance, other content is a duplicate`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        #expect(d.raise("b", session: 5) == ["accepted 2 r1 deferred"])
        #expect(d.raise("b", 2) == ["refused duplicate"])
        #expect(d.raise("b", producer: "other") == ["accepted 3 r1 deferred 2"], "keys belong to their producers")
        d.dismiss("a")
        d.wait(350)
        #expect(d.raise("b") == ["accepted 2 r1 shown"], "with the state of now")
        d.dismiss(instance: 2)
        #expect(d.raise("b") == ["accepted 4 r1 deferred 2"], "the key is free again")
    }

    @Test func `an older revision is stale, one that does not exist yet unknown`() {
        var d = Dialogue()
        d.raise("a")
        d.update("a") { $0.priority = 2 }
        #expect(d.update("a", revision: 1) { $0.priority = 3 } == ["refused stale"])
        #expect(d.withdraw("a", revision: 1) == ["refused stale"])
        #expect(d.dismiss("a", revision: 1) == ["refused stale"])
        #expect(d.dismiss("a", revision: 3) == ["refused unknown_alert"])
        #expect(d.dismiss("a", revision: 2).last == "done 1 r2 1")
    }

    @Test func `dismiss works on what waits, and on the top one when it names nobody`() {
        var d = Dialogue()
        #expect(d.dismiss() == ["refused unknown_alert"])
        d.raise("a")
        d.raise("b")
        d.raise("c") { $0.intercept = false }
        #expect(d.dismiss("b") == ["to [] b ended dismissed", "done 2 r1 1"])
        #expect(d.dismiss().last == "done 3 r1 1")
        #expect(d.dismiss(instance: 1).last == "done 1 r1 1")
        #expect(d.dismiss(instance: 1) == ["refused already_ended"])
        #expect(d.dismiss("a") == ["refused already_ended"])
        #expect(d.dismiss(instance: 99) == ["refused unknown_alert"])
        #expect(d.dismiss("nobody") == ["refused unknown_alert"])
    }

    @Test func `an instance is looked for on the surface that the command names`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b", on: "t")
        #expect(d.dismiss(instance: 2) == ["refused unknown_alert"])
    }

    @Test func `a key of several producers is ambiguous`() {
        var d = Dialogue()
        d.raise("a", producer: "x")
        d.raise("a", producer: "y")
        #expect(d.dismiss("a") == ["refused unknown_alert [1, 2]"])
        #expect(d.command(.status(surface: "s", .key("a"))) == ["refused unknown_alert [1, 2]"])
        #expect(d.command(.status(surface: "s", .key("a")), producer: "y") == ["event a deferred intercepted"])
        #expect(d.withdraw("a", producer: "z") == ["refused unknown_alert"])
        #expect(d.withdraw("a", producer: "y").last == "done 2 r1 1")
        #expect(d.withdraw("a", producer: "y") == ["refused already_ended"])
    }

    @Test func `clear ends what waits by arrival, and with shown the stack first, from the top`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a")
        d.raise("b", 3)
        d.raise("c") { $0.sources = [Source(name: "x")] }
        d.raise("d") { $0.intercept = false }
        d.raise("e", on: "t")
        #expect(
            d.clear(shown: true) == [
                "s#4 hide d cleared", "to [] d ended cleared", "to [] a ended cleared", "to [] b ended cleared",
                "unload 1", "to [] c ended cleared", "done 0 r0 4",
            ])
        #expect(d.clear("/", shown: true) == ["t#2 hide e cleared", "to [] e ended cleared", "done 0 r0 1"])
        #expect(d.clear("nowhere") == ["done 0 r0 0"])
    }

    @Test func `a once token gets the first reply again and changes nothing`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        #expect(d.dismiss(once: "t").last == "done 2 r1 1")
        #expect(d.dismiss(once: "t") == ["done 2 r1 1"])
        #expect(d.screen() == ["a"])
        #expect(d.dismiss("nobody", once: "u") == ["refused unknown_alert"])
        d.raise("nobody")
        #expect(d.dismiss("nobody", once: "u") == ["refused unknown_alert"], "refusals are repeated too")
        #expect(d.command(.dismiss(surface: "s", .top, revision: nil), producer: "p", once: "t").last == "done 1 r1 1")
    }

    @Test func `a repeated raise attaches the sender`() {
        var d = Dialogue()
        d.raise("a", session: 1, once: "t")
        #expect(d.raise("a", session: 2, once: "t") == ["accepted 1 r1 shown"])
        #expect(d.dismiss()[1] == "to [1,2] a ended dismissed")
        #expect(d.raise("a", session: 3, once: "t") == ["accepted 1 r1 shown"], "although it has ended")
    }

    @Test func `tokens and outcomes are remembered up to the limit`() {
        var limits = Limits()
        limits.memory = 2
        var d = Dialogue(limits: limits)
        for key in ["a", "b", "c"] {
            d.raise(key)
            d.dismiss(key, once: key)
        }
        #expect(d.dismiss("x", once: "a") == ["refused unknown_alert"], "the oldest is forgotten")
        #expect(d.command(.status(surface: "s", .key("a"))) == ["refused unknown_alert"])
        #expect(d.command(.status(surface: "s", .key("b"))) == ["event b ended dismissed"])
        #expect(d.command(.status(surface: "s", .instance(3))) == ["event c ended dismissed"])
    }

    @Test func `status tells the rung and attaches the sender`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a")
        #expect(d.command(.status(surface: "s", .top), session: 4) == ["event a shown raised"])
        d.raise("b") { $0.intercept = false }
        #expect(d.command(.status(surface: "s", .key("a")), session: 4) == ["event a covered covered"])
        d.raise("c") { $0.sources = [Source(name: "x")] }
        #expect(d.command(.status(surface: "s", .key("c"))) == ["event c loading raised"])
        d.dismiss("b")
        #expect(d.wait(350).last == "to [4] a resumed resumed")
        #expect(d.command(.status(surface: "s", .key("a"))) == ["event a resumed resumed"])
        #expect(d.command(.status(surface: "s", .key("nobody"))) == ["refused unknown_alert"])
    }
}
