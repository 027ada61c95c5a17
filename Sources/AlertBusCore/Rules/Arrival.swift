import AlertBusModel

/// What becomes of an alert that arrives now.
enum Placement: Equatable {
    /// There is a place for it.
    case show
    /// It takes the place of this one.
    case cover(Int32)
    /// It may take the place of this one, but not yet.
    case waitUrgently(for: Int32)
    case wait(Reason)
    case refuse(Reason)
}

extension Arbiter {
    /// The arrival table: held, free, interceptor, busy, in this order.
    @inline(__always)
    func placement(
        on id: Int32, priority: UInt8, intercept: Bool, activate: Bool, breaksThrough: Bool
    ) -> Placement {
        if surfaces[id].isHeld && !breaksThrough { return activate ? .wait(.held) : .refuse(.held) }
        if surfaces[id].hasPlace && surfaces[id].waitingCount(breakingThrough: breaksThrough) == 0
            && surfaces[id].gapEnd == nil
        {
            return .show
        }
        if let urgent = interception(on: id, priority: priority, intercept: intercept) { return urgent }
        return activate ? .wait(.intercepted) : .refuse(.intercepted)
    }

    /// Whether an alert may take a place although others wait: at once, later, or not at all (nil).
    @inline(__always)
    func interception(on id: Int32, priority: UInt8, intercept: Bool) -> Placement? {
        if surfaces[id].hasPlace { return intercept ? nil : .show }
        if surfaces[id].policy.isFull(surfaces[id].shownCount, surfaces[id].shownBytes, for: priority) { return nil }
        let victim = victim(on: id)
        let preempts = surfaces[id].policy.preempt == .higher && priority > alerts[victim].priority
        guard !intercept || preempts else { return nil }
        return now < protectedUntil(victim) ? .waitUrgently(for: victim) : .cover(victim)
    }

    /// The one on top that gives way: the first shown where alerts lie on each other, the lowest-ranked where they leave.
    @inline(__always)
    func victim(on id: Int32) -> Int32 {
        var victim = surfaces[id].lowestOnTop
        guard surfaces[id].policy.covered == .hide else { return victim }
        var slot = alerts[victim].above
        while slot != SlotIndex.none {
            if isBetter(victim, than: slot) { victim = slot }
            slot = alerts[slot].above
        }
        return victim
    }

    @inline(__always)
    func protectedUntil(_ slot: Int32) -> Milliseconds {
        alerts[slot].shownAt + (alerts[slot].content.minShow ?? surfaces[alerts[slot].surface].policy.minShow)
    }

    /// An alert that is accepted, or whose data is complete, takes its place.
    ///
    /// - Parameter isNew: the state is told by the reply, not by a receipt.
    mutating func place(_ slot: Int32, _ placement: Placement, isNew: Bool, _ effects: inout [Effect]) {
        switch placement {
        case .show:
            show(slot, .raised, &effects)
        case .cover(let victim):
            cover(victim, &effects)
            show(slot, .raised, &effects)
        case .waitUrgently:
            enqueue(slot, .deferred, .intercepted, urgently: true)
        case .wait(let reason):
            enqueue(slot, .deferred, reason, urgently: false)
        case .refuse(let reason):
            end(slot, reason, &effects)
            return
        }
        guard !isNew else { return }
        tell(slot, alerts[slot].state == .shown ? .shown : .deferred, alerts[slot].reason, &effects)
    }

    // MARK: Raise

    mutating func raised(
        _ raise: Raise, by requester: Requester, _ effects: inout [Effect]
    ) throws(Refusal) -> Accepted {
        let known = surfaceNames.find(raise.surface)
        if let known, let producer = producers.find(requester.producer),
            let slot = alerts.find(surface: known, producer: producer, key: raise.key)
        {
            return try raisedAgain(slot, raise, by: requester, &effects)
        }
        let surface: Int32
        if let known { surface = known } else { surface = try addSurface(raise.surface) }
        do {
            return try admit(raise, by: requester, on: surface, &effects)
        } catch {
            if known == nil { removeNewestSurface() }
            throw error
        }
    }

    private mutating func admit(
        _ raise: Raise, by requester: Requester, on surface: Int32, _ effects: inout [Effect]
    ) throws(Refusal) -> Accepted {
        let content = raise.content
        let priority = effectivePriority(content.priority, on: surface, top: requester.topPriority)
        let breaksThrough = content.breakthrough && requester.mayBreakThrough
        let isLoading = !content.sources.isEmpty
        let placement = placement(
            on: surface, priority: priority, intercept: content.intercept, activate: content.activate,
            breaksThrough: breaksThrough)
        if !isLoading, !content.intercept, placement == .wait(.intercepted) || placement == .refuse(.intercepted) {
            throw Refusal(
                .overLimit,
                "\(raise.surface) shows \(surfaces[surface].shownCount) alerts of \(surfaces[surface].shownBytes) bytes and is full for this priority. Try again when some have ended.",
                retryAfter: 1000)
        }
        if !isLoading, case .refuse(let reason) = placement {
            throw Refusal(reason, refusalMessage(reason, raise.surface))
        }
        try checkLimits(raise, by: requester, isUrgent: priority >= surfaces[surface].policy.maxPriority)
        var waits = isLoading
        switch placement {
        case .wait, .waitUrgently: waits = true
        default: break
        }
        if waits { try makeRoom(on: surface, for: priority, &effects) }

        let slot = accept(raise, by: requester, surface, priority, breaksThrough)
        var position = 0
        if isLoading {
            startLoading(slot, &effects)
        } else {
            if waits { position = 1 + waitingCount(on: surface, from: priority) }
            place(slot, placement, isNew: true, &effects)
        }
        let instance = alerts[slot].instance
        settle(surface, &effects)
        // Settling may have ended it only if its lifetime were over, and a lifetime is at least one millisecond.
        let state = state(of: instance)
        return Accepted(
            surface: raise.surface, key: raise.key, instance: instance, revision: 1, state: state,
            position: state == .deferred ? position : 0)
    }

    /// The policy's range first, then what the requester may use at most.
    @inline(__always)
    func effectivePriority(_ priority: UInt8, on id: Int32, top: UInt8) -> UInt8 {
        max(1, min(surfaces[id].policy.effective(priority), top))
    }

    private mutating func raisedAgain(
        _ slot: Int32, _ raise: Raise, by requester: Requester, _ effects: inout [Effect]
    ) throws(Refusal) -> Accepted {
        // Compared as a copy: without optimisation Swift 6.3 compares a large part of what an accessor yields after the accessor has
        // ended, as Address Sanitizer tells.
        let current = alerts[slot].content
        let changes = current != raise.content
        if changes {
            guard raise.update else {
                throw Refusal(
                    .duplicate,
                    "The key \"\(raise.key)\" is in use on \(raise.surface) with other content. Send \"update\": true to change it, withdraw it first, or choose another key."
                )
            }
            guard current.sources == raise.content.sources else {
                throw Refusal(
                    .duplicate,
                    "The alert \"\(raise.key)\" on \(raise.surface) has other sources, and these cannot be changed in place. Withdraw it and raise it again."
                )
            }
            try checkBytes(raise.content.params.count - current.params.count, on: slot)
        }
        // Before the change, so that the sender hears what follows from it.
        attach(requester.session, to: slot)
        let instance = alerts[slot].instance
        var revision = alerts[slot].revision
        if changes {
            revision = applyUpdate(
                slot, raise.content, restartsLifetime: true, restartsDisplay: true, topPriority: requester.topPriority,
                mayBreakThrough: requester.mayBreakThrough, &effects)
        }
        return Accepted(
            surface: raise.surface, key: raise.key, instance: instance, revision: revision, state: state(of: instance),
            position: 0)
    }

    private func state(of instance: UInt64) -> PresentationState {
        alerts.find(instance: instance).map { alerts[$0].state } ?? .ended
    }

    private mutating func accept(
        _ raise: Raise, by requester: Requester, _ surface: Int32, _ priority: UInt8, _ breaksThrough: Bool
    ) -> Int32 {
        lastInstance += 1
        let content = raise.content
        let record = AlertRecord(
            instance: lastInstance, key: raise.key, content: content, surface: surface,
            producer: producers.use(requester.producer), priority: priority, topPriority: requester.topPriority,
            breaksThrough: breaksThrough, state: .deferred, reason: .raised, acceptedAt: now,
            expiresAt: content.ttl.map { now + $0 } ?? never, displayLeft: content.display ?? never, owner: 0)
        let slot = alerts.insert(record)
        bytes += alerts[slot].weight
        link(slot, onSurface: surface)
        attach(requester.session, to: slot)
        refreshDeadline(slot)
        return slot
    }

    private func refusalMessage(_ reason: Reason, _ surface: String) -> String {
        reason == .held
            ? "\(surface) is held (do not disturb) and the alert does not wait. Send \"activate\": true to have it wait."
            : "\(surface) is busy and the alert does not wait. Send \"activate\": true to have it wait, or \"intercept\": false to have it shown on top."
    }

    // MARK: Limits

    @inline(__always)
    private func checkLimits(_ raise: Raise, by requester: Requester, isUrgent: Bool) throws(Refusal) {
        if alerts.count >= limits.alerts - (isUrgent ? 0 : limits.reservedAlerts) {
            throw Refusal(
                .overLimit, "The arbiter holds \(alerts.count) alerts, its limit (alerts). Try again when some have ended.",
                retryAfter: 1000)
        }
        let own = requester.maxAlerts > 0 ? min(requester.maxAlerts, limits.alertsPerProducer) : limits.alertsPerProducer
        if let producer = producers.find(requester.producer), producers.uses(producer) >= own {
            throw Refusal(
                .overLimit,
                "The producer \"\(requester.producer)\" holds \(own) alerts, its limit (alerts_per_producer). Withdraw some first.",
                retryAfter: 1000)
        }
        if raise.content.sources.count > limits.sources {
            throw Refusal(
                .overLimit, "An alert may name \(limits.sources) sources (sources), this one names \(raise.content.sources.count).")
        }
        try checkBytes(raise.content.weight, reserve: isUrgent ? 0 : limits.reservedBytes)
    }

    @inline(__always)
    func checkBytes(_ more: Int, reserve: Int = 0) throws(Refusal) {
        if more > 0 && bytes + more > limits.bytes - reserve {
            throw Refusal(
                .overLimit,
                "The alerts hold \(bytes) bytes of parameters and data; the limit is \(limits.bytes) (bytes). Try again when some have ended.",
                retryAfter: 1000)
        }
    }

    /// The same for an alert that is there: on a screen with many others it may not grow without end.
    func checkBytes(_ more: Int, on slot: Int32) throws(Refusal) {
        try checkBytes(more)
        guard isTooMuch(more, on: slot) else { return }
        let id = alerts[slot].surface
        throw Refusal(
            .overLimit,
            "\(surfaces[id].path) shows \(surfaces[id].shownCount) alerts of \(surfaces[id].shownBytes) bytes; together they may hold \(Policy.mostShownBytes). Try again when some have ended.",
            retryAfter: 1000)
    }

    /// Whether a shown alert among many others may not hold so many bytes more.
    func isTooMuch(_ more: Int, on slot: Int32) -> Bool {
        let id = alerts[slot].surface
        return alerts[slot].state == .shown && more > 0 && surfaces[id].shownCount > Policy.manyShown
            && surfaces[id].shownBytes + more > Policy.mostShownBytes
    }

    /// Makes sure that one more alert may wait on a surface.
    private mutating func makeRoom(on id: Int32, for priority: UInt8, _ effects: inout [Effect]) throws(Refusal) {
        let capacity = surfaces[id].policy.capacity
        guard surfaces[id].waitingCount + surfaces[id].loadingCount >= capacity else { return }
        let refusal = Refusal(
            .overLimit,
            "\(surfaces[id].path) holds \(capacity) waiting alerts, its capacity. Try again when some have ended.",
            retryAfter: 1000)
        guard surfaces[id].policy.overflow == .evictLowest, let lowest = lowestWaiting(on: id),
            surfaces[id].level(priority) > surfaces[id].level(alerts[lowest].priority)
        else { throw refusal }
        end(lowest, .evicted, &effects)
    }
}
