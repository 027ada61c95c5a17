import AlertBusModel

// What is on the screen: showing, covering, hiding, and who lies on top.
extension Arbiter {
    /// Puts an alert on top of the stack. There is a place for it, or someone has just been covered for it.
    mutating func show(_ slot: Int32, _ reason: Reason, _ effects: inout [Effect]) {
        let id = alerts[slot].surface
        alerts[slot].state = .shown
        alerts[slot].reason = reason
        alerts[slot].isUrgent = false
        alerts[slot].shownAt = now
        alerts[slot].below = surfaces[id].top
        alerts[slot].above = SlotIndex.none
        if surfaces[id].top == SlotIndex.none {
            surfaces[id].bottom = slot
        } else {
            alerts[surfaces[id].top].above = slot
        }
        surfaces[id].top = slot
        surfaces[id].shownCount += 1
        surfaces[id].shownBytes += alerts[slot].weight
        if surfaces[id].lowestOnTop == SlotIndex.none { surfaces[id].lowestOnTop = slot }
        surfaces[id].onTopCount += 1
        cameOnTop(slot)
        arrangeTop(id)
        publish(id, reason, .show(shownAlert(slot)), &effects)
    }

    /// Makes way for another alert: the victim lies under, waits to resume, or ends.
    mutating func cover(_ victim: Int32, _ effects: inout [Effect]) {
        let id = alerts[victim].surface
        // Where alerts stay displayed, the next show pushes the victim under by itself.
        guard surfaces[id].policy.covered == .hide else { return }
        guard alerts[victim].content.activate else {
            end(victim, .displaced, &effects)
            return
        }
        removeFromStack(victim)
        enqueue(victim, .covered, .covered, urgently: false)
        publish(id, .covered, .hide(key: alerts[victim].key, instance: alerts[victim].instance), &effects)
        tell(victim, .covered, .covered, &effects)
    }

    mutating func removeFromStack(_ slot: Int32) {
        let id = alerts[slot].surface
        let below = alerts[slot].below
        let above = alerts[slot].above
        if alerts[slot].onTopSince != nil {
            wentUnder(slot)
            surfaces[id].onTopCount -= 1
            if surfaces[id].lowestOnTop == slot { surfaces[id].lowestOnTop = above }
        }
        if below == SlotIndex.none { surfaces[id].bottom = above } else { alerts[below].above = above }
        if above == SlotIndex.none { surfaces[id].top = below } else { alerts[above].below = below }
        alerts[slot].above = SlotIndex.none
        alerts[slot].below = SlotIndex.none
        surfaces[id].shownCount -= 1
        surfaces[id].shownBytes -= alerts[slot].weight
        surfaces[id].lastRemoval = now
        arrangeTop(id)
    }

    /// The last ones of the stack are on top, as many as the policy allows; the others lie under.
    mutating func arrangeTop(_ id: Int32) {
        let limit = surfaces[id].policy.covered == .stay ? surfaces[id].policy.slots : Int.max
        while surfaces[id].onTopCount > limit {
            let slot = surfaces[id].lowestOnTop
            wentUnder(slot)
            surfaces[id].lowestOnTop = alerts[slot].above
            surfaces[id].onTopCount -= 1
        }
        while surfaces[id].onTopCount < min(limit, surfaces[id].shownCount) {
            let lowest = surfaces[id].lowestOnTop
            let slot = lowest == SlotIndex.none ? surfaces[id].top : alerts[lowest].below
            cameOnTop(slot)
            surfaces[id].lowestOnTop = slot
            surfaces[id].onTopCount += 1
        }
    }

    private mutating func cameOnTop(_ slot: Int32) {
        alerts[slot].onTopSince = now
        refreshDeadline(slot)
    }

    /// Its time on screen stops; what is left of it stays.
    private mutating func wentUnder(_ slot: Int32) {
        if let since = alerts[slot].onTopSince, alerts[slot].displayLeft != never {
            alerts[slot].displayLeft -= now - since
        }
        alerts[slot].onTopSince = nil
        refreshDeadline(slot)
    }

    // MARK: Publishing

    mutating func publish(
        _ id: Int32, _ reason: Reason, _ change: consuming StreamMessage.Change, detail: String = "", _ effects: inout [Effect]
    ) {
        surfaces[id].seq += 1
        effects.append(
            .publish(
                StreamMessage(
                    surface: surfaces[id].path, epoch: epoch, seq: surfaces[id].seq, reason: reason, detail: detail,
                    change: change)))
    }

    @inline(__always)
    func shownAlert(_ slot: Int32) -> ShownAlert {
        // Field by field: a copy of the whole record would count references to all that is in it.
        var left: Milliseconds?
        if alerts[slot].displayLeft != never {
            left = alerts[slot].displayLeft
            if let since = alerts[slot].onTopSince { left! -= now - since }
        }
        let expiresAt = alerts[slot].expiresAt
        return ShownAlert(
            key: alerts[slot].key, producer: producers.name(alerts[slot].producer), instance: alerts[slot].instance,
            revision: alerts[slot].revision, priority: alerts[slot].priority,
            presentation: alerts[slot].content.presentation, params: alerts[slot].content.params,
            data: alerts[slot].data, displayLeft: left, expiresAt: expiresAt == never ? nil : expiresAt)
    }
}
