import AlertBusModel

/// What a swarm does: which alerts it raises, how it goes on with them, what its screens and people are like. Read from a file.
package struct SwarmProfile: Equatable, Sendable {
    /// When messages are due.
    package enum Shape: String, CaseIterable, Sendable {
        /// At equal distances.
        case steady
        /// So many at one time, then none for as long as that takes at the rate.
        case bursts
    }

    /// Which surfaces one subscriber follows.
    package enum Scope: String, CaseIterable, Sendable {
        /// A share of them, one if there are enough subscribers: a screen.
        case share
        /// All: a wallboard.
        case all
    }

    /// `[load]`
    package struct Load: Equatable, Sendable {
        package var title = ""
        package var shape = Shape.steady
        package var burst = 100
        package var raise = 50
        package var update = 0
        package var withdraw = 50
        /// Of one producer; 0 is without bound.
        package var alive = 8
    }

    /// `[[alert]]`: one kind among those that are raised.
    package struct Kind: Equatable, Sendable {
        package var weight = 1
        package var priority: UInt8 = 1
        package var intercept = true
        package var activate = true
        package var ttl: Milliseconds = 10_000
        /// 0 is without limit.
        package var display: Milliseconds = 0
        /// 0 leaves it to the policy.
        package var minShow: Milliseconds = 0
        /// Of the whole raise, filled up in `params`.
        package var bytes = 250
    }

    /// `[people]`
    package struct People: Equatable, Sendable {
        /// Of a hundred alerts that are shown.
        package var answer = 0
        package var dismiss = 0
        package var think: Milliseconds = 500
    }

    /// `[subscribers]`
    package struct Subscribers: Equatable, Sendable {
        package var scope = Scope.share
        /// Of a hundred subscribers.
        package var slow = 0
        /// Messages a second that a slow one reads.
        package var slowRate = 100
    }

    /// `[churn]`; 0 is never.
    package struct Churn: Equatable, Sendable {
        package var producer: Milliseconds = 0
        package var subscriber: Milliseconds = 0
    }

    package var load = Load()
    /// Never empty.
    package var kinds = [Kind()]
    package var people = People()
    package var subscribers = Subscribers()
    package var churn = Churn()
    /// The rules of the surfaces: what an arbiter that the swarm starts is told, and what the checks go by.
    package var policy = SwarmProfile.quick

    package init() {}

    /// What a swarm does when nobody says anything else; the same as `Config/swarm/steady.toml`.
    package static let standard: SwarmProfile = {
        var profile = SwarmProfile()
        profile.load.title = "steady"
        profile.load.raise = 45
        profile.load.update = 10
        profile.load.withdraw = 45
        profile.kinds = [(60, 1, true), (30, 2, true), (10, 3, false)].map { weight, priority, intercept in
            var kind = Kind()
            kind.weight = weight
            kind.priority = UInt8(priority)
            kind.intercept = intercept
            kind.display = 20
            return kind
        }
        return profile
    }()

    /// The default rules, but without the gap: a load test wants to see what the arbiter takes, not how long it waits.
    private static let quick: Policy = {
        var policy = Policy()
        policy.activationDelay = 0
        return policy
    }()

    /// The longest that an alert may live.
    package var longestLife: Milliseconds { kinds.map(\.ttl).max() ?? 0 }
}
