import AlertBusConfiguration
import AlertBusCore
import AlertBusModel
import AlertBusWire
import ZeroMQ

// What the core decides, turned into messages.
extension Service {
    /// Steps the core; what it says is written to the outbox of the batch.
    ///
    /// - Parameter isRecorded: the bytes of the request are in the batch for the journal already.
    func step(_ input: Input, isRecorded: Bool = false) {
        if !isRecorded { pipeline.record(input, at: now) }
        arbiter.step(input, at: now, into: &effects)
        carryOutEffects(for: nil, ref: [])
    }

    /// Steps the core with a command, the bytes of which are in the batch for the journal already.
    func step(_ command: Command, from requester: Requester, for session: Session, ref: [UInt8]) {
        arbiter.step(command, from: requester, at: now, into: &effects)
        carryOutEffects(for: session, ref: ref)
    }

    func step(_ raise: Raise, from requester: Requester, for session: Session, ref: [UInt8]) {
        arbiter.step(raise, from: requester, at: now, into: &effects)
        carryOutEffects(for: session, ref: ref)
    }

    /// - Parameter session: who gets the reply.
    private func carryOutEffects(for session: Session?, ref: [UInt8]) {
        defer { effects.removeAll(keepingCapacity: true) }
        for index in effects.indices {
            // Taken out of the list: a copy would count a reference to everything in it.
            switch exchange(&effects[index], with: .unload(0)) {
            case .publish(let message): publish(message)
            case .receipt(let receipt, let owners): tell(receipt, owners)
            case .reply(let reply): if let session { answer(reply, session, ref) }
            case .load(let load): ask(load)
            case .unload(let load): unload(load)
            }
        }
    }

    func surface(_ path: String) -> Audience.Surface {
        if let surface = delivery.audience.find(path) { return surface }
        let surface = delivery.audience.add(path)
        if feedSocket != nil { beats.surfaceAdded(count: surface.index + 1, at: now) }
        return surface
    }

    private func publish(_ message: StreamMessage) {
        let surface = surface(message.surface)
        surface.lastSeq = message.seq
        delivery.counters.published += 1
        let outbox = pipeline.current
        outbox.writer.stream(message)
        outbox.items.append(.publish(surface: surface, seq: message.seq, end: outbox.writer.count))
        if feedSocket != nil { beats.surfaceChanged(surface.index, at: now) }
    }

    private func tell(_ receipt: Receipt, _ owners: [UInt64]) {
        for owner in owners {
            guard let session = sessions[owner], session.wantsUnasked else { continue }
            pipeline.current.writer.event(receipt)
            pipeline.current.add(to: session, isReceipt: true)
        }
    }

    private func answer(_ reply: Reply, _ session: Session, _ ref: [UInt8]) {
        let outbox = pipeline.current
        switch reply {
        case .accepted(let accepted):
            delivery.counters.accepted += 1
            outbox.writer.accepted(accepted, ref: ref, watchers: delivery.audience.watchers(of: accepted.surface))
        case .refused(let refusal):
            delivery.counters.noteRefused(refusal.reason)
            outbox.writer.reply(reply, ref: ref)
        case .done, .event:
            outbox.writer.reply(reply, ref: ref)
        }
        outbox.add(to: session)
    }

    private func unload(_ load: UInt64) {
        guard let session = providers.finish(load) else { return }
        pipeline.current.writer.unload(load)
        pipeline.current.add(to: session)
    }

    // MARK: Configuration

    func reload(_ fresh: Configuration) {
        if let fault = pipeline.fault {
            report("The configuration was not loaded again because the journal cannot be written. \(fault)")
            return
        }
        configuration = fresh
        admission.connections.limit = Admission.limit(fresh)
        delivery.subscriberBound = fresh.peerLimits.subscriberBacklogBytes
        delivery.producerBound = fresh.peerLimits.producerBacklogBytes
        beats.afterChange = fresh.feed.beatAfter
        beats.cycle = fresh.feed.beatCycle
        step(.configured(fresh.policies, fresh.limits))
        reportFewDescriptors()
    }

    /// The system's limit goes before the configured one, and an operator should not have to find that out from refusals.
    func reportFewDescriptors() {
        let (limit, wanted) = (admission.connections.limit, configuration.peerLimits.connections)
        guard limit < wanted, let descriptors = try? FileDescriptorLimit.current() else { return }
        report(
            "The system allows \(descriptors.soft) open files, which is enough for \(limit) connections, not for \(wanted) "
                + "(limits.connections). Raise it (systemd: LimitNOFILE, shell: ulimit -n), or lower that.")
    }

    // MARK: Upkeep

    func sweepIfDue() throws(ZMQError) {
        if now >= beats.nextDue && !isStateUncertain { sendBeats() }
        if !isStateUncertain { goOnWithReplies() }
        if !delivery.behind.isEmpty && now >= min(nextRetry, nextCatchUp) && !isStateUncertain {
            let all = now >= nextRetry
            if all { nextRetry = now + Self.retryInterval }
            for session in try delivery.retry(probe: probe, all: all) { resume(session) }
            // What libzmq takes at once is a fraction of what a fast peer takes in the whole interval.
            nextCatchUp = delivery.isCatchingUp ? now + 1 : .max
        }
        if now >= nextProviderCheck {
            nextProviderCheck = .max
            try checkProviders()
        }
        if now >= nextSweep {
            // The permissions file may change although nobody is connected.
            let isIdle = sessions.isEmpty && admission.access.permissions == nil
            nextSweep = now + (isIdle ? 60_000 : Self.sweepInterval)
            try sweep()
        }
    }

    private func sendBeats() {
        for index in beats.take(at: now) where delivery.isFeedHeard {
            let surface = delivery.audience[index]
            guard let head = arbiter.head(of: surface.path) else { continue }
            let beat = Beat(surface: surface.path, epoch: arbiter.epoch, seq: head.seq, digest: head.digest)
            pipeline.current.writer.beat(beat)
            pipeline.current.items.append(.beat(surface: surface, end: pipeline.current.writer.count))
        }
    }

    /// A pong that nobody asked for: harmless, and it finds out whether the peer is still there.
    private var probe: [UInt8] {
        var writer = MessageWriter(capacity: 128)
        writer.pong(Pong(epoch: arbiter.epoch, session: 0))
        return writer.bytes
    }

    /// A subscriber that pings each second and has missed one: producers want to know soon that nobody watches.
    private static var subscriberPatience: Milliseconds { 2000 }

    /// Finds out which providers at work are gone; somebody else is asked in their place.
    private func checkProviders() throws(ZMQError) {
        let probe = self.probe
        var checked: Set<UInt64> = []
        for session in providers.busySessions where checked.insert(session.number).inserted {
            if session.backlog.isEmpty { _ = try delivery.offer(probe, to: session) }
        }
        for session in delivery.takeGone().sorted(by: { $0.number < $1.number }) { forget(session) }
    }

    private func sweep() throws(ZMQError) {
        followPermissions()
        checkInvariants()
        try sweepSubscriptions()
        let probe = self.probe
        let busy = Set(providers.busySessions.map(\.number))
        for session in sessions.values.sorted(by: { $0.number < $1.number }) {
            let silence = now - session.lastHeard
            if session.ownsClosers && silence >= configuration.liveness.ownerTimeout {
                session.ownsClosers = false
                lostOwners.append(session.number)
            }
            let patience = busy.contains(session.number) ? 500 : session.scopes.isEmpty ? 60_000 : Self.subscriberPatience
            guard silence >= patience, now - session.probedAt >= patience else { continue }
            if !session.wantsUnasked {
                delivery.markGone(session)
            } else if session.backlog.isEmpty && !session.needsSnapshot {
                session.probedAt = now
                _ = try delivery.offer(probe, to: session)
            }
        }
        for session in delivery.takeGone() { forget(session) }
        endOrphans()
    }

    /// The connection is gone, or has been given up.
    func forget(_ session: Session) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        sessionsByPeer.remove(session)
        for load in providers.forget(session) { ask(load) }
        if session.ownsClosers { lostOwners.append(session.number) }
    }

    /// Producers whose connection died. While the journal takes nothing they wait, like everything else.
    func endOrphans() {
        guard !pipeline.isFailed else { return }
        for session in lostOwners { step(.ownerLost(session: session)) }
        lostOwners.removeAll()
    }

    /// A line for the operator.
    func report(_ line: String) { onReport?(line) }
}
