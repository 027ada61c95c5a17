import AlertBusModel

/// What the rules say about an alert that arrives.
enum SimplePlacement {
    /// In an empty place.
    case show
    /// On top of that one.
    case cover(UInt64)
    case wait(Reason, urgent: Bool)
    case refuse(Reason)
}

extension SimpleArbiter {
    /// The table of arrivals, in the order of its rows.
    func placement(of alert: SimpleAlert) -> SimplePlacement {
        let surface = self[surface: alert.surface]
        // 1. Held.
        if surface.held && !alert.breaksThrough {
            return alert.content.activate ? .wait(.held, urgent: false) : .refuse(.held)
        }
        // 2. Free.
        let others = electable(on: surface.name).filter { $0.instance != alert.instance }
        if surface.stack.count < surface.policy.slots && others.isEmpty && surface.gapEnd == nil { return .show }
        // 3. An interceptor.
        if let placement = interception(by: alert) { return placement }
        // 4. Busy.
        return alert.content.activate ? .wait(.intercepted, urgent: false) : .refuse(.intercepted)
    }

    /// Row 3 alone; nil when the alert is no interceptor now.
    func interception(by alert: SimpleAlert) -> SimplePlacement? {
        let surface = self[surface: alert.surface]
        if surface.stack.count < surface.policy.slots { return alert.content.intercept ? nil : .show }
        if isScreenFull(for: alert) { return nil }
        let victim = victim(on: surface.name)
        let preempts = surface.policy.preempt == .higher && priority(of: alert) > priority(of: victim)
        if alert.content.intercept && !preempts { return nil }
        return now < minShowEnd(of: victim) ? .wait(.intercepted, urgent: true) : .cover(victim.instance)
    }

    /// A screen takes a thousand, the last sixteenth of them of the highest priority alone, and of 64 and more no more than 4 MiB.
    func isScreenFull(for alert: SimpleAlert) -> Bool {
        let surface = self[surface: alert.surface]
        if surface.held && !alert.breaksThrough { return false }
        let most = priority(of: alert) >= surface.policy.maxPriority ? 1000 : 938
        // Alerts of a simulation are small: the bytes are told by the dialogues.
        return surface.stack.count >= most
    }

    /// The one on top that an interceptor would cover.
    private func victim(on surface: String) -> SimpleAlert {
        let tops = stack(of: surface).filter(\.onTop)
        return self[surface: surface].policy.covered == .stay ? tops.first! : ranked(tops).last!
    }

    /// Gives an accepted alert its place. Whether there is room to wait was settled at acceptance.
    mutating func place(_ instance: UInt64, _ placement: SimplePlacement) {
        switch placement {
        case .show: show(instance, .raised)
        case .cover(let victim):
            cover(victim)
            show(instance, .raised)
        case .wait(let reason, let urgent):
            self[instance].state = .deferred
            self[instance].reason = reason
            self[instance].urgent = urgent
            tell(self[instance], .deferred, reason)
        case .refuse(let reason): end(instance, reason)
        }
    }

    mutating func show(_ instance: UInt64, _ reason: Reason) {
        let event: Receipt.Event = reason == .resumed ? .resumed : .shown
        self[instance].state = .shown
        self[instance].reason = reason
        self[instance].urgent = false
        self[instance].shownAt = now
        self[instance].becomeTop(at: now)
        let alert = self[instance]
        self[surface: alert.surface].stack.append(instance)
        publish(alert.surface, reason, .show(picture(of: alert)))
        tell(alert, event, reason)
    }

    mutating func cover(_ instance: UInt64) {
        let surface = self[instance].surface
        if self[surface: surface].policy.covered == .stay {
            self[instance].leaveTop(at: now)
        } else if self[instance].content.activate {
            takeFromStack(instance)
            self[instance].state = .covered
            self[instance].reason = .covered
            publish(surface, .covered, .hide(key: self[instance].key, instance: instance))
            tell(self[instance], .covered, .covered)
        } else {
            end(instance, .displaced)
        }
    }

    mutating func takeFromStack(_ instance: UInt64) {
        self[instance].leaveTop(at: now)
        self[surface: self[instance].surface].stack.removeAll { $0 == instance }
        self[surface: self[instance].surface].lastRemoval = now
    }

    /// Whether a newcomer may wait; the lowest one may have to go for it.
    mutating func makeRoom(for newcomer: SimpleAlert) -> Bool {
        let policy = self[surface: newcomer.surface].policy
        let waiting = alerts(on: newcomer.surface).filter { $0.state != .shown && $0.instance != newcomer.instance }
        if waiting.count < policy.capacity { return true }
        guard policy.overflow == .evictLowest, let lowest = ranked(waiting.filter(\.waits)).last,
            isBetter(newcomer, lowest)
        else { return false }
        end(lowest.instance, .evicted)
        return true
    }
}
