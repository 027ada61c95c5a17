import AlertBusModel

/// The alerts that end when a session is lost. Ended ones are swept out in bulk.
struct CloserList: Sendable {
    var instances: [UInt64] = []
    var live = 0
}

extension Arbiter {
    /// Sessions that hear of one alert; the oldest gives way.
    private static let maxOwners = 8

    /// In the order of attachment.
    @inline(__always)
    func owners(of slot: Int32) -> [UInt64] {
        let owner = alerts[slot].owner
        if owner == 0 { return [] }
        return [owner] + (coOwners[alerts[slot].instance] ?? [])
    }

    mutating func attach(_ session: UInt64, to slot: Int32) {
        guard session != 0 else { return }
        if alerts[slot].owner == session && alerts[slot].orphanedUntil == nil { return }
        let instance = alerts[slot].instance
        if alerts[slot].orphanedUntil != nil {
            alerts[slot].orphanedUntil = nil
            refreshDeadline(slot)
        }
        if alerts[slot].owner == 0 {
            alerts[slot].owner = session
        } else {
            var all = owners(of: slot)
            if all.contains(session) { return }
            all.append(session)
            if all.count > Self.maxOwners { stopClosing(instance, for: all.removeFirst()) }
            setOwners(all, of: slot)
        }
        if alerts[slot].content.closesOnOwnerLoss { startClosing(instance, for: session) }
    }

    mutating func ownerLost(_ session: UInt64, _ effects: inout [Effect]) {
        guard let list = closers.removeValue(forKey: session) else { return }
        // By instance; all of them before anything follows from it.
        var touched: Set<Int32> = []
        for instance in Set(list.instances).sorted() {
            guard let slot = alerts.find(instance: instance), alerts[slot].content.closesOnOwnerLoss else { continue }
            let left = owners(of: slot).filter { $0 != session }
            if left.count == owners(of: slot).count { continue }
            setOwners(left, of: slot)
            guard left.isEmpty else { continue }
            touched.insert(alerts[slot].surface)
            end(slot, .ownerLost, &effects)
        }
        for id in touched.sorted() { settle(id, &effects) }
    }

    /// Nobody hears of it any more.
    mutating func disown(_ slot: Int32) {
        if alerts[slot].content.closesOnOwnerLoss {
            for session in owners(of: slot) { stopClosing(alerts[slot].instance, for: session) }
        }
        setOwners([], of: slot)
    }

    mutating func closingChanged(_ slot: Int32) {
        for session in owners(of: slot) {
            if alerts[slot].content.closesOnOwnerLoss {
                startClosing(alerts[slot].instance, for: session)
            } else {
                stopClosing(alerts[slot].instance, for: session)
            }
        }
    }

    private mutating func setOwners(_ sessions: [UInt64], of slot: Int32) {
        alerts[slot].owner = sessions.first ?? 0
        coOwners[alerts[slot].instance] = sessions.count > 1 ? Array(sessions.dropFirst()) : nil
    }

    private mutating func startClosing(_ instance: UInt64, for session: UInt64) {
        closers[session, default: CloserList()].instances.append(instance)
        closers[session]!.live += 1
    }

    private mutating func stopClosing(_ instance: UInt64, for session: UInt64) {
        guard closers[session] != nil else { return }
        closers[session]!.live -= 1
        let list = closers[session]!
        if list.live <= 0 {
            closers[session] = nil
        } else if list.instances.count > 2 * list.live + 16 {
            closers[session]!.instances = list.instances.filter { other in
                other != instance && alerts.find(instance: other) != nil
            }
        }
    }

    // MARK: Receipts

    mutating func tell(_ slot: Int32, _ event: Receipt.Event, _ reason: Reason, _ effects: inout [Effect]) {
        effects.append(.receipt(receipt(slot, event, reason), to: owners(of: slot)))
    }

    func receipt(
        _ slot: Int32, _ event: Receipt.Event, _ reason: Reason, answer: [UInt8] = [], detail: String = ""
    ) -> Receipt {
        Receipt(
            surface: surfaces[alerts[slot].surface].path, key: alerts[slot].key, instance: alerts[slot].instance,
            revision: alerts[slot].revision, event: event, reason: reason, answer: answer, detail: detail)
    }
}
