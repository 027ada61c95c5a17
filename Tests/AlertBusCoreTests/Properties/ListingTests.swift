import AlertBusCore
import AlertBusModel
import TestSupport
import Testing

/// A list of everything comes in pieces, so that nobody waits for it.
@Suite struct ListingTests {
    private static let surfaces = ["a/x", "a/y", "b"]

    /// Everything that a list can hold: stacks, all classes of waiting, older arrivals among newer ones, and what is loading.
    private struct Crowd {
        var arbiter: Arbiter
        var random: SplitMix64
        private var now: Milliseconds = 0
        private var number = 0

        init(seed: UInt64, size: Int = 300) {
            random = SplitMix64(seed: seed)
            var policy = Policy()
            policy.covered = random.next() % 2 == 0 ? .hide : .stay
            policy.preempt = .higher
            policy.slots = 2
            policy.activationDelay = 10
            policy.minShow = 20
            arbiter = Arbiter(policies: PolicySet(fallback: policy), limits: Limits())
            for _ in 0..<size { raise() }
        }

        private mutating func step(_ input: Input) {
            var effects: [Effect] = []
            arbiter.step(input, at: now, into: &effects)
        }

        private mutating func raise() {
            number += 1
            var content = AlertContent()
            content.priority = UInt8(1 + random.next() % 3)
            content.intercept = random.next() % 8 != 0
            content.breakthrough = random.next() % 4 == 0
            if random.next() % 6 == 0 { content.sources = [Source(name: "x")] }
            let surface = ListingTests.surfaces[Int(random.next() % 3)]
            step(
                .command(
                    .raise(Raise(surface: surface, key: "k\(number)", content: content)), from: Requester(mayBreakThrough: true)))
        }

        /// Something happens between two pieces.
        mutating func change() {
            let surface = ListingTests.surfaces[Int(random.next() % 3)]
            now += Milliseconds(random.next() % 15)
            switch random.next() % 5 {
            case 0, 1: raise()
            case 2: step(.command(.dismiss(surface: surface, .top, revision: nil), from: Requester()))
            case 3:
                // One that the list may be about to go on with.
                let all = arbiter.alerts(in: .all)
                guard !all.isEmpty else { return raise() }
                let one = all[Int(random.next() % UInt64(all.count))]
                step(.command(.withdraw(surface: one.surface, key: one.key, revision: nil), from: Requester()))
            default: step(.tick)
            }
        }

        /// As after a failure of the journal or a restart: the same state in other places.
        mutating func readAgain() throws { arbiter = try Arbiter(saved: arbiter.save()) }
    }

    @Test(arguments: [1, 7, 100_000], [1, 3, 100_000]) func `the pieces are the whole`(limit: Int, scan: Int) throws {
        for seed in 1...2 {
            let crowd = Crowd(seed: UInt64(seed))
            for scope in [
                SurfaceScope.all, Dialogue.scope("a/"), Dialogue.scope("a/y"), Dialogue.scope("none"), Dialogue.scope("c/"),
            ] {
                var told: [AlertSummary] = []
                var place: ListingPlace? = ListingPlace()
                while let current = place {
                    let piece = crowd.arbiter.alerts(in: scope, from: current, limit: limit, scan: scan)
                    #expect(piece.alerts.count <= limit + 200, "beside the rest of a screen")
                    try #require(piece.next != current, "it goes on")
                    told += piece.alerts
                    place = piece.next
                }
                #expect(told == crowd.arbiter.alerts(in: scope))
            }
        }
    }

    @Test(arguments: 1...12) func `what stays is told once, whatever changes between the pieces`(seed: Int) throws {
        var crowd = Crowd(seed: UInt64(seed))
        let (limit, scan) = [(1, 5), (5, 100_000), (20, 20), (3, 2)][seed % 4]
        /// Those that were there with the same state the whole time.
        var steady = Set(crowd.arbiter.alerts(in: .all).map(Steady.init))
        var told: [AlertSummary] = []
        var place: ListingPlace? = ListingPlace()
        var pieces = 0
        while let current = place {
            let piece = crowd.arbiter.alerts(in: .all, from: current, limit: limit, scan: scan)
            told += piece.alerts
            place = piece.next
            pieces += 1
            try #require(pieces < 20_000, "the list has no end")
            for _ in 0..<(pieces < 500 ? 3 : 0) { crowd.change() }
            if seed % 5 == 0 && pieces % 7 == 0 { try crowd.readAgain() }
            steady.formIntersection(crowd.arbiter.alerts(in: .all).map(Steady.init))
        }
        let counts = Dictionary(grouping: told.map(Steady.init)) { $0 }.mapValues(\.count)
        for one in steady { #expect(counts[one] == 1, "\(one)") }
        #expect(steady.count > 10, "the test would prove nothing")
    }

    @Test func `every place of a large state means something in a small one`() {
        let (large, small) = (Crowd(seed: 1), Crowd(seed: 2, size: 12))
        var place: ListingPlace? = ListingPlace()
        while let current = place {
            // After a failure of the journal the state is an earlier one.
            let told = small.arbiter.alerts(in: .all, from: current, limit: 100, scan: 1000)
            #expect(told.alerts.count <= 12)
            #expect(told.next == nil)
            place = large.arbiter.alerts(in: .all, from: current, limit: 1, scan: 1000).next
        }
    }

    private struct Steady: Hashable {
        let instance: UInt64
        let state: PresentationState

        init(_ summary: AlertSummary) {
            instance = summary.instance
            state = summary.state
        }
    }
}
