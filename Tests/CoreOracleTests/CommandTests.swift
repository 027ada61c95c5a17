import AlertBusModel
import CoreOracle
import Testing

@Suite struct CommandTests {
    @Test func `equal content repeats the acceptance and attaches, other content is a duplicate or an update`() {
        var d = Dialogue()
        _ = d.raise("a", session: 1)
        _ = d.raise("b", session: 1)
        #expect(d.raise("b", session: 2) == ["accepted 2 r1 deferred"])
        #expect(d.raise("b", 3, session: 3) == ["refused duplicate"])
        #expect(d.raise("b", 3, session: 4, update: true) == ["accepted 2 r2 deferred"])
        #expect(d.dismiss("b") == ["to [1,2,4] b ended dismissed", "done 2 r2 1"])
        #expect(d.dismiss("b") == ["refused already_ended"])
        #expect(d.raise("a", 2, update: true) == ["s#2 update a r2", "accepted 1 r2 shown"])
        #expect(d.dismiss("a", revision: 1) == ["refused stale"])
        #expect(d.dismiss("a", revision: 3) == ["refused unknown_alert"])
        #expect(d.raise("b", 3).last == "accepted 3 r1 deferred 1", "an ended key is free again")
    }

    @Test func `a key alone must be unambiguous, withdraw means the sender's own`() {
        var d = Dialogue()
        _ = d.raise("a", producer: "x")
        _ = d.raise("a", producer: "y")
        #expect(d.dismiss("a") == ["refused unknown_alert [1, 2]"])
        let withdraw = Command.withdraw(surface: "s", key: "a", revision: nil)
        #expect(d.command(withdraw, producer: "z") == ["refused unknown_alert"])
        #expect(d.command(withdraw, producer: "y") == ["to [] a ended withdrawn", "done 2 r1 1"])
        #expect(d.command(withdraw, producer: "y") == ["refused already_ended"])
        #expect(d.dismiss("a") == ["s#2 hide a dismissed", "to [] a ended dismissed", "done 1 r1 1"])
        #expect(d.dismiss() == ["refused unknown_alert"])
    }

    @Test func `the batch limit ends what waits by rank`() {
        var d = Dialogue { $0.maxBatch = 2 }
        for (key, priority) in [("a", 1), ("b", 1), ("c", 3), ("d", 2)] as [(String, UInt8)] {
            _ = d.raise(key, priority)
        }
        _ = d.dismiss()
        _ = d.wait(350)
        #expect(
            d.dismiss() == [
                "s#4 hide c dismissed", "to [] c ended dismissed", "to [] d ended batch_limit",
                "to [] b ended batch_limit", "done 3 r1 1",
            ])
    }

    @Test func `the count of dismissals goes on while the surface is empty`() {
        var d = Dialogue { $0.maxBatch = 2 }
        _ = d.raise("a")
        _ = d.dismiss()
        _ = d.wait(1000)
        _ = d.raise("b")
        _ = d.raise("c")
        #expect(
            d.dismiss() == [
                "s#4 hide b dismissed", "to [] b ended dismissed", "to [] c ended batch_limit", "done 2 r1 1",
            ])
    }

    @Test func `clear goes from the top down, then by arrival`() {
        var d = Dialogue()
        _ = d.raise("a")
        _ = d.raise("b") { $0.intercept = false }
        _ = d.raise("c", 1)
        _ = d.raise("d", 3)
        #expect(
            d.command(.clear(.all, shown: true)) == [
                "s#3 hide b cleared", "to [] b ended cleared", "s#4 hide a cleared", "to [] a ended cleared",
                "to [] c ended cleared", "to [] d ended cleared", "done 0 r0 4",
            ])
        #expect(d.command(.clear(.all, shown: true)) == ["done 0 r0 0"])
    }

    @Test func `a full queue refuses, or evicts the lowest for a better one`() {
        var d = Dialogue {
            $0.capacity = 1
            $0.overflow = .evictLowest
        }
        _ = d.raise("a")
        _ = d.raise("b", 2)
        #expect(d.raise("c", 2) == ["refused over_limit"])
        #expect(d.raise("d", 3) == ["to [] b ended evicted", "accepted 3 r1 deferred 1"])
    }

    @Test func `a held surface lets only breakthrough alerts pass`() throws {
        var d = Dialogue()
        let scope = try SurfaceScope("s")
        #expect(d.command(.hold(scope)) == ["done 0 r0 0"])
        #expect(d.raise("a", 3) == ["accepted 1 r1 deferred 1"])
        #expect(d.raise("b") { $0.activate = false } == ["refused held"])
        #expect(d.raise("c") { $0.breakthrough = true } == ["s#1 show c raised", "accepted 2 r1 shown"])
        _ = d.dismiss()
        #expect(d.wait(1000) == [])
        #expect(
            d.command(.release(.all)) == ["s#3 show a dequeued", "to [] a shown dequeued", "done 0 r0 1"])
    }

    @Test func `a token makes the top dismissal safe to repeat`() {
        var d = Dialogue { $0.activationDelay = 0 }
        _ = d.raise("a")
        _ = d.raise("b")
        #expect(d.dismiss(once: "t").last == "done 1 r1 1")
        #expect(d.dismiss(once: "t") == ["done 1 r1 1"])
        #expect(d.model.alerts.map(\.key) == ["b"])
    }

    @Test func `status attaches and tells the outcome`() {
        var d = Dialogue()
        _ = d.raise("a", session: 1)
        let status = Command.status(surface: "s", .key("a"))
        #expect(d.command(status, session: 2) == ["event a shown raised"])
        #expect(d.dismiss() == ["s#2 hide a dismissed", "to [1,2] a ended dismissed", "done 1 r1 1"])
        #expect(d.command(status, session: 2) == ["event a ended dismissed"])
    }

    @Test func `the last owner takes its alert away`() {
        var d = Dialogue { $0.activationDelay = 0 }
        _ = d.raise("a", session: 1) { $0.closesOnOwnerLoss = true }
        _ = d.raise("a", session: 2) { $0.closesOnOwnerLoss = true }
        _ = d.raise("b", session: 1)
        #expect(d.take(.ownerLost(session: 1)) == [])
        #expect(
            d.take(.ownerLost(session: 2)) == [
                "s#2 hide a owner_lost", "to [] a ended owner_lost", "s#3 show b dequeued", "to [1] b shown dequeued",
            ])
    }

    @Test func `data comes first, then the alert takes its place by its arrival`() {
        var d = Dialogue()
        let rows = [1, 2].map { Row(id: Array("\($0)".utf8), json: Array("{\"id\":\($0)}".utf8)) }
        #expect(
            d.raise("a", session: 5) { $0.sources = [Source(name: "x"), Source(name: "y", timeout: 50, isOptional: true)] }
                == ["load 1 x until 10000", "load 2 y until 50", "accepted 1 r1 loading"])
        #expect(d.raise("b") == ["s#1 show b raised", "accepted 2 r1 shown"])
        #expect(d.raise("c") == ["accepted 3 r1 deferred 1"])
        #expect(d.take(.loaded(load: 1, rows: rows)) == [])
        #expect(d.wait(50) == ["unload 2", "to [5] a deferred intercepted"])
        #expect(d.raise("a", session: 5) { $0.sources = [] } == ["refused duplicate"])
        _ = d.dismiss("b")
        #expect(d.wait(350) == ["s#3 show a dequeued", "to [5] a shown dequeued"])
    }

    @Test func `a source that fails ends the alert and the other loads`() {
        var d = Dialogue()
        _ = d.raise("a") { $0.sources = [Source(name: "x"), Source(name: "y")] }
        #expect(d.take(.loadFailed(load: 2, message: "gone")) == ["unload 1", "to [] a ended load_failed"])
        #expect(d.take(.loaded(load: 1, rows: [])) == [])
    }

    @Test func `a new epoch begins its streams again and keeps the screen`() {
        var d = Dialogue()
        _ = d.raise("a", session: 1)
        _ = d.raise("b", session: 1) { $0.closesOnOwnerLoss = true }
        #expect(d.take(.started(epoch: 2)) == [])
        #expect(d.dismiss("a") == ["s#1 hide a dismissed", "to [] a ended dismissed", "done 1 r1 1"])
        #expect(d.wait(350) == ["s#2 show b dequeued", "to [] b shown dequeued"])
        #expect(d.wait(Limits().ownerGrace) == ["s#3 hide b owner_lost", "to [] b ended owner_lost"])
    }
}
