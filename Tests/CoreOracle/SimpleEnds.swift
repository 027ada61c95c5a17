import AlertBusModel

extension SimpleArbiter {
    /// The only way out, taken exactly once by every accepted alert. The caller settles the surface.
    mutating func end(_ instance: UInt64, _ reason: Reason, answer: [UInt8] = [], detail: String = "") {
        let alert = self[instance]
        if alert.state == .shown {
            takeFromStack(instance)
            publish(alert.surface, reason, .hide(key: alert.key, instance: instance))
        }
        for load in alert.loads { effects.append(.unload(load.number)) }
        tell(alert, .ended, reason, answer: answer, detail: detail)
        alerts.removeAll { $0.instance == instance }
    }

    /// `dismiss` and `answer`: of a shown alert they count towards the batch limit.
    mutating func close(_ alert: SimpleAlert, _ reason: Reason, answer: [UInt8] = []) -> Reply {
        end(alert.instance, reason, answer: answer)
        if alert.state == .shown { countDismissal(alert.surface) }
        settle(alert.surface)
        return .done(Done(instance: alert.instance, revision: alert.revision, count: 1))
    }

    private mutating func countDismissal(_ surface: String) {
        let limit = self[surface: surface].policy.maxBatch
        if limit == 0 { return }
        self[surface: surface].batch += 1
        guard self[surface: surface].batch >= limit else { return }
        self[surface: surface].batch = 0
        for alert in ranked(alerts(on: surface).filter(\.waits)) { end(alert.instance, .batchLimit) }
    }

    mutating func clear(_ scope: SurfaceScope, shown: Bool) -> Int {
        var count = 0
        for name in surfaces.map(\.name) where scope.contains(name) {
            let displayed = shown ? stack(of: name).reversed() : []
            let waiting = alerts(on: name).filter { $0.state != .shown }
            for alert in displayed + waiting { end(alert.instance, .cleared) }
            count += displayed.count + waiting.count
            settle(name)
        }
        return count
    }

    /// Alerts that do not close do not notice. Everything that nobody owns any more ends, by instance, before anything
    /// follows from it: an alert whose owner is gone must not flash up.
    mutating func loseOwner(_ session: UInt64) {
        var touched: [String] = []
        for alert in alerts where alert.content.closesOnOwnerLoss && alert.sessions.contains(session) {
            self[alert.instance].sessions.removeAll { $0 == session }
            if self[alert.instance].sessions.isEmpty {
                end(alert.instance, .ownerLost)
                touched.append(alert.surface)
            }
        }
        for name in surfaces.map(\.name) where touched.contains(name) { settle(name) }
    }
}
