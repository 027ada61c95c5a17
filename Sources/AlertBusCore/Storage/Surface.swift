import AlertBusModel

/// One surface: what is shown on it, what waits for it, and its clocks. The rules are in the folder `Rules`.
struct Surface: Sendable {
    let path: String
    var policy: Policy
    var isHeld: Bool
    /// The position in its stream, within the epoch.
    var seq: UInt64 = 0

    /// The stack of what is shown, linked through the records: `bottom` … `top`.
    var bottom = SlotIndex.none
    var top = SlotIndex.none
    var shownCount = 0
    /// Bytes of parameters, sources and data of what is shown.
    var shownBytes = 0
    /// The last so many of the stack are on top; the others lie under.
    var onTopCount = 0
    /// The first of those on top.
    var lowestOnTop = SlotIndex.none
    /// What a reload allowed to stay although the new policy has fewer slots.
    var allowance = 0

    var queues: [WaitingQueue] = []
    var loadingCount = 0
    var coveredCount = 0

    /// All its alerts in the order of arrival, linked through the records.
    var firstAlert = SlotIndex.none
    var lastAlert = SlotIndex.none
    var alertCount = 0

    var gapEnd: Milliseconds?
    var lastRemoval: Milliseconds?
    /// When an urgent one may take its place at the earliest.
    var urgentAt: Milliseconds?
    var dismissals = 0

    init(path: String, policy: Policy, isHeld: Bool) {
        self.path = path
        self.policy = policy
        self.isHeld = isHeld
    }

    /// Deferred and covered.
    @inline(__always)
    var waitingCount: Int {
        var count = 0
        for index in queues.indices { count += queues[index].count }
        return count
    }

    @inline(__always)
    var breakthroughCount: Int { queues.isEmpty ? 0 : queues[1].count + queues[3].count }

    /// What counts as waiting for someone who is, or is not, stopped by the hold.
    @inline(__always)
    func waitingCount(breakingThrough: Bool) -> Int { isHeld && breakingThrough ? breakthroughCount : waitingCount }

    /// What may take part in an election now.
    @inline(__always)
    var electableCount: Int { isHeld ? breakthroughCount : waitingCount }

    @inline(__always)
    var hasPlace: Bool { shownCount < policy.slots }

    @inline(__always)
    func level(_ priority: UInt8) -> UInt8 { policy.order == .priority ? priority : 1 }

    /// The earliest of its own clocks.
    @inline(__always)
    var deadline: Milliseconds? {
        switch (gapEnd, urgentAt) {
        case (nil, let b): b
        case (let a, nil): a
        case (let a?, let b?): min(a, b)
        }
    }
}
