import AlertBusModel

/// Whether a surface's elections came out as the rules say, as far as its stream alone can tell.
///
/// Instances are numbered in the order of arrival. When an alert that waited is shown, whoever was elected before it and had arrived
/// after it must have had a higher priority: it waited already then, and a better one is not passed over.
package struct ElectionOrder: Sendable {
    package struct Candidate: Equatable, Sendable {
        package var instance: UInt64
        package var priority: UInt8

        package init(instance: UInt64, priority: UInt8) {
            self.instance = instance
            self.priority = priority
        }
    }

    private let byPriority: Bool
    private let isPreempting: Bool
    /// With a shortest time on screen urgent alerts wait outside of elections.
    private let isDecidable: Bool
    /// The latest arrival elected so far, for each priority.
    private var latest: [UInt64]
    /// The latest arrival that was shown although it may be intercepted, so that nothing can have waited.
    private var latestAtOnce: UInt64 = 0
    /// How many were elected, and the last ones of them.
    package private(set) var count: UInt64 = 0
    private var recent: [Candidate] = []
    private static let memory = 64

    package init(_ policy: Policy, isDecidable: Bool = true) {
        byPriority = policy.order == .priority
        isPreempting = policy.preempt == .higher
        self.isDecidable = isDecidable && policy.minShow == 0 && !policy.hold
        latest = [UInt64](repeating: 0, count: 256)
    }

    /// Forgets what was before: a part of the stream was not seen.
    package mutating func restart() {
        for priority in latest.indices { latest[priority] = 0 }
        latestAtOnce = 0
        recent = []
        count += 1
    }

    /// An alert that may be intercepted was shown on arrival.
    package mutating func shownAtOnce(_ alert: Candidate) {
        if !isPreempting { latestAtOnce = max(latestAtOnce, alert.instance) }
    }

    /// An alert that had waited since its arrival was shown.
    /// - Returns: the instance of one that was shown before and should not have been; nil when the order is right.
    package mutating func elected(_ alert: Candidate) -> UInt64? {
        defer { note(alert) }
        guard isDecidable else { return nil }
        if latestAtOnce > alert.instance { return latestAtOnce }
        let others = byPriority ? latest[...Int(alert.priority)] : latest[...]
        return others.max().flatMap { $0 > alert.instance ? $0 : nil }
    }

    /// An alert that had been covered was shown again.
    /// - Parameter since: `count` when it was covered.
    package mutating func resumed(_ alert: Candidate, since: UInt64) -> UInt64? {
        defer { note(alert) }
        guard isDecidable, since <= count else { return nil }
        let missed = recent.suffix(Int(min(count - since, UInt64(recent.count))))
        return missed.first { isBetter(alert, than: $0) }?.instance
    }

    private func isBetter(_ a: Candidate, than b: Candidate) -> Bool {
        if byPriority && a.priority != b.priority { return a.priority > b.priority }
        return a.instance < b.instance
    }

    private mutating func note(_ alert: Candidate) {
        latest[Int(alert.priority)] = max(latest[Int(alert.priority)], alert.instance)
        count += 1
        recent.append(alert)
        if recent.count > 2 * Self.memory { recent.removeFirst(Self.memory) }
    }
}
