/// Where an alert is in its life.
public enum PresentationState: String, CaseIterable, Equatable, Hashable, Sendable {
    /// Its data is on the way. Can go to: deferred, shown, ended.
    case loading
    /// It waits for its turn. Can go to: shown, ended.
    case deferred
    /// It is on the screen, on top or lying under another one. Can go to: covered, ended.
    case shown
    /// It was shown, was hidden by another one, and may resume. Can go to: shown, ended.
    case covered
    /// It is over, for a reason, exactly once.
    case ended
}

/// What the sender of a command hears at once.
public enum Reply: Equatable, Hashable, Sendable {
    case accepted(Accepted)
    case refused(Refusal)
    case done(Done)
    /// Where an alert stands: the reply to `status`.
    case event(Receipt)
}

/// The alert is journaled and will have an outcome.
public struct Accepted: Equatable, Hashable, Sendable {
    public var surface: String
    public var key: String
    public var instance: UInt64
    public var revision: UInt32
    public var state: PresentationState
    /// For a waiting alert: 1 is next. 0 otherwise.
    public var position: Int

    public init(
        surface: String, key: String, instance: UInt64, revision: UInt32, state: PresentationState, position: Int
    ) {
        self.surface = surface
        self.key = key
        self.instance = instance
        self.revision = revision
        self.state = state
        self.position = position
    }
}

/// The command changed nothing.
public struct Refusal: Error, Equatable, Hashable, Sendable {
    public var reason: Reason
    /// What happened and what to do.
    public var message: String
    /// Try again after this; 0 when it would not help.
    public var retryAfter: Milliseconds
    /// The alerts that an ambiguous key could mean.
    public var instances: [UInt64]

    public init(_ reason: Reason, _ message: String, retryAfter: Milliseconds = 0, instances: [UInt64] = []) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
        self.instances = instances
    }
}

/// The command was carried out.
public struct Done: Equatable, Hashable, Sendable {
    /// The alert that it was about, 0 when it was about none or many.
    public var instance: UInt64
    public var revision: UInt32
    /// How many alerts ended by it, or how many surfaces it touched.
    public var count: Int

    public init(instance: UInt64 = 0, revision: UInt32 = 0, count: Int = 0) {
        self.instance = instance
        self.revision = revision
        self.count = count
    }
}

/// One rung of the receipt ladder: something that happened to an alert after it was accepted.
public struct Receipt: Equatable, Hashable, Sendable {
    public enum Event: String, CaseIterable, Equatable, Hashable, Sendable {
        case loading, deferred, shown, covered, resumed, ended
    }

    public var surface: String
    public var key: String
    public var instance: UInt64
    public var revision: UInt32
    public var event: Event
    public var reason: Reason
    /// What the person answered: JSON; empty when there is none.
    public var answer: [UInt8]
    /// More about the reason for people (which source failed, and why); "" when there is none.
    public var detail: String

    public init(
        surface: String, key: String, instance: UInt64, revision: UInt32, event: Event, reason: Reason,
        answer: [UInt8] = [], detail: String = ""
    ) {
        self.surface = surface
        self.key = key
        self.instance = instance
        self.revision = revision
        self.event = event
        self.reason = reason
        self.answer = answer
        self.detail = detail
    }
}
