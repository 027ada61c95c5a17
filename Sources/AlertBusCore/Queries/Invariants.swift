import AlertBusModel

extension Arbiter {
    /// What must hold after every step; empty when all is well. Walks the whole state.
    public func violations() -> [String] {
        var faults: [String] = []
        var counted = 0
        for id in 0..<Int32(surfaces.count) {
            counted += surfaces[id].alertCount
            faults += violations(on: id)
        }
        if counted != alerts.count { faults.append("\(alerts.count) alerts, but \(counted) on surfaces") }
        let weight = (0..<Int32(surfaces.count)).reduce(0) { sum, id in
            sum + alerts(on: id).reduce(0) { $0 + alerts[$1].weight + (loading[alerts[$1].instance]?.weight ?? 0) }
        }
        if weight != bytes { faults.append("\(weight) bytes are held, but \(bytes) are counted") }
        return faults
    }

    private func violations(on id: Int32) -> [String] {
        let surface = surfaces[id]
        var faults: [String] = []
        func check(_ holds: Bool, _ fault: @autoclosure () -> String) {
            if !holds { faults.append("\(surface.path): \(fault())") }
        }
        let all = alerts(on: id)
        let stack = stack(on: id)
        let onTop = stack.filter { alerts[$0].onTopSince != nil }
        let waiting = all.filter { alerts[$0].state == .deferred || alerts[$0].state == .covered }
        check(all.count == surface.alertCount, "\(all.count) alerts are linked, \(surface.alertCount) are counted")
        check(stack.count == surface.shownCount, "\(stack.count) are in the stack, \(surface.shownCount) are counted")
        let shownBytes = stack.reduce(0) { $0 + alerts[$1].weight }
        check(shownBytes == surface.shownBytes, "\(shownBytes) bytes are shown, \(surface.shownBytes) are counted")
        check(onTop.count == surface.onTopCount, "\(onTop.count) are on top, \(surface.onTopCount) are counted")
        check(
            stack.suffix(surface.onTopCount).elementsEqual(onTop), "those on top are not the last ones of the stack")
        check(
            surface.lowestOnTop == onTop.first ?? SlotIndex.none, "the lowest on top is not the first of those on top")
        check(stack.allSatisfy { alerts[$0].state == .shown }, "the stack has an alert that is not shown")
        check(all.filter { alerts[$0].state == .shown }.count == stack.count, "a shown alert is not in the stack")
        check(waiting.count == surface.waitingCount, "\(waiting.count) wait, \(surface.waitingCount) are counted")
        check(all.filter { alerts[$0].state == .loading }.count == surface.loadingCount, "loading alerts are miscounted")
        check(all.filter { alerts[$0].state == .covered }.count == surface.coveredCount, "covered alerts are miscounted")
        if surface.policy.covered == .hide {
            check(
                stack.count <= max(surface.policy.slots, surface.allowance),
                "\(stack.count) are shown, \(surface.policy.slots) are allowed")
        }
        check(surface.onTopCount <= max(surface.policy.slots, surface.allowance), "too many are on top")
        check(
            !(surface.hasPlace && surface.electableCount > 0 && surface.gapEnd == nil),
            "something eligible waits while the surface is free, and no gap runs")
        if let end = surface.gapEnd { check(end > now, "the gap ended at \(end) and nothing was elected") }
        for slot in all {
            check(alerts[slot].expiresAt > now, "instance \(alerts[slot].instance) outlived its lifetime")
        }
        return faults
    }
}
