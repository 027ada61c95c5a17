import AlertBusModel

/// One living alert of the simple model. It exists from acceptance until its end.
package struct SimpleAlert {
    /// Numbered 1, 2, 3… over all surfaces in the order of acceptance, so it is the arrival too.
    package let instance: UInt64
    package let surface: String
    package let key: String
    package let producer: String
    package let acceptedAt: Milliseconds
    package var revision: UInt32 = 1
    package var content: AlertContent
    package var state: PresentationState
    /// Why it is in that state.
    package var reason: Reason

    /// What the sender of the content was granted.
    var topPriority: UInt8
    var mayBreakThrough: Bool

    /// It waits only until its victim may be covered, not for the gap.
    package var urgent = false
    /// Shown, and nothing lies over it.
    package var onTop = false
    var shownAt: Milliseconds = 0
    /// The time on top that was left at `topSince`, or is left while it is not on top.
    var displayLeft: Milliseconds?
    var topSince: Milliseconds = 0
    var expiresAt: Milliseconds?

    /// Who hears its receipts, in the order of attachment.
    var sessions: [UInt64] = []
    /// After a new epoch: until when somebody must have asked for it.
    var graceEnd: Milliseconds?

    /// The loads on their way, and what has come.
    var loads: [SimpleLoad] = []
    var data: [SourceData] = []

    var breaksThrough: Bool { content.breakthrough && mayBreakThrough }
    var waits: Bool { state == .deferred || state == .covered }

    /// The time on top that is left now.
    func displayLeft(at now: Milliseconds) -> Milliseconds? {
        guard let displayLeft else { return nil }
        return onTop ? displayLeft - (now - topSince) : displayLeft
    }

    /// At most eight sessions hear of an alert; the oldest makes room.
    mutating func attach(_ session: UInt64) {
        if session == 0 { return }
        graceEnd = nil
        if sessions.contains(session) { return }
        sessions.append(session)
        if sessions.count > 8 { sessions.removeFirst() }
    }

    mutating func leaveTop(at now: Milliseconds) {
        displayLeft = displayLeft(at: now)
        onTop = false
    }

    mutating func becomeTop(at now: Milliseconds) {
        onTop = true
        topSince = now
    }

    /// Takes new content; its clocks start again now.
    mutating func restartClocks(at now: Milliseconds, ttl: Milliseconds?, display: Milliseconds?) {
        expiresAt = ttl.map { now + $0 }
        displayLeft = display
        topSince = now
    }
}

/// A request to a provider that has not been answered.
struct SimpleLoad {
    let number: UInt64
    let source: Source
    let deadline: Milliseconds
    /// The alert has its place already; only its data is to be renewed.
    var isRefresh = false
}

/// One surface of the simple model.
package struct SimpleSurface {
    package let name: String
    package var policy: Policy
    package var held: Bool
    package var seq: UInt64 = 0
    /// Instances in the order in which they were shown.
    package var stack: [UInt64] = []
    package var gapEnd: Milliseconds?
    var lastRemoval: Milliseconds?
    /// Dismissals in a row.
    package var batch = 0
    /// When the consequences of a change were drawn last.
    var settledAt: Milliseconds = .min
    var isUnsettled = false
}

/// An alert that is over, as far as it is remembered.
struct SimpleOutcome {
    let producer: String
    let receipt: Receipt
}
