import AlertBusModel

extension Arbiter {
    /// New rules. What is shown stays as it is; a surface whose policy is the same is not touched.
    mutating func configured(_ policies: PolicySet, _ limits: Limits, _ effects: inout [Effect]) {
        self.policies = policies
        self.limits = limits
        ended.trim(to: limits.memory)
        once.trim(to: limits.memory)
        for id in 0..<Int32(surfaces.count) {
            let policy = policies.policy(for: surfaces[id].path)
            let old = surfaces[id].policy
            guard policy != old else { continue }
            let reordered = policy.order != old.order || policy.maxPriority != old.maxPriority
            let queued = reordered ? takeQueue(id) : []
            surfaces[id].policy = policy
            if policy.maxPriority != old.maxPriority { rateAgain(id, &effects) }
            for slot in queued { enqueue(slot, alerts[slot].state, alerts[slot].reason, urgently: alerts[slot].isUrgent) }
            surfaces[id].allowance = surfaces[id].shownCount
            arrangeTop(id)
            surfaces[id].isHeld = isHeld(surfaces[id].path, policy)
            if surfaces[id].gapEnd != nil && policy.activationDelay != old.activationDelay { surfaces[id].gapEnd = nil }
            settle(id, &effects)
        }
    }

    private mutating func takeQueue(_ id: Int32) -> [Int32] {
        let slots = alerts(on: id).filter { alerts[$0].state == .deferred || alerts[$0].state == .covered }
        for slot in slots { dequeue(slot) }
        return slots
    }

    /// Screens know the priority that counts, so they hear of another one.
    private mutating func rateAgain(_ id: Int32, _ effects: inout [Effect]) {
        let stack = stack(on: id)
        let old = stack.map { alerts[$0].priority }
        for slot in alerts(on: id) {
            alerts[slot].priority = effectivePriority(
                alerts[slot].content.priority, on: id, top: alerts[slot].topPriority)
        }
        for (slot, priority) in zip(stack, old) where alerts[slot].priority != priority {
            publish(id, .updated, .update(shownAlert(slot)), &effects)
        }
    }

    /// A new generation: streams begin again at 0, connections are gone, loading starts again.
    ///
    /// Nobody watched since the last input: what fell due meanwhile happens now, all at once, and the time on screen of what
    /// is displayed stood still.
    mutating func started(epoch: UInt64, at time: Milliseconds, _ effects: inout [Effect]) {
        self.epoch = epoch
        coOwners = [:]
        closers = [:]
        for id in 0..<Int32(surfaces.count) {
            surfaces[id].seq = 0
            for slot in alerts(on: id) {
                alerts[slot].owner = 0
                if let since = alerts[slot].onTopSince {
                    if alerts[slot].displayLeft != never { alerts[slot].displayLeft -= now - since }
                    alerts[slot].onTopSince = time
                }
                if alerts[slot].content.closesOnOwnerLoss { alerts[slot].orphanedUntil = time + limits.ownerGrace }
                if loading[alerts[slot].instance] != nil { restartLoading(slot, at: time, &effects) }
                refreshDeadline(slot)
            }
        }
        now = time
        passTime(to: time, &effects)
    }
}
