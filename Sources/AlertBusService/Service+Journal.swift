import AlertBusCore
import AlertBusJournal
import AlertBusModel

// When the journal takes nothing: nothing is accepted, and the screens stay as they are.
extension Service {
    /// What the state says may be more than what the journal holds: nothing is told of it.
    var isStateUncertain: Bool { isStateAhead || pipeline.isInDoubt }

    func journalRefusal(_ fault: JournalError) -> Refusal {
        Refusal(
            .overLimit, "Nothing is accepted because the journal cannot be written. \(fault) Send it again afterwards.",
            retryAfter: 1000)
    }

    /// At once, although it may not be known yet what the journal took.
    func reportFailure() {
        guard let fault = pipeline.fault, !isFailureReported else { return }
        isFailureReported = true
        report("The journal cannot be written; nothing is accepted until it can. \(fault)")
    }

    /// The newest batches are not in the journal, but the core has taken them: it goes back to what the journal holds, and
    /// whoever waits for an answer is told.
    func journalFailed(_ lost: [Pipeline.Sealed]) {
        guard let fault = pipeline.fault else { return }
        guard !lost.isEmpty else { return releaseHeld() }
        rememberLostOwners(of: lost)
        isStateAhead = !goBack()
        var disturbed = Disturbed()
        for sealed in lost {
            for claim in sealed.outbox.claims { answer(claim, fault, &disturbed) }
            for item in sealed.outbox.items {
                switch item {
                case .part(let session, _, let bytes, _):
                    session.bytesInFlight -= bytes
                    disturbed.add(session)
                case .resume(let session, _): disturbed.add(session)
                case .publish, .direct, .subscribe, .unsubscribe, .snapshotSent, .beat: break
                }
            }
        }
        for session in disturbed.sessions where !session.isGone {
            session.loseStream()
            heldClaims.append(.init(session: session, ref: [], kind: .resumption))
        }
        for (session, scope, ref) in disturbed.awaited { session.unanswered[scope] = ref }
        if !isStateAhead { releaseHeld() }
    }

    /// Sessions whose snapshots were in a lost batch, and under which references they await them.
    private struct Disturbed {
        private(set) var sessions: [Session] = []
        var awaited: [(Session, SurfaceScope, ref: [UInt8])] = []

        mutating func add(_ session: Session) {
            if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
        }
    }

    private func answer(_ claim: Outbox.Claim, _ fault: JournalError, _ disturbed: inout Disturbed) {
        switch claim.kind {
        case .refusable: refuse(claim.session, claim.ref, journalRefusal(fault))
        case .done: reply(to: claim.session) { $0.done(ref: claim.ref) }
        case .end(let scope):
            pipeline.current.items.append(.unsubscribe(claim.session, scope))
            reply(to: claim.session) { $0.done(ref: claim.ref) }
        case .subscription(let scope):
            // Subscriptions are no business of the journal, and stand.
            pipeline.current.items.append(.subscribe(claim.session, scope))
            if !claim.ref.isEmpty { disturbed.awaited.append((claim.session, scope, claim.ref)) }
            disturbed.add(claim.session)
        case .resumption: heldClaims.append(claim)
        }
    }

    /// Those who subscribed while the state was uncertain get it now.
    private func releaseHeld() {
        let held = heldClaims
        heldClaims = []
        for claim in held where !claim.session.isGone {
            switch claim.kind {
            case .subscription(let scope): subscribe(claim.session, scope, claim.ref)
            case .resumption:
                if claim.session.asked.isEmpty {
                    claim.session.needsSnapshot = false
                } else if !claim.session.isResuming {
                    resume(claim.session)
                }
            case .refusable, .done, .end: break
            }
        }
    }

    func journalRecovered() {
        if isStateAhead {
            guard goBack() else {
                pipeline.fail(JournalError(.inputOutput, detail: "it takes writes, but cannot be read"))
                return
            }
            isStateAhead = false
        }
        isFailureReported = false
        report("The journal takes writes again.")
        // The first batch of this generation, or a new configuration, may be among what was lost.
        if arbiter.epoch != pipeline.head.epoch { begin() } else { configureIfNeeded() }
        releaseHeld()
        for load in arbiter.pendingLoads where !providers.isKnown(load.load) { ask(load) }
    }

    /// The state that the journal holds.
    /// - Returns: false when the journal cannot even be read. The screens that are connected keep what they show.
    private func goBack() -> Bool {
        guard let journal = pipeline.journal else { return true }
        let result = Result { () throws(JournalError) in
            try journal.use { store throws(JournalError) in
                try Replay.run(store, until: try store.readHead().position)
            }
        }
        switch result {
        case .success(.success(let replay)):
            replay.warnings.forEach(report)
            arbiter = replay.arbiter
            delivery.audience.restart()
            for (surface, seq) in arbiter.heads() { self.surface(surface).lastSeq = seq }
            // What was asked in a lost batch was never sent; all is asked again when the journal takes writes.
            providers.keep([])
            return true
        case .success(.failure(let fault)):
            report("The journal cannot be replayed at position \(fault.position): \(fault.detail)")
        case .failure(let error):
            report("The journal cannot be read either. \(error)")
        }
        return false
    }

    /// The core forgets them with the batch; they are told to it again.
    private func rememberLostOwners(of lost: [Pipeline.Sealed]) {
        let reader = InputReader()
        for sealed in lost {
            for entry in sealed.batch.entries where entry.bytes.first == InputRecord.Kind.ownerLost.rawValue {
                if case .ownerLost(let session)? = try? reader.read(entry.bytes).input { lostOwners.append(session) }
            }
        }
    }

    /// So that the next start has nothing to replay.
    func saveAtEnd() {
        guard !pipeline.isFailed, !pipeline.isWaiting, pipeline.saving.hasNews, let journal = pipeline.journal else { return }
        let content = SnapshotSchedule.content(of: arbiter, position: pipeline.head.position, time: arbiter.now)
        do throws(JournalError) {
            try journal.use { store throws(JournalError) in try store.storeSnapshot(content) }
        } catch {
            report("The state was not saved at the end; the next start replays the journal. \(error)")
        }
    }
}
