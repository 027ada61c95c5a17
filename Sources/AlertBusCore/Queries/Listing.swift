import AlertBusModel

extension Arbiter {
    /// Every alert in a scope: per surface the stack from the top down, then what waits by rank, then what is loading.
    public func alerts(in scope: SurfaceScope) -> [AlertSummary] {
        alerts(in: scope, from: ListingPlace(), limit: .max, scan: .max).alerts
    }

    /// The same piece by piece, so that no step grows with the number of alerts. What stays as it is meanwhile is told exactly once;
    /// what changes between two pieces may be told as it was, as it is, or both.
    ///
    /// - Parameters:
    ///   - place: a new one at first, then what the piece before said.
    ///   - limit: alerts in the piece, beside those on the screen where it ends.
    ///   - scan: surfaces and alerts that are looked at for it.
    /// - Returns: where the next piece begins; nil when this was the last one.
    public func alerts(
        in scope: SurfaceScope, from place: ListingPlace, limit: Int, scan: Int
    ) -> (alerts: [AlertSummary], next: ListingPlace?) {
        var lister = Lister(self, from: place, limit: limit, scan: scan)
        let isFinished = lister.run(scope)
        return (lister.told, isFinished ? nil : lister.place)
    }

    func summary(_ slot: Int32, position: Int) -> AlertSummary {
        let record = alerts[slot]
        return AlertSummary(
            surface: surfaces[record.surface].path, key: record.key, producer: producers.name(record.producer),
            instance: record.instance, revision: record.revision, priority: record.priority, state: record.state,
            position: position, acceptedAt: record.acceptedAt,
            expiresAt: record.expiresAt == never ? nil : record.expiresAt)
    }

    /// What is on the screens of a scope: the state that later stream messages change.
    public func snapshots(in scope: SurfaceScope) -> [SurfaceSnapshot] {
        surfaces(in: scope).map { snapshot($0) }
    }

    /// The same piece by piece, so that no step grows with the number of surfaces.
    ///
    /// - Parameters:
    ///   - start: 0 at first, then what the piece before said.
    ///   - scan: surfaces that are looked at, in the scope or not.
    ///   - isEnough: hears each one; the piece ends with the one at which it says so.
    /// - Returns: where the next piece begins; nil when this was the last one.
    public func snapshots(
        in scope: SurfaceScope, from start: Int, scan: Int = .max, until isEnough: (SurfaceSnapshot) -> Bool
    ) -> (surfaces: [SurfaceSnapshot], next: Int?) {
        if !scope.isPrefix { return (snapshots(in: scope), nil) }
        var found: [SurfaceSnapshot] = []
        let end = surfaces.count - start > scan ? start + scan : surfaces.count
        for index in stride(from: start, to: end, by: 1) where scope.contains(surfaces[Int32(index)].path) {
            found.append(snapshot(Int32(index)))
            if isEnough(found[found.count - 1]) { return (found, index + 1 < surfaces.count ? index + 1 : nil) }
        }
        return (found, end < surfaces.count ? end : nil)
    }

    private func snapshot(_ id: Int32) -> SurfaceSnapshot {
        SurfaceSnapshot(
            surface: surfaces[id].path, epoch: epoch, seq: surfaces[id].seq, held: surfaces[id].isHeld,
            shown: stack(on: id).map { shownAlert($0) })
    }

    /// Position and fingerprint of one surface's screen, for a beat.
    public func head(of path: String) -> (seq: UInt64, digest: String)? {
        guard let id = surfaceNames.find(path) else { return nil }
        var digest = ScreenDigest()
        for slot in stack(on: id) { digest.add(instance: alerts[slot].instance, revision: alerts[slot].revision) }
        return (surfaces[id].seq, digest.text)
    }

    /// All surfaces by creation, with their positions.
    public func heads(in scope: SurfaceScope = .all) -> [(surface: String, seq: UInt64)] {
        surfaces(in: scope).map { (surfaces[$0].path, surfaces[$0].seq) }
    }

    /// Bytes of parameters, sources and data that all alerts hold together.
    public var heldBytes: Int { bytes }

    /// Whether a target means an alert of this producer, alive or ended.
    public func isOwn(_ path: String, _ target: Target, of producer: String) -> Bool {
        guard let id = surfaceNames.find(path) else { return false }
        let number = producers.find(producer)
        switch target {
        case .key(let key):
            if let number, alerts.find(surface: id, producer: number, key: key) != nil { return true }
            return ended.find(surface: id, key: key, producer: producer) != nil
        case .instance(let instance):
            if let slot = alerts.find(instance: instance), alerts[slot].surface == id { return alerts[slot].producer == number }
            return ended.find(instance: instance).map { $0.surface == id && $0.producer == producer } ?? false
        case .top:
            let top = surfaces[id].top
            return top != SlotIndex.none && alerts[top].producer == number
        }
    }

    public func policy(for surface: String) -> Policy {
        surfaceNames.find(surface).map { surfaces[$0].policy } ?? policies.policy(for: surface)
    }
}
