import AlertBusModel
import AlertBusWire

/// What a run brought.
package struct MixReport: Sendable {
    package let seed: UInt64
    package internal(set) var simulated: Milliseconds = 0
    /// Messages that peers sent.
    package internal(set) var messages = 0
    /// Inputs of the core, as the journal has them.
    package internal(set) var inputs: UInt64 = 0
    package internal(set) var checks = 0
    /// Comparisons of a screen with what it should show.
    package internal(set) var screensCompared = 0
    package internal(set) var restarts = 0
    package internal(set) var reloads = 0
    package internal(set) var repairs = 0
    package internal(set) var mostAlerts = 0
    /// Snapshots whose digest was that of the replayed state.
    package internal(set) var snapshotsCompared = 0
    /// Of the state at the end, which the replay of the whole journal has too.
    package internal(set) var digest: String?
    /// How often each was given, by the core.
    package internal(set) var reasons: [Reason: Int] = [:]
    package internal(set) var limitsMet: [String] = []
    package internal(set) var memory = MemorySamples()
    /// What the service counted, over all its starts.
    package private(set) var counters: [String: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    mutating func add(_ counter: CountersReport.Counter) { counters[counter.name, default: 0] += counter.value }

    /// Reasons that the mix is made to bring about and did not.
    package var missingReasons: [Reason] {
        Reason.allCases.filter { !Self.beyond.contains($0) && reasons[$0] == nil }
    }

    /// Given before the core, or never over this transport.
    private static let beyond: Set<Reason> = [.superseded, .notAllowed, .malformed, .unsupported, .notLeader, .released]

    package var limitsNotMet: [String] { HostilePeer.limits.filter { !limitsMet.contains($0) } }
}
