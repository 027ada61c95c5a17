import AlertBusModel

extension Arbiter {
    /// Brings a surface to rest after something changed on it, or a clock of it ran out: urgent ones take their place, the
    /// gap starts, ends or is cancelled, and at its end there is one election.
    mutating func settle(_ id: Int32, _ effects: inout [Effect]) {
        if defersSettling {
            surfaceDeadlines.set(id, now, tie: UInt64(id))
            return
        }
        admitUrgent(id, &effects)
        if surfaces[id].hasPlace && surfaces[id].electableCount > 0 {
            let due = surfaces[id].gapEnd ?? gapEnd(for: id)
            surfaces[id].gapEnd = due
            if due <= now {
                surfaces[id].gapEnd = nil
                elect(id, &effects)
            }
        } else {
            surfaces[id].gapEnd = nil
        }
        surfaces[id].allowance = min(surfaces[id].allowance, surfaces[id].shownCount)
        surfaceDeadlines.set(id, surfaces[id].deadline, tie: UInt64(id))
    }

    @inline(__always)
    private func gapEnd(for id: Int32) -> Milliseconds {
        guard let removal = surfaces[id].lastRemoval else { return now }
        return max(now, removal + surfaces[id].policy.activationDelay)
    }

    /// Fills the empty places with the best-ranked of everything that is deferred or covered.
    private mutating func elect(_ id: Int32, _ effects: inout [Effect]) {
        while surfaces[id].hasPlace, let winner = bestWaiting(on: id) {
            let resumes = alerts[winner].state == .covered
            dequeue(winner)
            show(winner, resumes ? .resumed : .dequeued, &effects)
            tell(winner, resumes ? .resumed : .shown, resumes ? .resumed : .dequeued, &effects)
        }
    }

    /// Urgent ones waited only for the end of another one's `min_show_ms`.
    private mutating func admitUrgent(_ id: Int32, _ effects: inout [Effect]) {
        surfaces[id].urgentAt = nil
        while let slot = bestWaiting(on: id, urgentOnly: true) {
            switch interception(
                on: id, priority: alerts[slot].priority, intercept: alerts[slot].content.intercept)
            {
            case .show:
                dequeue(slot)
                show(slot, .raised, &effects)
                tell(slot, .shown, .raised, &effects)
            case .cover(let victim):
                dequeue(slot)
                cover(victim, &effects)
                show(slot, .raised, &effects)
                tell(slot, .shown, .raised, &effects)
            case .waitUrgently(let victim):
                surfaces[id].urgentAt = protectedUntil(victim)
                return
            default:
                // What it would have preempted is gone: it waits for the election like any other.
                let (state, reason) = (alerts[slot].state, alerts[slot].reason)
                dequeue(slot)
                enqueue(slot, state, reason, urgently: false)
            }
        }
    }
}
