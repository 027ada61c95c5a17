/// What a producer says about an alert: everything but its name.
///
/// Two raises of one key are the same alert when their contents are equal.
public struct AlertContent: Equatable, Hashable, Sendable {
    /// 1 (low) to the policy's `max_priority`; anything else counts as 1.
    public var priority: UInt8 = 1
    /// If the screen is busy, this alert may be intercepted: it waits, or is refused.
    public var intercept = true
    /// If intercepted or covered, it is kept and shown later; otherwise it is refused, or ends `displaced`.
    public var activate = true
    /// It asks to be shown on a held surface. Whether it may is decided before the core.
    public var breakthrough = false
    /// It ends `owner_lost` when the last connection that raised it dies.
    public var closesOnOwnerLoss = false
    /// Valid since acceptance for so long.
    public var ttl: Milliseconds?
    /// Time on screen with nothing over it.
    public var display: Milliseconds?
    /// Overrides the policy's `min_show_ms`.
    public var minShow: Milliseconds?
    /// A hint for the user interface: `modal`, `banner`, `sheet`, `over_full_screen`.
    public var presentation: String?
    /// A JSON object without white space between tokens; empty when there is none. Opaque to the core.
    public var params: [UInt8] = []
    /// How long all sources together may take; nil leaves it to each one's own limit.
    public var loadTimeout: Milliseconds?
    /// The data that must arrive before the alert takes its place.
    public var sources: [Source] = []

    public init() {}
}

/// One list that an alert needs before it can be shown.
public struct Source: Equatable, Hashable, Sendable {
    /// The name that providers registered, unique within the alert.
    public var name: String
    /// What the provider is asked: any JSON value without white space; empty when there is none.
    public var request: [UInt8]
    /// The ids that were selected before, each a JSON number or string as it is written on the wire.
    public var selected: [[UInt8]]
    /// How long the provider may take.
    public var timeout: Milliseconds
    /// The alert may be shown without it.
    public var isOptional: Bool

    /// How long a provider may take when the raise does not say.
    public static let defaultTimeout: Milliseconds = 10_000

    public init(
        name: String, request: [UInt8] = [], selected: [[UInt8]] = [],
        timeout: Milliseconds = Source.defaultTimeout, isOptional: Bool = false
    ) {
        self.name = name
        self.request = request
        self.selected = selected
        self.timeout = timeout
        self.isOptional = isOptional
    }
}

/// One row that a provider offers.
public struct Row: Equatable, Hashable, Sendable {
    /// A JSON number or string, as it is written on the wire.
    public var id: [UInt8]
    /// The whole row, a JSON object without white space, `id` included.
    public var json: [UInt8]

    public init(id: [UInt8], json: [UInt8]) {
        self.id = id
        self.json = json
    }
}

/// What one source brought, with the selection marked.
public struct SourceData: Equatable, Hashable, Sendable {
    public var name: String
    public var rows: [Row]
    /// The ids among the rows that are selected, in the order of the rows.
    public var selected: [[UInt8]]

    public init(name: String, rows: [Row], selected: [[UInt8]]) {
        self.name = name
        self.rows = rows
        self.selected = selected
    }
}
