/// How waiting alerts are ordered. Ties always go by arrival.
public enum Order: String, CaseIterable, Sendable { case priority, arrival }

/// What becomes of an alert that another one covers.
public enum Covered: String, CaseIterable, Sendable {
    /// It stays displayed underneath.
    case stay
    /// It leaves the screen and may come back.
    case hide
}

/// Whether a higher priority covers what is shown although it may be intercepted.
public enum Preempt: String, CaseIterable, Sendable { case never, higher }

/// What happens to a newcomer when the queue of a surface is full.
public enum Overflow: String, CaseIterable, Sendable {
    case refuse
    case evictLowest = "evict_lowest"
}

/// The rules of a surface. Every default is the one of the pop-up manager that the rules come from.
public struct Policy: Equatable, Hashable, Sendable {
    public var order: Order = .priority
    public var covered: Covered = .stay
    public var preempt: Preempt = .never
    /// The gap between the last alert's end and the next one's show. 0 to 3,600,000.
    public var activationDelay: Milliseconds = 350
    /// How many alerts may be shown side by side before a newcomer counts as "busy". 1 to 64.
    public var slots: Int = 1
    /// How many alerts may wait, loading and covered ones included. 1 to 10,000,000.
    public var capacity: Int = 10_000
    public var overflow: Overflow = .refuse
    /// After so many dismissals the waiting alerts end with `batch_limit`. 0 is off.
    public var maxBatch: Int = 0
    /// Once shown, an alert is not covered or replaced before this. 0 to 3,600,000.
    public var minShow: Milliseconds = 0
    /// Do not disturb from the start; `hold` and `release` change it at run time.
    public var hold: Bool = false
    /// The highest priority; anything outside 1 to this counts as 1. 1 to 255.
    public var maxPriority: UInt8 = 3

    public init() {}

    /// The most alerts on one screen when its slots are taken: no person could see more, and a snapshot of the screen has to stay a
    /// message that can be sent. The last sixteenth is for the highest priority.
    package static let mostShown = 1000
    /// From so many alerts on, those on one screen may not hold more bytes than this.
    package static let (manyShown, mostShownBytes) = (64, 4 << 20)

    /// Whether a screen with so much on it takes no more on top.
    package func isFull(_ count: Int, _ bytes: Int, for priority: UInt8) -> Bool {
        count >= (priority >= maxPriority ? Self.mostShown : Self.mostShown - Self.mostShown / 16)
            || (count >= Self.manyShown && bytes >= Self.mostShownBytes)
    }

    /// The priority that counts: anything outside the range is 1, as in the pop-up manager.
    public func effective(_ priority: UInt8) -> UInt8 {
        priority >= 1 && priority <= maxPriority ? priority : 1
    }
}

/// A policy and the surfaces that it is for.
public struct PolicyRule: Equatable, Hashable, Sendable {
    /// A surface path in which a segment may be `*` (any one segment), and the last one `**` (one or more segments).
    public var pattern: PathPattern
    public var policy: Policy

    public init(pattern: PathPattern, policy: Policy) {
        self.pattern = pattern
        self.policy = policy
    }
}

/// A pattern for surface paths: `lobby/*/modal`, `lobby/**`, or `**` for every surface.
///
/// Inside a segment `*` stands for any run of characters: `kiosk-*`.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    private let segments: [[UInt8]]

    /// - Throws: `NameFault` as a surface path would.
    public init(_ text: String) throws(NameFault) {
        try Name.checkPath(text)
        self.text = text
        segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }

    public var description: String { text }

    public static func == (a: PathPattern, b: PathPattern) -> Bool { a.text == b.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    public func matches(_ surface: String) -> Bool {
        let path = surface.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if segment == [UInt8(ascii: "*"), UInt8(ascii: "*")] && index == segments.count - 1 {
                return path.count > index
            }
            guard index < path.count, Self.matches(segment[...], path[index]) else { return false }
        }
        return path.count == segments.count
    }

    /// A star matches greedily and gives back one byte at a time; only the last star needs to be retried.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: Substring.UTF8View) -> Bool {
        let text = Array(text)
        let pattern = Array(pattern)
        var p = 0
        var t = 0
        var star = -1
        var mark = 0
        while t < text.count {
            if p < pattern.count && pattern[p] == UInt8(ascii: "*") {
                star = p
                mark = t
                p += 1
            } else if p < pattern.count && pattern[p] == text[t] {
                p += 1
                t += 1
            } else if star >= 0 {
                p = star + 1
                mark += 1
                t = mark
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// All rules of an arbiter, in order: the first pattern that matches a surface decides.
public struct PolicySet: Equatable, Sendable {
    public var rules: [PolicyRule]
    /// For surfaces that no rule matches.
    public var fallback: Policy

    public init(rules: [PolicyRule] = [], fallback: Policy = Policy()) {
        self.rules = rules
        self.fallback = fallback
    }

    public func policy(for surface: String) -> Policy {
        for rule in rules where rule.pattern.matches(surface) { return rule.policy }
        return fallback
    }
}
