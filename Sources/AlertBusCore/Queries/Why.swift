import AlertBusModel

extension Arbiter {
    /// The comparison that keeps an alert where it is: which rule, who is above it, until when.
    public func explain(_ path: String, _ target: Target) throws(Refusal) -> Explanation {
        let slot = try find(target, on: path)
        let id = alerts[slot].surface
        switch alerts[slot].state {
        case .shown: return explainShown(slot)
        case .loading: return explainLoading(slot)
        case .deferred, .covered, .ended: return explainWaiting(slot, id)
        }
    }

    private func explanation(
        _ slot: Int32, _ rule: String, above: Int32? = nil, until: Milliseconds? = nil, _ message: String
    ) -> Explanation {
        Explanation(
            surface: surfaces[alerts[slot].surface].path, key: alerts[slot].key, instance: alerts[slot].instance,
            state: alerts[slot].state, rule: rule, above: above.map { alerts[$0].instance } ?? 0,
            aboveKey: above.map { alerts[$0].key } ?? "", until: until, message: message)
    }

    private func explainShown(_ slot: Int32) -> Explanation {
        if alerts[slot].onTopSince == nil {
            let above = alerts[slot].above
            return explanation(
                slot, "lies_under", above: above,
                "It is displayed and lies under \(name(above)) (covered: stay); its time on screen stands still.")
        }
        return explanation(
            slot, "shown", until: endTime(of: slot), "It is on top: \(alerts[slot].reason.explanation).")
    }

    private func explainLoading(_ slot: Int32) -> Explanation {
        let state = loading[alerts[slot].instance]
        let missing = (state?.parts ?? []).filter(\.isPending).map { alerts[slot].content.sources[$0.source].name }
        return explanation(
            slot, "loading", until: state?.deadline,
            "Its data is on the way: \(missing.joined(separator: ", ")). It takes its place in the order when all is there.")
    }

    private func explainWaiting(_ slot: Int32, _ id: Int32) -> Explanation {
        let surface = surfaces[id]
        if surface.isHeld && !alerts[slot].breaksThrough {
            return explanation(slot, "held", "The surface is held (do not disturb); it waits for `release`.")
        }
        if alerts[slot].isUrgent, let until = surface.urgentAt, !surface.hasPlace,
            let first = bestWaiting(on: id, urgentOnly: true)
        {
            if first != slot { return explainOrder(slot, first, surface) }
            let above = victim(on: id)
            return explanation(
                slot, "min_show", above: above, until: until,
                "It takes the place of \(name(above)), which may not be covered before its min_show_ms has passed.")
        }
        if let best = bestWaiting(on: id), best != slot {
            return explainOrder(slot, best, surface)
        }
        if let end = surface.gapEnd {
            return explanation(
                slot, "gap", until: end,
                "It is the best-ranked one and is shown when the gap (activation_delay_ms) ends.")
        }
        let above = surface.top
        let rule = alerts[slot].state == .covered ? "covered" : "busy"
        return explanation(
            slot, rule, above: above, until: endTime(of: above),
            "It is next, when a place is free: the surface shows \(surface.shownCount) of \(surface.policy.slots), \(name(above)) on top."
        )
    }

    private func explainOrder(_ slot: Int32, _ best: Int32, _ surface: Surface) -> Explanation {
        let byPriority = surface.level(alerts[best].priority) > surface.level(alerts[slot].priority)
        let comparison =
            byPriority
            ? "priority \(alerts[best].priority) is above \(alerts[slot].priority)"
            : "it arrived earlier (instance \(alerts[best].instance) before \(alerts[slot].instance))"
        return explanation(
            slot, "order", above: best, until: surface.gapEnd,
            "\(name(best)) is elected before it: \(comparison) (order: \(surface.policy.order.rawValue)).")
    }

    private func name(_ slot: Int32) -> String { "\"\(alerts[slot].key)\" (instance \(alerts[slot].instance))" }
}
