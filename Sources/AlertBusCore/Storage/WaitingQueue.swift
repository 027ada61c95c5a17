import AlertBusModel

/// Which of a surface's queues a waiting alert is in. Elections look only at the queues that may take part.
struct WaitingClass: Equatable, Sendable {
    let index: Int

    init(breaksThrough: Bool, isUrgent: Bool) {
        index = (breaksThrough ? 1 : 0) + (isUrgent ? 2 : 0)
    }

    static let count = 4
    static func isBreakthrough(_ index: Int) -> Bool { index & 1 != 0 }
    static func isUrgent(_ index: Int) -> Bool { index & 2 != 0 }
}

/// Waiting alerts by rank: one list per priority in the order of arrival, and a bitmap of the lists that have any.
///
/// A newcomer arrives last, so it is appended. One that comes with an older arrival (it was covered, or its data was on
/// the way) goes into the list's sorted part, so that no insertion searches the list.
struct WaitingQueue: Sendable {
    struct Level: Sendable {
        var head = SlotIndex.none
        var tail = SlotIndex.none
        var count = 0
        var aside: SortedChunks?
    }

    private(set) var levels: [Level] = []
    private var occupied: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private(set) var count = 0

    mutating func insert(_ slot: Int32, level: UInt8, in alerts: inout AlertTable) {
        let level = Int(level)
        while levels.count <= level { levels.append(Level()) }
        let arrival = alerts[slot].instance
        let tail = levels[level].tail
        if tail == SlotIndex.none || alerts[tail].instance < arrival {
            alerts[slot].isAside = false
            alerts[slot].below = tail
            alerts[slot].above = SlotIndex.none
            if tail == SlotIndex.none { levels[level].head = slot } else { alerts[tail].above = slot }
            levels[level].tail = slot
        } else {
            alerts[slot].isAside = true
            if levels[level].aside == nil { levels[level].aside = SortedChunks() }
            levels[level].aside!.insert(slot, arrival: arrival)
        }
        levels[level].count += 1
        count += 1
        mark(level, true)
    }

    mutating func remove(_ slot: Int32, level: UInt8, in alerts: inout AlertTable) {
        let level = Int(level)
        if alerts[slot].isAside {
            levels[level].aside!.remove(arrival: alerts[slot].instance)
            if levels[level].aside!.count == 0 { levels[level].aside = nil }
            alerts[slot].isAside = false
        } else {
            let before = alerts[slot].below
            let after = alerts[slot].above
            if before == SlotIndex.none { levels[level].head = after } else { alerts[before].above = after }
            if after == SlotIndex.none { levels[level].tail = before } else { alerts[after].below = before }
        }
        alerts[slot].above = SlotIndex.none
        alerts[slot].below = SlotIndex.none
        levels[level].count -= 1
        count -= 1
        if levels[level].count == 0 { mark(level, false) }
    }

    /// The best-ranked one: highest level, earliest arrival.
    func best(in alerts: AlertTable) -> Int32? {
        guard let level = highest else { return nil }
        let head = levels[level].head
        guard let aside = levels[level].aside?.first else { return head }
        return head == SlotIndex.none || aside.arrival < alerts[head].instance ? aside.slot : head
    }

    /// The lowest-ranked one: lowest level, latest arrival.
    func worst(in alerts: AlertTable) -> Int32? {
        guard let level = lowest else { return nil }
        let tail = levels[level].tail
        guard let aside = levels[level].aside?.last else { return tail }
        return tail == SlotIndex.none || aside.arrival > alerts[tail].instance ? aside.slot : tail
    }

    /// How many there are at this level and above: all of them have a better rank than a newcomer at this level.
    func count(from level: UInt8) -> Int {
        guard Int(level) < levels.count else { return 0 }
        return levels[Int(level)...].reduce(0) { $0 + $1.count }
    }

    private mutating func mark(_ level: Int, _ isOccupied: Bool) {
        let bit = UInt64(1) << (level & 63)
        withUnsafeMutableBytes(of: &occupied) { raw in
            let words = raw.assumingMemoryBound(to: UInt64.self)
            if isOccupied { words[level >> 6] |= bit } else { words[level >> 6] &= ~bit }
        }
    }

    private var highest: Int? {
        if occupied.3 != 0 { return 255 - occupied.3.leadingZeroBitCount }
        if occupied.2 != 0 { return 191 - occupied.2.leadingZeroBitCount }
        if occupied.1 != 0 { return 127 - occupied.1.leadingZeroBitCount }
        if occupied.0 != 0 { return 63 - occupied.0.leadingZeroBitCount }
        return nil
    }

    private var lowest: Int? {
        if occupied.0 != 0 { return occupied.0.trailingZeroBitCount }
        if occupied.1 != 0 { return 64 + occupied.1.trailingZeroBitCount }
        if occupied.2 != 0 { return 128 + occupied.2.trailingZeroBitCount }
        if occupied.3 != 0 { return 192 + occupied.3.trailingZeroBitCount }
        return nil
    }
}
