import AlertBusModel

/// When which surface's position is repeated on the feed: soon after a change, and in a cycle when quiet.
struct BeatSchedule {
    private var changed: [Int] = []
    private var isChanged: Set<Int> = []
    private var cursor = 0
    private(set) var nextDue: Milliseconds = .max
    private var nextCycle: Milliseconds = .max
    private var surfaceCount = 0
    var afterChange: Milliseconds = 1000
    var cycle: Milliseconds = 30_000

    /// The soonest that the cycle is looked at, so that many surfaces share a wake-up.
    private static let grain: Milliseconds = 100

    mutating func surfaceChanged(_ surface: Int, at now: Milliseconds) {
        guard isChanged.insert(surface).inserted else { return }
        changed.append(surface)
        // Half of what is promised: the other half is for everything that may be late.
        nextDue = min(nextDue, now + afterChange / 2)
    }

    mutating func surfaceAdded(count: Int, at now: Milliseconds) {
        surfaceCount = count
        if nextCycle == .max {
            nextCycle = now + cycle
            nextDue = min(nextDue, nextCycle)
        }
    }

    /// The surfaces whose beat is due.
    mutating func take(at now: Milliseconds) -> [Int] {
        guard now >= nextDue else { return [] }
        var due = changed
        changed.removeAll(keepingCapacity: true)
        isChanged.removeAll(keepingCapacity: true)
        if surfaceCount > 0 && now >= nextCycle {
            // Everyone once in a cycle, evenly: as many now as there are in one interval.
            let interval = max(Self.grain, cycle / 2 / Milliseconds(surfaceCount))
            let share = max(1, Int(Milliseconds(surfaceCount) * interval * 2 / cycle))
            for _ in 0..<min(share, surfaceCount) {
                cursor = (cursor + 1) % surfaceCount
                if !due.contains(cursor) { due.append(cursor) }
            }
            nextCycle = now + interval
        }
        nextDue = surfaceCount > 0 ? nextCycle : .max
        return due
    }
}
