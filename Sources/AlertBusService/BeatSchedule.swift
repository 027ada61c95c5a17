import AlertBusModel

/// When which surface's position is repeated on the feed: soon after a change, and in a cycle when quiet.
package struct BeatSchedule {
    private var changed: [Int] = []
    /// For each surface whether it is among them.
    private var isChanged: [Bool] = []
    /// The surface whose turn in the cycle is next.
    private var cursor = 0
    package private(set) var nextDue: Milliseconds = .max
    private var changeDue: Milliseconds = .max
    private var cycleDue: Milliseconds = .max
    private var surfaceCount = 0
    /// A change is repeated within this time.
    package var afterChange: Milliseconds = 1000
    /// Every surface is repeated within this time.
    package var cycle: Milliseconds = 30_000

    /// The soonest that the cycle is looked at, so that many surfaces share a wake-up.
    private static let grain: Milliseconds = 100

    /// Changed surfaces that are repeated at once: a tenth of all, so that ten rounds are enough.
    private var most: Int { max(2000, surfaceCount / 10) }

    package init() {}

    /// Half of what is promised is planned: the other half is for everything that may be late.
    private var lap: Milliseconds { max(1, cycle / 2) }

    /// Between two looks at the cycle: one surface's share of a lap, but not less than what many of them share.
    private var interval: Milliseconds { max(min(Self.grain, lap), lap / Milliseconds(max(1, surfaceCount))) }

    package mutating func surfaceChanged(_ surface: Int, at now: Milliseconds) {
        while isChanged.count <= surface { isChanged.append(false) }
        if isChanged[surface] { return }
        isChanged[surface] = true
        changed.append(surface)
        changeDue = min(changeDue, now + afterChange / 2)
        nextDue = min(nextDue, changeDue)
    }

    /// - Parameter count: how many there are now, numbered from 0.
    package mutating func surfaceAdded(count: Int, at now: Milliseconds) {
        surfaceCount = count
        // With more of them the looks come closer together.
        cycleDue = min(cycleDue, now + interval)
        nextDue = min(nextDue, cycleDue)
    }

    /// The surfaces whose beat is due.
    package mutating func take(at now: Milliseconds) -> [Int] {
        guard now >= nextDue else { return [] }
        var due: [Int] = []
        if now >= changeDue {
            // When very many changed at once they share the time that is left, so that none makes the others wait.
            due = Array(changed.prefix(most))
            changed.removeFirst(due.count)
            for surface in due { isChanged[surface] = false }
            changeDue = changed.isEmpty ? .max : now + 10
        }
        if now >= cycleDue {
            // As many as there are in one interval, rounded up, and those of a look that came late.
            let late = now - cycleDue + interval
            let share = (Milliseconds(surfaceCount) * min(late, lap) + lap - 1) / lap
            for _ in 0..<min(Int(share), surfaceCount) {
                due.append(cursor)
                cursor = (cursor + 1) % surfaceCount
            }
            cycleDue = now + interval
        }
        nextDue = min(changeDue, cycleDue)
        return due
    }
}
