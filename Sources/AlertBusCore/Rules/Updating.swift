import AlertBusModel

extension Arbiter {
    mutating func updated(
        _ update: Update, by requester: Requester, _ effects: inout [Effect]
    ) throws(Refusal) -> Done {
        let slot = try ownAlert(update.surface, update.key, update.revision, by: requester)
        var content = alerts[slot].content
        if let priority = update.priority { content.priority = priority }
        if let intercept = update.intercept { content.intercept = intercept }
        if let activate = update.activate { content.activate = activate }
        if let ttl = update.ttl { content.ttl = ttl }
        if let display = update.display { content.display = display }
        if let presentation = update.presentation { content.presentation = presentation }
        if let params = update.params {
            try checkBytes(params.count - content.params.count, on: slot)
            content.params = params
        }
        let instance = alerts[slot].instance
        let revision = applyUpdate(
            slot, content, restartsLifetime: update.ttl != nil, restartsDisplay: update.display != nil,
            topPriority: update.priority == nil ? alerts[slot].topPriority : requester.topPriority,
            mayBreakThrough: alerts[slot].breaksThrough, &effects)
        return Done(instance: instance, revision: revision, count: 1)
    }

    /// Changes the content in place: the alert keeps its arrival; a waiting one may change rank.
    ///
    /// - Returns: the new revision. The alert itself may have ended meanwhile: without what protected it until now, whoever
    ///   waited for its place takes it.
    mutating func applyUpdate(
        _ slot: Int32, _ content: AlertContent, restartsLifetime: Bool, restartsDisplay: Bool, topPriority: UInt8,
        mayBreakThrough: Bool, _ effects: inout [Effect]
    ) -> UInt32 {
        let id = alerts[slot].surface
        let isWaiting = alerts[slot].state == .deferred || alerts[slot].state == .covered
        let wasUrgent = alerts[slot].isUrgent
        let priority = effectivePriority(content.priority, on: id, top: topPriority)
        let breaksThrough = content.breakthrough && mayBreakThrough
        let changesQueue = isWaiting && (priority != alerts[slot].priority || breaksThrough != alerts[slot].breaksThrough)
        if changesQueue { dequeue(slot) }
        let growth = content.weight - alerts[slot].content.weight
        bytes += growth
        if alerts[slot].state == .shown { surfaces[id].shownBytes += growth }
        let closed = alerts[slot].content.closesOnOwnerLoss
        alerts[slot].update(
            content, priority: priority, topPriority: topPriority, breaksThrough: breaksThrough,
            restartsLifetime: restartsLifetime, restartsDisplay: restartsDisplay, at: now)
        if changesQueue { enqueue(slot, alerts[slot].state, alerts[slot].reason, urgently: wasUrgent) }
        if closed != content.closesOnOwnerLoss { closingChanged(slot) }
        refreshDeadline(slot)
        if alerts[slot].state == .shown { publish(id, .updated, .update(shownAlert(slot)), &effects) }
        let revision = alerts[slot].revision
        settle(id, &effects)
        return revision
    }
}

extension AlertRecord {
    /// The next revision.
    fileprivate mutating func update(
        _ content: AlertContent, priority: UInt8, topPriority: UInt8, breaksThrough: Bool, restartsLifetime: Bool,
        restartsDisplay: Bool, at now: Milliseconds
    ) {
        self.content = content
        revision += 1
        self.priority = priority
        self.topPriority = topPriority
        self.breaksThrough = breaksThrough
        if restartsLifetime { expiresAt = content.ttl.map { now + $0 } ?? never }
        if restartsDisplay {
            displayLeft = content.display ?? never
            if onTopSince != nil { onTopSince = now }
        }
    }
}
