import AlertBusModel

/// Something that a screen has to do, or has to tell the person in front of it.
public enum ScreenEvent: Equatable, Sendable {
    /// Put the alert on top. The reason is nil when a repair found it, not a message of its own.
    case show(surface: String, ShownAlert, Reason?)
    /// Change the alert where it is.
    case update(surface: String, ShownAlert, Reason?)
    /// Take the alert away.
    case hide(surface: String, ShownAlert, Reason?)
    /// Whether what is on the screen can be trusted to be the newest.
    case link(LinkState)

    /// Nil for `link`.
    public var surface: String? {
        switch self {
        case .show(let surface, _, _), .update(let surface, _, _), .hide(let surface, _, _): surface
        case .link: nil
        }
    }
}

/// How a client stands with the arbiter.
public enum LinkState: String, CaseIterable, Equatable, Hashable, Sendable {
    /// What is shown is what the arbiter wants.
    case connected
    /// Nothing was heard for a while, or a repair takes long: what is shown may be old.
    case stale
    /// There is no connection; what is shown stays, and may be old.
    case reconnecting
}

/// Why a state was fetched again.
public enum RepairCause: String, CaseIterable, Equatable, Hashable, Sendable {
    /// A message was missing before one that came.
    case hole
    /// The arbiter said that there had been a later message than the last one that came.
    case lostTail = "lost_tail"
    /// The arbiter started again, or another one took over.
    case newEpoch = "new_epoch"
    /// The arbiter had forgotten this client.
    case lostSession = "lost_session"
    /// The connection was lost and came back.
    case reconnected
    /// The arbiter did not answer pings.
    case silence
    /// The arbiter had dropped the backlog and sent the newest state of its own accord.
    case pushed
    /// The snapshot that was asked for did not come.
    case unanswered
}

/// How often a state was fetched again, by cause. The first snapshot is no repair.
public struct RepairCounts: Equatable, Sendable {
    private var counts = [Int](repeating: 0, count: RepairCause.allCases.count)

    public init() {}

    public internal(set) subscript(_ cause: RepairCause) -> Int {
        get { counts[Self.index(of: cause)] }
        set { counts[Self.index(of: cause)] = newValue }
    }

    public var total: Int { counts.reduce(0, +) }

    private static func index(of cause: RepairCause) -> Int {
        switch cause {
        case .hole: 0
        case .lostTail: 1
        case .newEpoch: 2
        case .lostSession: 3
        case .reconnected: 4
        case .silence: 5
        case .pushed: 6
        case .unanswered: 7
        }
    }
}

/// What is on one surface's screen.
public struct Screen: Equatable, Sendable {
    public var surface: String
    public var epoch: UInt64
    public var seq: UInt64
    /// From the bottom to the top.
    public var shown: [ShownAlert]

    package init(surface: String, epoch: UInt64, seq: UInt64, shown: [ShownAlert]) {
        self.surface = surface
        self.epoch = epoch
        self.seq = seq
        self.shown = shown
    }
}

/// Where the stream of a surface stands; both are 0 for a surface that is not known any more.
package struct ScreenPosition: Equatable, Sendable {
    package var surface: String
    package var epoch: UInt64
    package var seq: UInt64

    package init(surface: String, epoch: UInt64, seq: UInt64) {
        self.surface = surface
        self.epoch = epoch
        self.seq = seq
    }
}
