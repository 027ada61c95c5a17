import AlertBusModel

extension Arbiter {
    /// The earliest clock of an alert, for the heap.
    mutating func refreshDeadline(_ slot: Int32) {
        let record = alerts[slot]
        var time = record.expiresAt
        if let since = record.onTopSince, record.displayLeft != never { time = min(time, since + record.displayLeft) }
        if let orphaned = record.orphanedUntil, record.content.closesOnOwnerLoss { time = min(time, orphaned) }
        if let state = loading[record.instance], let due = state.deadline { time = min(time, due) }
        alertDeadlines.set(slot, time == never ? nil : time, tie: record.instance)
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
