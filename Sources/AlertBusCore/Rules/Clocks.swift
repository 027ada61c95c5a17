import AlertBusModel

extension Arbiter {
    /// The earliest clock of an alert, for the heap.
    mutating func refreshDeadline(_ slot: Int32) {
        var time = endTime(of: slot)
        if !loading.isEmpty, let state = loading[alerts[slot].instance], let due = state.deadline { time = min(time ?? due, due) }
        alertDeadlines.set(slot, time, tie: alerts[slot].instance)
    }

    /// When a clock of its own ends it, if nothing else happens before; nil when none does.
    @inline(__always)
    func endTime(of slot: Int32) -> Milliseconds? {
        var time = alerts[slot].expiresAt
        if let since = alerts[slot].onTopSince, alerts[slot].displayLeft != never {
            time = min(time, since + alerts[slot].displayLeft)
        }
        if let orphaned = alerts[slot].orphanedUntil, alerts[slot].content.closesOnOwnerLoss { time = min(time, orphaned) }
        return time == never ? nil : time
    }

    mutating func alertClockRanOut(_ slot: Int32, _ effects: inout [Effect]) {
        let id = alerts[slot].surface
        if alerts[slot].expiresAt <= now {
            end(slot, .expired, &effects)
        } else if let since = alerts[slot].onTopSince, alerts[slot].displayLeft != never,
            since + alerts[slot].displayLeft <= now
        {
            end(slot, .timedOut, &effects)
        } else if let orphaned = alerts[slot].orphanedUntil, orphaned <= now, alerts[slot].content.closesOnOwnerLoss {
            end(slot, .ownerLost, &effects)
        } else {
            loadingClockRanOut(slot, &effects)
        }
        settle(id, &effects)
    }
}
