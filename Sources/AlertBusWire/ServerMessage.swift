import AlertBusModel

/// One message that the arbiter sends.
///
/// A `ref` is the JSON string or integer of the request as it was written; empty when there was none.
public enum ServerMessage: Equatable, Sendable {
    /// `accepted`, `refused`, `done`, or the `event` that answers `status`. `watchers` comes with `accepted` only.
    case reply(ref: [UInt8], Reply, watchers: Int?)
    /// A rung of the receipt ladder that nobody asked for just now.
    case event(Receipt)
    /// `show`, `update` or `hide`.
    case stream(StreamMessage)
    case snapshot(SnapshotPart)
    case alerts(AlertsPart)
    case subscribers(SubscribersPart)
    case counters(CountersReport)
    case beat(Beat)
    case pong(Pong)
    case load(LoadRequest)
    /// The arbiter no longer wants what it asked for.
    case unload(load: UInt64)
    case explanation(ref: [UInt8], Explanation)
    /// An `op` that this version does not know. A client ignores it.
    case unknown(op: String)
}

/// A part of the state of a scope. The parts up to the one with `last` are one snapshot.
public struct SnapshotPart: Equatable, Sendable {
    /// Empty when nobody asked for it: the subscription fell behind and begins again here.
    public var ref: [UInt8]
    /// What the whole snapshot covers.
    public var scope: SurfaceScope
    public var epoch: UInt64
    /// All of `epoch`.
    public var surfaces: [SurfaceSnapshot]
    public var last: Bool

    public init(
        ref: [UInt8] = [], scope: SurfaceScope, epoch: UInt64, surfaces: [SurfaceSnapshot], last: Bool = true
    ) {
        self.ref = ref
        self.scope = scope
        self.epoch = epoch
        self.surfaces = surfaces
        self.last = last
    }
}

/// What the arbiter has counted since its start, and what it holds now: the reply to `list` with `counters`.
public struct CountersReport: Equatable, Sendable {
    public struct Counter: Equatable, Sendable {
        public var name: String
        public var value: UInt64

        public init(_ name: String, _ value: UInt64) {
            self.name = name
            self.value = value
        }
    }

    public var ref: [UInt8]
    /// In the order of the page "The protocol". A newer arbiter may know more.
    public var counters: [Counter]

    public init(ref: [UInt8] = [], counters: [Counter]) {
        self.ref = ref
        self.counters = counters
    }

    public subscript(name: String) -> UInt64? { counters.first { $0.name == name }?.value }
}

/// A part of the reply to `list`.
public struct AlertsPart: Equatable, Sendable {
    public var ref: [UInt8]
    public var alerts: [AlertSummary]
    public var last: Bool

    public init(ref: [UInt8] = [], alerts: [AlertSummary], last: Bool = true) {
        self.ref = ref
        self.alerts = alerts
        self.last = last
    }
}

/// A part of the reply to `list` with `subscribers`.
public struct SubscribersPart: Equatable, Sendable {
    public var ref: [UInt8]
    public var subscribers: [SubscriberSummary]
    public var last: Bool

    public init(ref: [UInt8] = [], subscribers: [SubscriberSummary], last: Bool = true) {
        self.ref = ref
        self.subscribers = subscribers
        self.last = last
    }
}

/// One subscriber as an operator sees it.
public struct SubscriberSummary: Equatable, Sendable {
    public var session: UInt64
    /// Who it is by its key; "" without keys.
    public var identity: String
    public var scopes: [SurfaceScope]
    /// Time since it was last heard.
    public var silence: Milliseconds
    /// Bytes that wait for it.
    public var backlog: Int
    /// How often its backlog was dropped for a snapshot.
    public var resyncs: UInt64
    /// From sending to the confirmation that it was drawn, over all its screens; nil before the first confirmation.
    public var toScreen: TimeToScreen?
    public var screens: [Screen]

    /// Percentiles; no value was above them by more than 6 %.
    public struct TimeToScreen: Equatable, Sendable {
        public var p50: Milliseconds
        public var p99: Milliseconds

        public init(p50: Milliseconds, p99: Milliseconds) {
            self.p50 = p50
            self.p99 = p99
        }
    }

    /// How far a subscriber is with one surface.
    public struct Screen: Equatable, Sendable {
        public var surface: String
        /// The last position that it was sent.
        public var sent: UInt64
        /// The last position that it said it has drawn; nil when it never said so.
        public var drawn: UInt64?
        /// For how long something sent has not been drawn; 0 when everything is.
        public var behind: Milliseconds
        /// What the last confirmation took; nil before the first one.
        public var toScreen: Milliseconds?

        public init(
            surface: String, sent: UInt64, drawn: UInt64?, behind: Milliseconds = 0, toScreen: Milliseconds? = nil
        ) {
            self.surface = surface
            self.sent = sent
            self.drawn = drawn
            self.behind = behind
            self.toScreen = toScreen
        }
    }

    public init(
        session: UInt64, identity: String = "", scopes: [SurfaceScope], silence: Milliseconds = 0, backlog: Int = 0,
        resyncs: UInt64 = 0, toScreen: TimeToScreen? = nil, screens: [Screen] = []
    ) {
        self.session = session
        self.identity = identity
        self.scopes = scopes
        self.silence = silence
        self.backlog = backlog
        self.resyncs = resyncs
        self.toScreen = toScreen
        self.screens = screens
    }
}

/// On the feed: where a stream stands and what should be on the screen.
public struct Beat: Equatable, Sendable {
    public var surface: String
    public var epoch: UInt64
    public var seq: UInt64
    /// A `ScreenDigest`.
    public var digest: String

    public init(surface: String, epoch: UInt64, seq: UInt64, digest: String) {
        self.surface = surface
        self.epoch = epoch
        self.seq = seq
        self.digest = digest
    }
}

/// The reply to `ping`.
public struct Pong: Equatable, Sendable {
    public var ref: [UInt8]
    public var epoch: UInt64
    /// Differs from the last one when the arbiter has forgotten this client and its subscriptions.
    public var session: UInt64
    /// The positions of the streams that this session has subscribed to.
    public var surfaces: [Position]

    public struct Position: Equatable, Sendable {
        public var surface: String
        public var seq: UInt64

        public init(surface: String, seq: UInt64) {
            self.surface = surface
            self.seq = seq
        }
    }

    public init(ref: [UInt8] = [], epoch: UInt64, session: UInt64, surfaces: [Position] = []) {
        self.ref = ref
        self.epoch = epoch
        self.session = session
        self.surfaces = surfaces
    }
}

/// What a provider is asked for.
public struct LoadRequest: Equatable, Sendable {
    public var load: UInt64
    /// The name that the provider registered.
    public var name: String
    /// Any JSON value without white space; empty when there is none.
    public var request: [UInt8]
    /// How long the answer is awaited.
    public var timeout: Milliseconds

    public init(load: UInt64, name: String, request: [UInt8] = [], timeout: Milliseconds) {
        self.load = load
        self.name = name
        self.request = request
        self.timeout = timeout
    }
}
