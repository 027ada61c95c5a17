import AlertBusCore
import AlertBusJournal
import AlertBusModel

// When the journal takes nothing: nothing is accepted, and the screens stay as they are.
extension Service {
    func journalRefusal(_ fault: JournalError) -> Refusal {
        Refusal(
            .overLimit, "Nothing is accepted because the journal cannot be written. \(fault) Send it again afterwards.",
            retryAfter: 1000)
    }

    /// The newest batches are not in the journal, but the core has taken them: it goes back to what the journal holds, and
    /// whoever waits for an answer is told.
    func journalFailed(_ lost: [Pipeline.Sealed]) {
        guard let fault = pipeline.fault else { return }
        report("The journal cannot be written; nothing is accepted until it can. \(fault)")
        goBack()
        var outboxes = lost.map(\.outbox)
        var disturbed: [UInt64: Session] = [:]
        outboxes.append(pipeline.discardCurrent())
        for outbox in outboxes {
            for (session, ref) in outbox.commands { refuse(session, ref, journalRefusal(fault)) }
            for item in outbox.items { recover(item, &disturbed) }
        }
        for session in disturbed.values.sorted(by: { $0.number < $1.number }) where !session.isGone {
            session.loseStream()
            if !session.asked.isEmpty { resume(session) } else { session.needsSnapshot = false }
        }
    }

    /// What was held back and is not said now. Subscriptions are no business of the journal, and stand.
    private func recover(_ item: Outbox.Item, _ disturbed: inout [UInt64: Session]) {
        switch item {
        case .subscribe(let session, let scope):
            pipeline.current.items.append(.subscribe(session, scope))
            disturbed[session.number] = session
        case .unsubscribe(let session, let scope): pipeline.current.items.append(.unsubscribe(session, scope))
        case .part(let session, _, let bytes, _):
            session.bytesInFlight -= bytes
            disturbed[session.number] = session
        case .resume(let session, _): disturbed[session.number] = session
        case .publish, .direct, .snapshotSent, .beat: break
        }
    }

    func journalRecovered() {
        report("The journal takes writes again.")
        for load in arbiter.pendingLoads where !providers.isKnown(load.load) { ask(load) }
    }

    /// The state that the journal holds. If it cannot even be read, the screens that are connected keep what they show.
    private func goBack() {
        guard let journal = pipeline.journal else { return }
        let fresh = Arbiter(policies: configuration.policies, limits: configuration.limits, epoch: arbiter.epoch)
        let result = Result { () throws(JournalError) in
            try journal.use { store throws(JournalError) in
                try Replay.run(store, fresh: fresh, until: try store.readHead().position)
            }
        }
        switch result {
        case .success(.success(let replay)):
            arbiter = replay.arbiter
            for (surface, seq) in arbiter.heads() { delivery.audience[surfaceIndex(surface)].lastSeq = seq }
            providers.keep(Set(arbiter.pendingLoads.map(\.load)))
        case .success(.failure(let fault)):
            report("The journal cannot be replayed at position \(fault.position): \(fault.detail)")
        case .failure(let error):
            report("The journal cannot be read either. \(error)")
        }
    }
}
