/// An alert as a screen needs it.
public struct ShownAlert: Equatable, Hashable, Sendable {
    public var key: String
    public var producer: String
    public var instance: UInt64
    public var revision: UInt32
    /// The priority that counts.
    public var priority: UInt8
    public var presentation: String?
    /// A JSON object; empty when there is none.
    public var params: [UInt8]
    public var data: [SourceData]
    /// The time on screen that is left, measured while nothing lies over it; nil when it has no such limit.
    public var displayLeft: Milliseconds?
    /// When its lifetime passes; nil when it has none.
    public var expiresAt: Milliseconds?

    public init(
        key: String, producer: String = "", instance: UInt64, revision: UInt32, priority: UInt8,
        presentation: String? = nil, params: [UInt8] = [], data: [SourceData] = [],
        displayLeft: Milliseconds? = nil, expiresAt: Milliseconds? = nil
    ) {
        self.key = key
        self.producer = producer
        self.instance = instance
        self.revision = revision
        self.priority = priority
        self.presentation = presentation
        self.params = params
        self.data = data
        self.displayLeft = displayLeft
        self.expiresAt = expiresAt
    }
}

/// One numbered message of a surface's stream. Numbers have no holes within an epoch.
public struct StreamMessage: Equatable, Sendable {
    public enum Change: Equatable, Sendable {
        /// Put it on top.
        case show(ShownAlert)
        /// Change it where it is.
        case update(ShownAlert)
        case hide(key: String, instance: UInt64)
    }

    public var surface: String
    public var epoch: UInt64
    public var seq: UInt64
    public var reason: Reason
    /// More about the reason for people (which source could not be loaded again, and why); "" when there is none.
    public var detail: String
    public var change: Change

    public init(
        surface: String, epoch: UInt64, seq: UInt64, reason: Reason, detail: String = "", change: Change
    ) {
        self.surface = surface
        self.epoch = epoch
        self.seq = seq
        self.reason = reason
        self.detail = detail
        self.change = change
    }
}

/// Everything that is on one surface's screen at a position of its stream.
public struct SurfaceSnapshot: Equatable, Sendable {
    public var surface: String
    public var epoch: UInt64
    public var seq: UInt64
    public var held: Bool
    /// From the bottom to the top.
    public var shown: [ShownAlert]

    public init(surface: String, epoch: UInt64, seq: UInt64, held: Bool = false, shown: [ShownAlert]) {
        self.surface = surface
        self.epoch = epoch
        self.seq = seq
        self.held = held
        self.shown = shown
    }
}

/// A fingerprint of what is shown, so that an observer sees a difference without the whole state.
///
/// FNV-1a, 64 bits, over the text `instance:revision;` of each shown alert from the bottom to the top; 16 hexadecimal digits.
public struct ScreenDigest: Equatable, Sendable {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    public init(of alerts: [ShownAlert]) {
        for alert in alerts { add(instance: alert.instance, revision: alert.revision) }
    }

    public mutating func add(instance: UInt64, revision: UInt32) {
        add("\(instance):\(revision);")
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
    }

    public var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
