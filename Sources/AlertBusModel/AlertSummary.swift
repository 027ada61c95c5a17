/// One alert as an operator sees it in a list.
public struct AlertSummary: Equatable, Sendable {
    public var surface: String
    public var key: String
    public var producer: String
    public var instance: UInt64
    public var revision: UInt32
    public var priority: UInt8
    public var state: PresentationState
    /// For a waiting alert: 1 is next. 0 otherwise.
    public var position: Int
    public var acceptedAt: Milliseconds
    public var expiresAt: Milliseconds?

    public init(
        surface: String, key: String, producer: String, instance: UInt64, revision: UInt32, priority: UInt8,
        state: PresentationState, position: Int, acceptedAt: Milliseconds, expiresAt: Milliseconds?
    ) {
        self.surface = surface
        self.key = key
        self.producer = producer
        self.instance = instance
        self.revision = revision
        self.priority = priority
        self.state = state
        self.position = position
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
    }
}

extension [AlertSummary] {
    /// A list in parts may tell an alert that changed meanwhile twice: the later one counts.
    package func newestOfEach() -> [AlertSummary] {
        var seen = Set<UInt64>()
        return reversed().filter { seen.insert($0.instance).inserted }.reversed()
    }
}

/// The answer to `why`: the comparison that decided, in words that the rules use.
public struct Explanation: Equatable, Sendable {
    public var surface: String
    public var key: String
    public var instance: UInt64
    public var state: PresentationState
    /// The rule that holds it where it is: `shown`, `busy`, `order`, `gap`, `held`, `min_show`, `loading`, `lies_under`, `covered`.
    public var rule: String
    /// The alert that is above it, 0 when there is none.
    public var above: UInt64
    public var aboveKey: String
    /// Until when that stays so if nothing else happens; nil when no clock ends it.
    public var until: Milliseconds?
    /// One sentence for people.
    public var message: String

    public init(
        surface: String, key: String, instance: UInt64, state: PresentationState, rule: String, above: UInt64 = 0,
        aboveKey: String = "", until: Milliseconds? = nil, message: String
    ) {
        self.surface = surface
        self.key = key
        self.instance = instance
        self.state = state
        self.rule = rule
        self.above = above
        self.aboveKey = aboveKey
        self.until = until
        self.message = message
    }
}
