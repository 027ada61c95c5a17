import AlertBusModel

extension SimpleArbiter {
    mutating func accept(_ raise: Raise, _ requester: Requester) -> Reply {
        let known = alerts.first {
            $0.surface == raise.surface && $0.key == raise.key && $0.producer == requester.producer
        }
        if let known { return raiseAgain(known, raise, requester) }
        let isNewSurface = !surfaces.contains { $0.name == raise.surface }
        if isNewSurface && surfaces.count >= limits.surfaces { return refuse(.overLimit) }
        if isNewSurface {
            surfaces.append(
                SimpleSurface(
                    name: raise.surface, policy: policies.policy(for: raise.surface), held: isHeld(raise.surface)))
        }
        if let reason = admit(raise, requester) {
            if isNewSurface { surfaces.removeLast() }
            return refuse(reason)
        }
        settle(raise.surface)
        return accepted(lastInstance)
    }

    /// Returns the reason if it is refused; then nothing has changed.
    private mutating func admit(_ raise: Raise, _ requester: Requester) -> Reason? {
        var alert = SimpleAlert(
            instance: lastInstance + 1, surface: raise.surface, key: raise.key, producer: requester.producer,
            acceptedAt: now, content: raise.content, state: .loading, reason: .raised,
            topPriority: requester.topPriority, mayBreakThrough: requester.mayBreakThrough)
        alert.restartClocks(at: now, ttl: raise.content.ttl, display: raise.content.display)
        alert.attach(requester.session)

        let isLoading = !raise.content.sources.isEmpty
        let placement = placement(of: alert)
        if !isLoading, !raise.content.intercept, isScreenFull(for: alert) { return .overLimit }
        if !isLoading, case .refuse(let reason) = placement { return reason }
        let isUrgent = priority(of: alert) == self[surface: raise.surface].policy.maxPriority
        if isOverLimit(raise, requester, isUrgent: isUrgent) { return .overLimit }
        var mustWait = isLoading
        if case .wait = placement { mustWait = true }
        if mustWait && !makeRoom(for: alert) { return .overLimit }

        lastInstance = alert.instance
        accepting = alert.instance
        alerts.append(alert)
        if isLoading {
            for source in raise.content.sources { ask(for: source, of: alert.instance) }
        } else {
            place(alert.instance, placement)
        }
        return nil
    }

    /// The key is in use: the same content is the same alert.
    private mutating func raiseAgain(_ alert: SimpleAlert, _ raise: Raise, _ requester: Requester) -> Reply {
        let changes = raise.content != alert.content
        if changes {
            if !raise.update || raise.content.sources != alert.content.sources { return refuse(.duplicate) }
            if bytes - alert.content.params.count + raise.content.params.count > limits.bytes {
                return refuse(.overLimit)
            }
        }
        self[alert.instance].attach(requester.session)
        if changes {
            let content = raise.content
            self[alert.instance].content = content
            self[alert.instance].topPriority = requester.topPriority
            self[alert.instance].mayBreakThrough = requester.mayBreakThrough
            self[alert.instance].restartClocks(at: now, ttl: content.ttl, display: content.display)
            changed(alert.instance)
        }
        let before = self[alert.instance]
        if changes { settle(alert.surface) }
        let state = alerts.first { $0.instance == alert.instance }?.state ?? .ended
        return .accepted(
            Accepted(
                surface: before.surface, key: before.key, instance: before.instance, revision: before.revision,
                state: state, position: 0))
    }

    mutating func update(_ alert: SimpleAlert, _ update: Update, _ requester: Requester) -> Reply {
        var content = alert.content
        if let priority = update.priority {
            content.priority = priority
            self[alert.instance].topPriority = requester.topPriority
        }
        if let intercept = update.intercept { content.intercept = intercept }
        if let activate = update.activate { content.activate = activate }
        if let presentation = update.presentation { content.presentation = presentation }
        if let params = update.params {
            if bytes - alert.content.params.count + params.count > limits.bytes { return refuse(.overLimit) }
            content.params = params
        }
        if let ttl = update.ttl {
            content.ttl = ttl
            self[alert.instance].expiresAt = now + ttl
        }
        if let display = update.display {
            content.display = display
            self[alert.instance].displayLeft = display
            self[alert.instance].topSince = now
        }
        self[alert.instance].content = content
        changed(alert.instance)
        let revision = self[alert.instance].revision
        settle(alert.surface)
        return .done(Done(instance: alert.instance, revision: revision, count: 1))
    }

    /// Counts the change and tells the screen. It is no arrival: what follows is only what the new state allows.
    mutating func changed(_ instance: UInt64) {
        self[instance].revision += 1
        let alert = self[instance]
        if alert.state == .shown { publish(alert.surface, .updated, .update(picture(of: alert))) }
    }

    /// Only a first acceptance tells the position.
    private func accepted(_ instance: UInt64) -> Reply {
        let alert = self[instance]
        return .accepted(
            Accepted(
                surface: alert.surface, key: alert.key, instance: instance, revision: alert.revision,
                state: alert.state, position: position(of: alert)))
    }

    /// A sixteenth of what all alerts may be and hold together is kept for the most urgent.
    private func isOverLimit(_ raise: Raise, _ requester: Requester, isUrgent: Bool) -> Bool {
        alerts.count >= (isUrgent ? limits.alerts : limits.alerts - limits.alerts / 16)
            || alerts.count(where: { $0.producer == requester.producer }) >= limits.alertsPerProducer
            || raise.content.sources.count > limits.sources
            || bytes + SimpleArbiter.size(of: raise.content) > (isUrgent ? limits.bytes : limits.bytes - limits.bytes / 16)
    }
}
