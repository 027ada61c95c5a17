/// Something that a peer asks of the arbiter and that changes its state. Each one is journaled before it has an effect.
public enum Command: Equatable, Sendable {
    indirect case raise(Raise)
    indirect case update(Update)
    /// By the producer that raised it. `revision` is the newest one that the sender knows.
    case withdraw(surface: String, key: String, revision: UInt32?)
    case dismiss(surface: String, Target, revision: UInt32?)
    case answer(surface: String, Target, revision: UInt32?, Answer)
    /// Ends everything that waits; with `shown` also what is displayed.
    case clear(SurfaceScope, shown: Bool)
    case hold(SurfaceScope)
    case release(SurfaceScope)
    /// Asks where an alert stands, and attaches the sender to it: it hears what follows. The reply is an event.
    case status(surface: String, Target)
    /// Loads one source of a shown alert again.
    case refresh(surface: String, Target, source: String, request: [UInt8])
}

/// A request to show an alert.
public struct Raise: Equatable, Sendable {
    public var surface: String
    public var key: String
    public var content: AlertContent
    /// If the key is in use with other content: replace the content in place instead of being refused.
    public var update: Bool

    public init(surface: String, key: String, content: AlertContent = AlertContent(), update: Bool = false) {
        self.surface = surface
        self.key = key
        self.content = content
        self.update = update
    }
}

/// Changes parts of an alert; what is nil stays as it is. A time that is given starts again.
public struct Update: Equatable, Sendable {
    public var surface: String
    public var key: String
    public var revision: UInt32?
    public var priority: UInt8?
    public var intercept: Bool?
    public var activate: Bool?
    public var ttl: Milliseconds?
    public var display: Milliseconds?
    public var presentation: String?
    /// Replaces all parameters.
    public var params: [UInt8]?

    public init(surface: String, key: String) {
        self.surface = surface
        self.key = key
    }
}

/// Which alert of a surface a command means.
public enum Target: Equatable, Sendable {
    /// The key alone. Refused when more than one producer uses it on that surface.
    case key(String)
    case instance(UInt64)
    /// The top one of what is displayed.
    case top
}

/// What a person answered.
public struct Answer: Equatable, Hashable, Sendable {
    /// A JSON value without white space.
    public var json: [UInt8]
    /// The chosen ids for each source that it names (`"selected":{"regions":[1,2]}`).
    public var chosen: [Choice]

    public struct Choice: Equatable, Hashable, Sendable {
        public var source: String
        public var ids: [[UInt8]]

        public init(source: String, ids: [[UInt8]]) {
            self.source = source
            self.ids = ids
        }
    }

    public init(json: [UInt8], chosen: [Choice] = []) {
        self.json = json
        self.chosen = chosen
    }
}

/// Who sends a command, and what it was granted. Decided before the core.
public struct Requester: Equatable, Sendable {
    /// The connection, so that events find their way back. 0 is nobody.
    public var session: UInt64
    /// The name that the producer claimed or that its key gives it; "" if none.
    public var producer: String
    /// A token of the client's own that makes sending again safe.
    public var once: String?
    /// Whether a `breakthrough` that it asks for is granted.
    public var mayBreakThrough: Bool
    /// The highest priority that it may use; above it counts as this.
    public var topPriority: UInt8
    /// How many alerts it may hold; 0 leaves it to the common limit.
    public var maxAlerts: Int

    public init(
        session: UInt64 = 0, producer: String = "", once: String? = nil, mayBreakThrough: Bool = true,
        topPriority: UInt8 = .max, maxAlerts: Int = 0
    ) {
        self.session = session
        self.producer = producer
        self.once = once
        self.mayBreakThrough = mayBreakThrough
        self.topPriority = topPriority
        self.maxAlerts = maxAlerts
    }
}
