import AlertBusModel

extension Arbiter {
    /// - Throws: `over_limit` when there are too many.
    mutating func addSurface(_ path: String) throws(Refusal) -> Int32 {
        if surfaces.count >= limits.surfaces {
            throw Refusal(
                .overLimit,
                "There are \(limits.surfaces) surfaces, the limit (surfaces). Use an existing one, or raise the limit and reload the configuration."
            )
        }
        let id = surfaceNames.use(path)
        let policy = policies.policy(for: path)
        surfaces.append(Surface(path: path, policy: policy, isHeld: isHeld(path, policy)))
        return id
    }

    /// A refused raise leaves no surface behind.
    mutating func removeNewestSurface() {
        surfaceNames.release(Int32(surfaces.count - 1))
        surfaces.removeLast()
    }

    /// The surfaces in a scope, by creation.
    func surfaces(in scope: SurfaceScope) -> [Int32] {
        if !scope.isPrefix { return surfaceNames.find(scope.text).map { [$0] } ?? [] }
        return (0..<Int32(surfaces.count)).filter { scope.contains(surfaces[$0].path) }
    }

    mutating func link(_ slot: Int32, onSurface id: Int32) {
        let last = surfaces[id].lastAlert
        alerts[slot].previousOnSurface = last
        if last == SlotIndex.none { surfaces[id].firstAlert = slot } else { alerts[last].nextOnSurface = slot }
        surfaces[id].lastAlert = slot
        surfaces[id].alertCount += 1
    }

    mutating func unlink(_ slot: Int32, fromSurface id: Int32) {
        let before = alerts[slot].previousOnSurface
        let after = alerts[slot].nextOnSurface
        if before == SlotIndex.none { surfaces[id].firstAlert = after } else { alerts[before].nextOnSurface = after }
        if after == SlotIndex.none { surfaces[id].lastAlert = before } else { alerts[after].previousOnSurface = before }
        surfaces[id].alertCount -= 1
    }

    /// All alerts of a surface in the order of arrival.
    func alerts(on id: Int32) -> [Int32] {
        var slots: [Int32] = []
        slots.reserveCapacity(surfaces[id].alertCount)
        var slot = surfaces[id].firstAlert
        while slot != SlotIndex.none {
            slots.append(slot)
            slot = alerts[slot].nextOnSurface
        }
        return slots
    }

    /// What is shown, from the bottom to the top.
    func stack(on id: Int32) -> [Int32] {
        var slots: [Int32] = []
        var slot = surfaces[id].bottom
        while slot != SlotIndex.none {
            slots.append(slot)
            slot = alerts[slot].above
        }
        return slots
    }
}

// MARK: Waiting

extension Arbiter {
    mutating func enqueue(_ slot: Int32, _ state: PresentationState, _ reason: Reason, urgently: Bool) {
        let id = alerts[slot].surface
        alerts[slot].state = state
        alerts[slot].reason = reason
        alerts[slot].isUrgent = urgently
        if surfaces[id].queues.isEmpty {
            surfaces[id].queues = [WaitingQueue](repeating: WaitingQueue(), count: WaitingClass.count)
        }
        let queue = WaitingClass(breaksThrough: alerts[slot].breaksThrough, isUrgent: urgently).index
        surfaces[id].queues[queue].insert(slot, level: surfaces[id].level(alerts[slot].priority), in: &alerts)
        if state == .covered { surfaces[id].coveredCount += 1 }
    }

    mutating func dequeue(_ slot: Int32) {
        let id = alerts[slot].surface
        let queue = WaitingClass(breaksThrough: alerts[slot].breaksThrough, isUrgent: alerts[slot].isUrgent).index
        surfaces[id].queues[queue].remove(slot, level: surfaces[id].level(alerts[slot].priority), in: &alerts)
        if alerts[slot].state == .covered { surfaces[id].coveredCount -= 1 }
    }

    /// Which of two alerts of one surface has the better rank.
    @inline(__always)
    func isBetter(_ a: Int32, than b: Int32) -> Bool {
        let levelA = surfaces[alerts[a].surface].level(alerts[a].priority)
        let levelB = surfaces[alerts[b].surface].level(alerts[b].priority)
        return levelA > levelB || (levelA == levelB && alerts[a].instance < alerts[b].instance)
    }

    /// The best-ranked one that may take part now.
    @inline(__always)
    func bestWaiting(on id: Int32, urgentOnly: Bool = false) -> Int32? {
        var best: Int32?
        for index in surfaces[id].queues.indices {
            if urgentOnly && !WaitingClass.isUrgent(index) { continue }
            if surfaces[id].isHeld && !WaitingClass.isBreakthrough(index) { continue }
            guard let candidate = surfaces[id].queues[index].best(in: alerts) else { continue }
            if let current = best, !isBetter(candidate, than: current) { continue }
            best = candidate
        }
        return best
    }

    @inline(__always)
    func lowestWaiting(on id: Int32) -> Int32? {
        var lowest: Int32?
        for index in surfaces[id].queues.indices {
            guard let candidate = surfaces[id].queues[index].worst(in: alerts) else { continue }
            if let current = lowest, isBetter(candidate, than: current) { continue }
            lowest = candidate
        }
        return lowest
    }

    /// Everything deferred or covered, by rank. Walks all of them.
    func waitingByRank(on id: Int32) -> [Int32] {
        alerts(on: id).filter { alerts[$0].state == .deferred || alerts[$0].state == .covered }
            .sorted { isBetter($0, than: $1) }
    }

    /// How many wait with a better rank than a newcomer of this priority.
    @inline(__always)
    func waitingCount(on id: Int32, from priority: UInt8) -> Int {
        let level = surfaces[id].level(priority)
        var count = 0
        for index in surfaces[id].queues.indices { count += surfaces[id].queues[index].count(from: level) }
        return count
    }
}
