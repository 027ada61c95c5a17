import AlertBusModel
import CoreOracle
import Testing

/// Do not disturb.
@Suite struct HoldTests {
    private let through = { (content: inout AlertContent) in content.breakthrough = true }

    @Test func `while held, what waits is deferred and what does not wait is refused`() {
        var d = Dialogue { $0.hold = true }
        #expect(d.raise("a", session: 7) == ["accepted 1 r1 deferred 1"])
        #expect(d.command(.status(surface: "s", .key("a"))) == ["event a deferred held"])
        #expect(d.raise("b") { $0.activate = false } == ["refused held"])
        #expect(d.raise("c", 3) { $0.intercept = false } == ["accepted 2 r1 deferred 1"])
    }

    @Test func `what is displayed stays, and nothing follows it`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        #expect(d.hold() == ["done 0 r0 1"])
        #expect(d.screen() == ["a"])
        d.dismiss()
        #expect(d.arbiter.nextDeadline == nil)
        #expect(d.wait(10_000) == [])
    }

    @Test func `release starts the gap if it is due`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.hold()
        d.dismiss()
        #expect(d.release() == ["done 0 r0 1"])
        #expect(d.wait(350).first == "s#3 show b dequeued")
    }

    @Test func `a granted breakthrough is shown, one that is not granted is not`() {
        var d = Dialogue { $0.hold = true }
        d.raise("waiting")
        #expect(d.raise("a", mayBreakThrough: false, with: through) == ["accepted 2 r1 deferred 2"])
        #expect(d.raise("b", with: through) == ["s#1 show b raised", "accepted 3 r1 shown"], "only its like count as waiting")
        #expect(d.raise("c", with: through) == ["accepted 4 r1 deferred 3"])
        d.dismiss()
        #expect(d.wait(350) == ["s#3 show c dequeued", "to [] c shown dequeued"], "the others go on waiting")
    }

    @Test func `a breakthrough that does not wait is refused when busy`() {
        var d = Dialogue { $0.hold = true }
        d.raise("a", with: through)
        #expect(
            d.raise("b") {
                $0.breakthrough = true
                $0.activate = false
            } == ["refused intercepted"])
    }

    @Test func `the newest command that covers a surface counts, before the policy`() {
        var d = Dialogue { $0.hold = true }
        d.release("lobby/")
        #expect(d.raise("a", on: "lobby/a").last == "accepted 1 r1 shown")
        #expect(d.raise("a", on: "hall").last == "accepted 2 r1 deferred 1")
        #expect(d.hold("lobby/b") == ["done 0 r0 0"])
        #expect(d.raise("a", on: "lobby/b").last == "accepted 3 r1 deferred 1")
        #expect(
            d.release("/") == [
                "hall#1 show a dequeued", "to [] a shown dequeued", "lobby/b#1 show a dequeued", "to [] a shown dequeued",
                "done 0 r0 3",
            ])
        #expect(d.raise("a", on: "lobby/c").last == "accepted 4 r1 shown")
    }

    @Test func `an alert that has its data on a held surface waits, or ends held`() {
        var d = Dialogue()
        d.raise("a", session: 7) { $0.sources = [Source(name: "x")] }
        d.raise("b", session: 7) {
            $0.sources = [Source(name: "x")]
            $0.activate = false
        }
        d.hold()
        #expect(d.take(.loaded(load: 1, rows: [])) == ["to [7] a deferred held"])
        #expect(d.take(.loaded(load: 2, rows: [])) == ["to [7] b ended held"])
    }
}
