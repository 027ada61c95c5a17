import AlertBusModel

/// A deadline of the simple model.
struct SimpleClock {
    enum Kind: Int { case ttl, grace, load, display, settle, minShow, gap }

    var isOfSurface: Bool { kind == .settle || kind == .minShow || kind == .gap }

    let time: Milliseconds
    let kind: Kind
    /// The instance of the alert, or the place of the surface in the order of creation.
    let id: UInt64
    var load: UInt64 = 0

    /// Time, then alerts by instance, then surfaces by creation; of one alert the lifetime first.
    static func < (a: SimpleClock, b: SimpleClock) -> Bool {
        (a.time, a.isOfSurface ? 1 : 0, a.id, a.kind.rawValue, a.load)
            < (b.time, b.isOfSurface ? 1 : 0, b.id, b.kind.rawValue, b.load)
    }
}

extension SimpleArbiter {
    func nextClock() -> SimpleClock? {
        var clocks: [SimpleClock] = []
        for alert in alerts {
            func add(_ kind: SimpleClock.Kind, _ time: Milliseconds?, load: UInt64 = 0) {
                if let time { clocks.append(SimpleClock(time: time, kind: kind, id: alert.instance, load: load)) }
            }
            add(.ttl, alert.expiresAt)
            for load in alert.loads { add(.load, load.deadline, load: load.number) }
            if alert.onTop { add(.display, alert.displayLeft.map { alert.topSince + $0 }) }
            add(.grace, alert.graceEnd)
        }
        for (index, surface) in surfaces.enumerated() {
            // After an alert's clock its surface comes to rest, when all alerts' clocks of that moment have run out.
            if surface.isUnsettled { clocks.append(SimpleClock(time: now, kind: .settle, id: UInt64(index))) }
            if let end = surface.gapEnd { clocks.append(SimpleClock(time: end, kind: .gap, id: UInt64(index))) }
            for end in alerts(on: surface.name).compactMap(minShowClock) {
                clocks.append(SimpleClock(time: end, kind: .minShow, id: UInt64(index)))
            }
        }
        return clocks.min(by: <)
    }

    /// Until when a shown alert may not be covered.
    func minShowEnd(of alert: SimpleAlert) -> Milliseconds {
        alert.shownAt + (alert.content.minShow ?? self[surface: alert.surface].policy.minShow)
    }

    /// Matters only to urgent ones, and only once.
    private func minShowClock(of alert: SimpleAlert) -> Milliseconds? {
        guard alert.onTop, alerts(on: alert.surface).contains(where: \.urgent) else { return nil }
        let end = minShowEnd(of: alert)
        return end > self[surface: alert.surface].settledAt ? end : nil
    }

    mutating func ring(_ clock: SimpleClock) {
        if clock.isOfSurface {
            let surface = surfaces[Int(clock.id)].name
            self[surface: surface].isUnsettled = false
            if clock.kind == .gap { elect(on: surface) }
            settle(surface)
            return
        }
        let alert = self[clock.id]
        defersSettling = true
        defer { defersSettling = false }
        switch clock.kind {
        case .ttl: end(alert.instance, .expired)
        case .display: end(alert.instance, .timedOut)
        case .load: late(clock.load)
        case .settle, .minShow, .gap: break
        case .grace:
            self[alert.instance].graceEnd = nil
            if alert.content.closesOnOwnerLoss { end(alert.instance, .ownerLost) }
        }
        settle(alert.surface)
    }
}
