import AlertBusModel

/// Small alphabets of inputs for the exhaustive runs, and the rules under which each is tried.
package enum SmallCases {
    package typealias Letter = (wait: Milliseconds, input: Input)

    /// Who is shown, covered, deferred or refused.
    package static var arrivals: [Letter] {
        [
            raise("a", 1), raise("b", 3), raise("c", 2) { $0.intercept = false },
            raise("d", 3) {
                $0.intercept = false
                $0.activate = false
            },
            dismissTop, (100, .tick), (350, .tick),
        ]
    }

    package static var arrivalPolicies: [Policy] {
        [
            policy { _ in },
            policy { $0.covered = .hide },
            policy {
                $0.covered = .hide
                $0.preempt = .higher
                $0.minShow = 100
            },
            policy { $0.slots = 2 },
            policy {
                $0.covered = .hide
                $0.slots = 2
                $0.activationDelay = 0
                $0.capacity = 1
                $0.overflow = .evictLowest
            },
        ]
    }

    /// What the clocks and a held surface do.
    package static var clocks: [Letter] {
        [
            raise("a", 1) { $0.display = 350 }, raise("b", 3) { $0.ttl = 350 },
            raise("c", 2) {
                $0.intercept = false
                $0.breakthrough = true
            },
            dismissTop, (0, .command(.hold(.all), from: Requester())), (0, .command(.release(.all), from: Requester())),
            (350, .tick),
        ]
    }

    package static var clockPolicies: [Policy] { [policy { _ in }, policy { $0.covered = .hide }] }

    private static var dismissTop: Letter {
        (0, .command(.dismiss(surface: "s", .top, revision: nil), from: Requester()))
    }

    private static func raise(
        _ key: String, _ priority: UInt8, _ change: (inout AlertContent) -> Void = { _ in }
    ) -> Letter {
        var content = AlertContent()
        content.priority = priority
        change(&content)
        return (0, .command(.raise(Raise(surface: "s", key: key, content: content)), from: Requester(session: 1)))
    }

    private static func policy(_ change: (inout Policy) -> Void) -> Policy {
        var policy = Policy()
        change(&policy)
        return policy
    }
}
