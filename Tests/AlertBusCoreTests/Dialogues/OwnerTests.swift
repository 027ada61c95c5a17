import AlertBusModel
import CoreOracle
import Testing

/// What follows when connections die.
@Suite struct OwnerTests {
    private let closes = { (content: inout AlertContent) in content.closesOnOwnerLoss = true }

    @Test func `close: it ends when the last session that raised or asked for it is gone`() {
        var d = Dialogue()
        d.raise("a", session: 1, with: closes)
        d.raise("a", session: 2, with: closes)
        _ = d.command(.status(surface: "s", .key("a")), session: 3)
        #expect(d.take(.ownerLost(session: 1)) == [])
        #expect(d.take(.ownerLost(session: 3)) == [])
        #expect(d.take(.ownerLost(session: 2)) == ["s#2 hide a owner_lost", "to [] a ended owner_lost"])
    }

    @Test func `close: what waits or loads ends too`() {
        var d = Dialogue()
        d.raise("shown", session: 9)
        d.raise("a", session: 1, with: closes)
        d.raise("b", session: 1) {
            $0.closesOnOwnerLoss = true
            $0.sources = [Source(name: "x")]
        }
        #expect(d.take(.ownerLost(session: 1)) == ["to [] a ended owner_lost", "unload 1", "to [] b ended owner_lost"])
    }

    @Test func `keep: it goes on and the receipts go nowhere until somebody asks`() {
        var d = Dialogue()
        d.raise("a", session: 1)
        d.raise("b", session: 1)
        #expect(d.take(.ownerLost(session: 1)) == [])
        d.dismiss()
        _ = d.command(.status(surface: "s", .key("b")), session: 2)
        #expect(d.wait(350) == ["s#3 show b dequeued", "to [1,2] b shown dequeued"])
    }

    @Test func `nobody's session is never lost`() {
        var d = Dialogue()
        d.raise("a", session: 0, with: closes)
        #expect(d.take(.ownerLost(session: 0)) == [])
        #expect(d.screen() == ["a"])
    }

    @Test func `at most eight sessions hear of one alert, the newest ones`() {
        var d = Dialogue()
        for session in 1...10 as ClosedRange<UInt64> { d.raise("a", session: session, with: closes) }
        #expect(d.dismiss()[1] == "to [3,4,5,6,7,8,9,10] a ended dismissed")
    }

    @Test func `after a start they have a grace time to be asked for`() {
        var limits = Limits()
        limits.ownerGrace = 500
        var d = Dialogue(limits: limits)
        d.raise("a", session: 1, with: closes)
        d.raise("b", session: 1, with: closes)
        d.raise("c", session: 1)
        #expect(d.take(.started(epoch: 2)) == [])
        _ = d.command(.status(surface: "s", .key("b")), session: 2)
        #expect(d.wait(500).contains("to [] a ended owner_lost"))
        d.wait(10_000)
        #expect(d.arbiter.alerts(in: .all).map(\.key) == ["b", "c"])
        #expect(d.take(.ownerLost(session: 2)) == ["s#3 hide b owner_lost", "to [] b ended owner_lost"])
    }
}
