import AlertBusConfiguration
import AlertBusModel

/// Surfaces, rules and limits in which everything meets everything.
enum World {
    static let surfaces: [String] =
        ["lobby/1", "lobby/2", "lobby/3"].flatMap { ["\($0)/modal", "\($0)/banner"] }
        + (1...6).map { "desk/\($0)" } + (1...4).map { "hall/\($0)" } + ["quiet/1", "quiet/2"]
    static let sources = ["regions", "departments", "houses"]

    /// What a producer that behaves never reaches.
    static let rate = 80
    static let burst = 160
    static let alertsPerProducer = 400
    static let messageBytes = 16 << 10

    /// - Parameter edition: the rules are loaded again in another edition now and then.
    static func configuration(directory: String, edition: Int) throws -> Configuration {
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress("ipc://\(directory)/requests")
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = .file(path: directory + "/journal")
        configuration.policies = try policies(edition)
        configuration.limits.surfaces = 32
        configuration.limits.alertsPerProducer = alertsPerProducer
        configuration.limits.alerts = 3000
        configuration.limits.bytes = 4 << 20
        configuration.limits.sources = 4
        configuration.limits.rows = 50
        configuration.limits.memory = 5000
        configuration.limits.ownerGrace = 4000
        configuration.peerLimits.messageBytes = messageBytes
        configuration.peerLimits.ratePerSecond = rate
        configuration.peerLimits.burst = burst
        configuration.peerLimits.subscriptionsPerSession = 16
        configuration.peerLimits.providedNamesPerSession = 4
        configuration.peerLimits.snapshotRequestsPerSecond = 20
        configuration.peerLimits.subscriberBacklogBytes = 64 << 10
        configuration.peerLimits.producerBacklogBytes = 64 << 10
        // Everything stays, so that the whole run can be replayed.
        configuration.journal.maxBytes = 0
        configuration.journal.maxAgeDays = 0
        configuration.journal.snapshotEvery = 20_000
        return configuration
    }

    private static func policies(_ edition: Int) throws -> PolicySet {
        func rule(_ pattern: String, _ change: (inout Policy) -> Void) throws -> PolicyRule {
            var policy = Policy()
            change(&policy)
            return PolicyRule(pattern: try PathPattern(pattern), policy: policy)
        }
        return PolicySet(rules: [
            try rule("lobby/*/modal") {
                $0.covered = .hide
                $0.preempt = .higher
                $0.capacity = 200
            },
            try rule("lobby/*/banner") {
                $0.slots = 3
                $0.activationDelay = edition % 2 == 0 ? 0 : 100
                $0.maxPriority = edition % 3 == 2 ? 9 : 3
            },
            try rule("desk/*") {
                $0.order = edition % 2 == 0 ? .arrival : .priority
                $0.capacity = 60
                $0.overflow = .evictLowest
                $0.maxBatch = 25
            },
            try rule("hall/*") {
                $0.minShow = 500
                $0.preempt = .higher
                $0.covered = edition % 2 == 0 ? .stay : .hide
                $0.capacity = 50
            },
            try rule("quiet/*") {
                $0.hold = true
                $0.capacity = 40
                $0.overflow = .evictLowest
            },
        ])
    }
}
