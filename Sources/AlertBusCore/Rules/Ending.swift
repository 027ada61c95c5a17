import AlertBusModel

extension Arbiter {
    /// Ends an alert, whatever its state, once and for all. The caller settles the surface.
    mutating func end(
        _ slot: Int32, _ reason: Reason, answer: [UInt8] = [], detail: String = "", _ effects: inout [Effect]
    ) {
        let id = alerts[slot].surface
        switch alerts[slot].state {
        case .shown:
            removeFromStack(slot)
            publish(id, reason, .hide(key: alerts[slot].key, instance: alerts[slot].instance), &effects)
        case .deferred, .covered:
            dequeue(slot)
        case .loading:
            surfaces[id].loadingCount -= 1
        case .ended:
            preconditionFailure("an alert ended twice: instance \(alerts[slot].instance) on \(surfaces[id].path)")
        }
        stopLoading(slot, &effects)
        alerts[slot].state = .ended
        let receipt = receipt(slot, .ended, reason, answer: answer, detail: detail)
        effects.append(.receipt(receipt, to: owners(of: slot)))
        forget(slot, receipt)
    }

    private mutating func forget(_ slot: Int32, _ receipt: Receipt) {
        let id = alerts[slot].surface
        ended.remember(
            .init(surface: id, receipt: receipt, producer: producers.name(alerts[slot].producer)), limit: limits.memory)
        bytes -= alerts[slot].weight
        disown(slot)
        alertDeadlines.set(slot, nil, tie: 0)
        unlink(slot, fromSurface: id)
        producers.release(alerts[slot].producer)
        alerts.remove(slot)
    }

    // MARK: Commands that end alerts

    mutating func withdrawn(
        _ surface: String, _ key: String, _ revision: UInt32?, by requester: Requester, _ effects: inout [Effect]
    ) throws(Refusal) -> Done {
        let slot = try ownAlert(surface, key, revision, by: requester)
        let done = Done(instance: alerts[slot].instance, revision: alerts[slot].revision, count: 1)
        let id = alerts[slot].surface
        end(slot, .withdrawn, &effects)
        settle(id, &effects)
        return done
    }

    /// A person or an operator ends one alert, with a value or without.
    mutating func dismissed(
        _ surface: String, _ target: Target, _ revision: UInt32?, answer: Answer?, _ effects: inout [Effect]
    ) throws(Refusal) -> Done {
        let slot = try find(target, on: surface)
        try checkRevision(revision, of: slot)
        if let answer { try check(answer, for: slot) }
        let done = Done(instance: alerts[slot].instance, revision: alerts[slot].revision, count: 1)
        let id = alerts[slot].surface
        let wasShown = alerts[slot].state == .shown
        end(slot, answer == nil ? .dismissed : .answered, answer: answer?.json ?? [], &effects)
        if wasShown { countDismissal(id, &effects) }
        settle(id, &effects)
        return done
    }

    private mutating func countDismissal(_ id: Int32, _ effects: inout [Effect]) {
        let limit = surfaces[id].policy.maxBatch
        guard limit > 0 else { return }
        surfaces[id].dismissals += 1
        guard surfaces[id].dismissals >= limit else { return }
        surfaces[id].dismissals = 0
        for slot in waitingByRank(on: id) { end(slot, .batchLimit, &effects) }
    }

    mutating func cleared(_ scope: SurfaceScope, shown: Bool, _ effects: inout [Effect]) -> Done {
        var count = 0
        for id in surfaces(in: scope) {
            let before = surfaces[id].alertCount
            while shown, surfaces[id].top != SlotIndex.none { end(surfaces[id].top, .cleared, &effects) }
            for slot in alerts(on: id) where alerts[slot].state != .shown { end(slot, .cleared, &effects) }
            settle(id, &effects)
            count += before - surfaces[id].alertCount
        }
        return Done(count: count)
    }
}
