import AlertBusModel

/// Inputs to one surface on a virtual clock, and what is expected to be shown because of them.
public struct Script: Equatable, Sendable {
    public var name: String
    /// The surface that all steps are about.
    public var surface: String
    public var policy: Policy
    public var steps: [ScriptStep]
    /// Nil when the script expects nothing in particular.
    public var expected: [ScriptEvent]?

    public init(
        name: String, surface: String = Script.standardSurface, policy: Policy = Policy(), steps: [ScriptStep],
        expected: [ScriptEvent]? = nil
    ) {
        self.name = name
        self.surface = surface
        self.policy = policy
        self.steps = steps
        self.expected = expected
    }

    /// The surface of a script that names none.
    public static let standardSurface = "screen"
}

/// One step of a script.
public enum ScriptStep: Equatable, Sendable {
    case command(Command, producer: String)
    /// The clock moves on, and what is due meanwhile happens at its own time.
    case wait(Milliseconds)
    /// A provider brings rows for the oldest open request of a source.
    case loaded(source: String, rows: [Row])
    case loadFailed(source: String, message: String)
}

/// Something that a screen was told.
public struct ScriptEvent: Equatable, Sendable {
    /// Since the start of the script.
    public var time: Milliseconds
    /// `show`, `update` or `hide`.
    public var change: String
    public var key: String
    /// Nil where a script expects an event: the reason is not compared.
    public var reason: Reason?

    public init(time: Milliseconds, change: String, key: String, reason: Reason? = nil) {
        self.time = time
        self.change = change
        self.key = key
        self.reason = reason
    }

    /// Whether two events are the same but for the reason.
    public func matches(_ other: ScriptEvent) -> Bool {
        time == other.time && change == other.change && key == other.key
    }
}

/// What is wrong with a script, and where in it.
public struct ScriptFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// A path into the script such as `steps/3/1`, or `byte 17` when the text is not JSON; "" for the whole.
    public var place: String
    public var message: String

    public init(place: String, message: String) {
        self.place = place
        self.message = message
    }

    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
