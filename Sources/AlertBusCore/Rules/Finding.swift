import AlertBusModel

// Which alert a command means.
extension Arbiter {
    /// Of many alerts with one key a refusal names the newest.
    private static let namedInstances = 8

    func find(_ target: Target, on path: String) throws(Refusal) -> Int32 {
        let id = surfaceNames.find(path)
        switch target {
        case .top:
            guard let id, surfaces[id].top != SlotIndex.none else {
                throw Refusal(.unknownAlert, "Nothing is shown on \(path).")
            }
            return surfaces[id].top
        case .instance(let instance):
            if let id, let slot = alerts.find(instance: instance), alerts[slot].surface == id { return slot }
            if let id, let outcome = ended.find(instance: instance), outcome.surface == id {
                throw alreadyEnded(outcome)
            }
            throw Refusal(.unknownAlert, "There is no alert \(instance) on \(path). `list` shows what there is.")
        case .key(let key):
            guard let id else {
                throw Refusal(.unknownAlert, "There is no surface \(path) yet, so no alert \"\(key)\" on it.")
            }
            let found = alerts.find(surface: id, key: key, limit: Self.namedInstances)
            if found.count == 1 { return found[0] }
            if found.isEmpty {
                if let outcome = ended.find(surface: id, key: key) { throw alreadyEnded(outcome) }
                throw Refusal(.unknownAlert, "There is no alert \"\(key)\" on \(path). `list` shows what there is.")
            }
            let instances = found.map { alerts[$0].instance }.sorted()
            throw Refusal(
                .unknownAlert,
                "Several producers use the key \"\(key)\" on \(path). Name the instance: \(instances.map(String.init).joined(separator: ", ")).",
                instances: instances)
        }
    }

    /// The sender's own alert with this key.
    func ownAlert(
        _ path: String, _ key: String, _ revision: UInt32?, by requester: Requester
    ) throws(Refusal) -> Int32 {
        guard let id = surfaceNames.find(path) else {
            throw Refusal(.unknownAlert, "There is no surface \(path) yet, so no alert \"\(key)\" on it.")
        }
        guard let producer = producers.find(requester.producer),
            let slot = alerts.find(surface: id, producer: producer, key: key)
        else {
            if let outcome = ended.find(surface: id, key: key, producer: requester.producer) {
                throw alreadyEnded(outcome)
            }
            throw Refusal(
                .unknownAlert,
                "The producer \"\(requester.producer)\" has no alert \"\(key)\" on \(path). `list` shows what there is.")
        }
        try checkRevision(revision, of: slot)
        return slot
    }

    @inline(__always)
    func checkRevision(_ revision: UInt32?, of slot: Int32) throws(Refusal) {
        guard let revision else { return }
        let current = alerts[slot].revision
        if revision < current {
            throw Refusal(
                .stale, "The alert is at revision \(current); the command names \(revision). Look at it again and decide anew.")
        }
        if revision > current {
            throw Refusal(.unknownAlert, "The alert is at revision \(current); there is no revision \(revision) yet.")
        }
    }

    private func alreadyEnded(_ outcome: EndedMemory.Outcome) -> Refusal {
        let receipt = outcome.receipt
        return Refusal(
            .alreadyEnded,
            "The alert \"\(receipt.key)\" (instance \(receipt.instance)) has ended: \(receipt.reason.explanation).")
    }

    /// Where an alert stands or how it ended. The sender hears what follows.
    mutating func status(
        _ path: String, _ target: Target, by requester: Requester
    ) throws(Refusal) -> Receipt {
        let id = surfaceNames.find(path)
        if case .key(let key) = target, let id {
            // A producer that asks by key means its own alert, alive or ended, before anybody else's.
            let own = producers.find(requester.producer).flatMap { alerts.find(surface: id, producer: $0, key: key) }
            if let own { return attachAndTell(own, requester) }
            if alerts.find(surface: id, key: key, limit: 1).isEmpty || !requester.producer.isEmpty,
                let outcome = ended.find(surface: id, key: key, producer: requester.producer)
                    ?? (alerts.find(surface: id, key: key, limit: 1).isEmpty ? ended.find(surface: id, key: key) : nil)
            {
                return outcome.receipt
            }
        }
        if case .instance(let instance) = target, let id, let outcome = ended.find(instance: instance), outcome.surface == id {
            return outcome.receipt
        }
        return attachAndTell(try find(target, on: path), requester)
    }

    private mutating func attachAndTell(_ slot: Int32, _ requester: Requester) -> Receipt {
        attach(requester.session, to: slot)
        let event: Receipt.Event =
            switch alerts[slot].state {
            case .loading: .loading
            case .deferred: .deferred
            case .covered: .covered
            case .shown, .ended: alerts[slot].reason == .resumed ? .resumed : .shown
            }
        return receipt(slot, event, alerts[slot].reason)
    }
}
