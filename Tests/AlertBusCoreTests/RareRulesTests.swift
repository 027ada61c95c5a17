import AlertBusCore
import AlertBusModel
import CoreOracle
import Testing

/// The shortest sequences of rules that were got wrong once. The core must do what the simple model does.
@Suite struct RareRulesTests {
    @Test func `an update that names no priority keeps it, whoever sends it`() {
        var update = Update(surface: "s", key: "a")
        update.activate = false
        check(
            [
                (0, raise("a") { $0.priority = 3 }),
                (0, .command(.update(update), from: Requester(topPriority: 2))),
            ])
    }

    @Test func `an update does not grant a breakthrough that was refused`() {
        var update = Update(surface: "s", key: "a")
        update.activate = true
        check(
            [
                (0, .command(.hold(.all), from: Requester())),
                (0, raise("a", from: Requester(mayBreakThrough: false)) { $0.breakthrough = true }),
                (0, .command(.update(update), from: Requester())),
            ])
    }

    @Test func `a refused raise leaves no surface behind`() {
        check(
            [
                (0, raise("a") { $0.activate = false }),
                (0, .command(.release(.all), from: Requester())),
            ]
        ) { $0.hold = true }
        var limits = Limits()
        limits.surfaces = 1
        limits.sources = 0
        let tooMany = raise("a", on: "other") { $0.sources = [Source(name: "x")] }
        check([(0, tooMany), (0, raise("b"))], limits: limits)
    }

    @Test func `an alert whose owner is gone does not flash up`() {
        check(
            [
                (0, raise("a", from: Requester(session: 4)) { $0.closesOnOwnerLoss = true }),
                (0, raise("b", from: Requester(session: 4)) { $0.closesOnOwnerLoss = true }),
                (0, .ownerLost(session: 4)),
            ]
        ) { $0.activationDelay = 0 }
    }

    @Test func `the grace time is only for alerts that still close with their owner`() {
        check(
            [
                (0, raise("a") { $0.closesOnOwnerLoss = true }),
                (0, .started(epoch: 2)),
                (0, raise("a", update: true)),
                (Limits().ownerGrace, .tick),
            ])
    }

    /// Alerts come before surfaces at the same millisecond: b is over before the gap is.
    @Test func `a gap ends after the clocks of all alerts at that time`() {
        check(
            [
                (0, raise("a")),
                (0, raise("x") { $0.ttl = 350 }),
                (
                    0,
                    raise("b") {
                        $0.ttl = 350
                        $0.priority = 3
                    }
                ),
                (0, raise("c")),
                (0, dismiss),
                (350, .tick),
            ])
    }

    @Test func `what expired while nobody watched is not shown after a start`() {
        check(
            [
                (0, raise("a")),
                (0, raise("x") { $0.ttl = 100 }),
                (
                    0,
                    raise("b") {
                        $0.ttl = 200
                        $0.priority = 3
                    }
                ),
                (0, raise("c")),
                (0, dismiss),
                (1_000, .started(epoch: 2)),
            ])
    }

    // MARK: - Short words

    private func check(
        _ steps: [(time: Milliseconds, input: Input)], limits: Limits = Limits(),
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Policy) -> Void = { _ in }
    ) {
        var policies = PolicySet()
        change(&policies.fallback)
        let comparison = Comparison { CoreUnderTest(Arbiter(policies: $0, limits: $1, epoch: $2)) }
        let difference = comparison.replay(steps.map { TimedInput($0.time, $0.input) }, policies, limits)
        #expect(difference == nil, "\(difference?.description ?? "")", sourceLocation: sourceLocation)
    }

    private let dismiss = Input.command(.dismiss(surface: "s", .top, revision: nil), from: Requester())

    private func raise(
        _ key: String, on surface: String = "s", from requester: Requester = Requester(), update: Bool = false,
        _ change: (inout AlertContent) -> Void = { _ in }
    ) -> Input {
        var content = AlertContent()
        change(&content)
        return .command(.raise(Raise(surface: surface, key: key, content: content, update: update)), from: requester)
    }
}
