import AlertBusConfiguration
import AlertBusCore
import AlertBusModel
import AlertBusWire
import ZeroMQ

// What peers ask for.
extension Service {
    /// A message of one body has arrived in `message`.
    func received(from session: Session) {
        message.withUnsafeBytes { received($0, from: session) }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, from session: Session) {
        do throws(WireFault) {
            try decoder.decode(bytes, into: &request)
        } catch {
            delivery.counters.malformed += 1
            delivery.counters.noteRefused(error.reason)
            replyInAnyCase(to: session) { $0.refused(error) }
            if let load = error.load { loadAnswerRefused(load, error, session) }
            return
        }
        handle(&request, bytes, from: session)
    }

    func refuseFrames(_ session: Session, _ count: Int) {
        delivery.counters.malformed += 1
        delivery.counters.noteRefused(.malformed)
        // Nobody does that by mistake.
        if count > configuration.peerLimits.frames, let connection = session.connection {
            admission.connections.hangUp(connection)
            return
        }
        let refusal = Refusal(
            .malformed, "frames: expected one frame with a JSON object, got \(count) frames. Send the message as a single frame.")
        replyInAnyCase(to: session) { $0.refused(refusal, ref: []) }
    }

    /// - Parameters:
    ///   - request: is not changed; `inout` lets it be read where it lies, without a copy.
    ///   - bytes: the message, for the journal.
    private func handle(_ request: inout DecodedRequest, _ bytes: UnsafeRawBufferPointer, from session: Session) {
        if admission.access.permissions != nil,
            let refusal = admission.access.refusal(of: request.request, by: session.client) ?? statusRefusal(request, session)
        {
            refuse(session, request.ref, refusal)
            return
        }
        if let refusal = rateRefusal(request, session) {
            refuse(session, request.ref, refusal)
            return
        }
        if request.isRaise { return carryOutRaise(&request, bytes, from: session) }
        if isStateUncertain, let fault = pipeline.fault, asksAboutState(request.body) {
            refuse(session, request.ref, journalRefusal(fault))
            return
        }
        switch request.body {
        case .command(let command):
            carryOut(command, request, bytes, from: session)
        case .ping:
            pong(request, session)
        case .drawn(let surface, let epoch, let seq):
            drawn(session, surface, epoch, seq)
        case .subscribe(let scope):
            subscribe(session, scope, request.ref)
        case .unsubscribe(let scope):
            session.asked.removeAll { $0 == scope }
            pipeline.current.items.append(.unsubscribe(session, scope))
            claim(session, request.ref, .end(of: scope))
            reply(to: session) { $0.done(ref: request.ref) }
        case .counters:
            reply(to: session) { $0.counters(counterReport(ref: request.ref)) }
        case .sync(let scope):
            claim(session, request.ref, .refusable)
            let content = PartedReply.Content.snapshot(scope, next: 0, isSubscription: false)
            reply(PartedReply(ref: request.ref, content: content), to: session)
        case .list(let scope, let subscribers):
            claim(session, request.ref, .refusable)
            let content = subscribers ? PartedReply.Content.subscribers(scope, after: 0) : .alerts(scope, next: ListingPlace())
            reply(PartedReply(ref: request.ref, content: content), to: session)
        case .why(let surface, let target):
            why(surface, target, session, request.ref)
        case .provide(let name):
            provide(session, name, request.ref)
        case .unprovide(let name):
            providers.remove(session, name: name)
            claim(session, request.ref, .done)
            reply(to: session) { $0.done(ref: request.ref) }
        case .loaded(let load, let rows):
            loadAnswered(load, .loaded(load: load, rows: rows), request, bytes, session)
        case .loadFailed(let load, let text):
            loadAnswered(load, .loadFailed(load: load, message: text), request, bytes, session)
        }
    }

    /// Writes a message to one peer behind everything that comes before it.
    func reply(to session: Session, _ write: (inout MessageWriter) -> Void) {
        write(&pipeline.current.writer)
        pipeline.current.add(to: session)
    }

    /// The same, but not behind what waits for a journal that is in doubt.
    func replyInAnyCase(to session: Session, _ write: (inout MessageWriter) -> Void) {
        guard pipeline.isInDoubt else { return reply(to: session, write) }
        write(&pipeline.aside.writer)
        pipeline.aside.add(to: session)
    }

    func refuse(_ session: Session, _ ref: [UInt8], _ refusal: Refusal) {
        delivery.counters.noteRefused(refusal.reason)
        replyInAnyCase(to: session) { $0.refused(refusal, ref: ref) }
    }

    /// Remembers who has to be answered in another way should the journal not take the batch.
    func claim(_ session: Session, _ ref: [UInt8], _ kind: Outbox.Claim.Kind) {
        guard pipeline.journal != nil else { return }
        pipeline.current.claim(session, ref, kind)
    }

    private func asksAboutState(_ body: Request.Body) -> Bool {
        switch body {
        case .list, .sync, .why: true
        default: false
        }
    }

    // MARK: Permissions

    /// Who the core hears: by the key where there are keys, by the claim otherwise.
    private func requester(_ request: DecodedRequest, _ session: Session) -> Requester {
        guard session.hasClient, let client = session.client else {
            return Requester(session: session.number, producer: request.producer ?? "", once: request.once)
        }
        return Requester(
            session: session.number, producer: client.name, once: request.once, mayBreakThrough: client.breakthrough,
            topPriority: client.topPriority, maxAlerts: client.alerts)
    }

    /// `status` attaches the sender, who then hears the answer: with keys, only a producer to its own alerts, or whoever
    /// may see or operate the surface, and those without being attached.
    private func statusRefusal(_ request: DecodedRequest, _ session: Session) -> Refusal? {
        guard !request.isRaise, let client = session.client, case .command(.status(let surface, let target)) = request.body,
            !arbiter.isOwn(surface, target, of: client.name)
        else { return nil }
        return admission.access.refusal(ofForeignStatus: surface, by: client)
    }

    private func mayAttach(_ session: Session, _ command: Command) -> Bool {
        guard case .status(let surface, let target) = command, let client = session.client else { return true }
        return arbiter.isOwn(surface, target, of: client.name)
    }

    /// Commands of one key, or of one connection where there are no keys, pass at a rate; the arbiter serves the others
    /// meanwhile. So do questions that make the arbiter walk through its state.
    private func rateRefusal(_ request: DecodedRequest, _ session: Session) -> Refusal? {
        if !request.isRaise {
            switch request.body {
            case .sync, .subscribe, .list, .counters:
                guard let wait = questionWait(session) else { return nil }
                return Refusal(
                    .overLimit, "More snapshots and lists than the limit (snapshot_requests_per_second).", retryAfter: wait)
            case .command: break
            default: return nil
            }
        }
        let rate = commandRate(session)
        guard rate > 0 else { return nil }
        return rateRefusal(session, rate, isUrgent: !request.isRaise || isUrgent(request.raise, of: session))
    }

    private func isUrgent(_ raise: Raise, of session: Session) -> Bool {
        let top = arbiter.policy(for: raise.surface).maxPriority
        return raise.content.priority >= min(top, session.client?.topPriority ?? top)
    }

    /// Commands in a second; 0 is without limit.
    private func commandRate(_ session: Session) -> Int {
        let own = session.hasClient ? session.client?.ratePerSecond ?? 0 : 0
        return own > 0 ? own : configuration.peerLimits.ratePerSecond
    }

    private func rateRefusal(_ session: Session, _ rate: Int, isUrgent: Bool) -> Refusal? {
        let own = session.client?.ratePerSecond ?? 0
        let burst: Int =
            if own == 0 { configuration.peerLimits.burst } else if let burst = session.client?.burst, burst > 0 { burst } else {
                rate
            }
        let full = TokenBucket(burst: max(1, burst), at: now)
        let wait: Milliseconds
        if let name = session.client?.name {
            wait = buckets[name, default: full].take(rate: rate, burst: max(1, burst), isUrgent: isUrgent, at: now)
        } else {
            var bucket = session.bucket ?? full
            wait = bucket.take(rate: rate, burst: max(1, burst), isUrgent: isUrgent, at: now)
            session.bucket = bucket
        }
        guard wait > 0 else { return nil }
        return Refusal(.overLimit, "More than \(rate) commands a second (rate_per_second).", retryAfter: wait)
    }

    /// A client that comes back subscribes to everything at once, so the burst is as large as it may have subscriptions.
    private func questionWait(_ session: Session) -> Milliseconds? {
        let rate = configuration.peerLimits.snapshotRequestsPerSecond
        guard rate > 0 else { return nil }
        let burst = max(rate, configuration.peerLimits.subscriptionsPerSession)
        var bucket = session.snapshotBucket ?? TokenBucket(burst: burst, at: now)
        let wait = bucket.take(rate: rate, burst: burst, isUrgent: true, at: now)
        session.snapshotBucket = bucket
        return wait > 0 ? wait : nil
    }

    // MARK: Commands

    private func carryOutRaise(
        _ request: inout DecodedRequest, _ bytes: UnsafeRawBufferPointer, from session: Session
    ) {
        let requester = requester(request, session)
        guard take(request, requester, bytes, from: session) else { return }
        if request.raise.content.closesOnOwnerLoss { session.ownsClosers = true }
        step(request.raise, from: requester, for: session, ref: request.ref)
    }

    private func carryOut(
        _ command: Command, _ request: DecodedRequest, _ bytes: UnsafeRawBufferPointer, from session: Session
    ) {
        var requester = requester(request, session)
        if !mayAttach(session, command) { requester.session = 0 }
        guard take(request, requester, bytes, from: session) else { return }
        // A status attaches the sender, so it may become the owner of one that closes.
        if case .status = command { session.ownsClosers = true }
        step(command, from: requester, for: session, ref: request.ref)
    }

    /// Hands a command to the journal; refuses it while the journal takes nothing.
    @inline(__always)
    private func take(
        _ request: DecodedRequest, _ requester: Requester, _ bytes: UnsafeRawBufferPointer, from session: Session
    ) -> Bool {
        if pipeline.isFailed, let fault = pipeline.fault {
            refuse(session, request.ref, journalRefusal(fault))
            return false
        }
        pipeline.record(requester, bytes, at: now)
        claim(session, request.ref, .refusable)
        return true
    }

    // MARK: Liveness

    private static var positionsInPong: Int { 1000 }

    private func pong(_ request: DecodedRequest, _ session: Session) {
        var positions: [Pong.Position] = []
        // While a snapshot is on its way the positions are in it, and here they would look like a loss.
        let isWhole = !session.needsSnapshot && !session.replies.contains { $0.subscription != nil }
        if isWhole {
            session.unreported.sort { $0.surface < $1.surface }
            for progress in session.unreported.prefix(Self.positionsInPong) {
                progress.isUnreported = false
                positions.append(.init(surface: delivery.audience[progress.surface].path, seq: progress.sent))
            }
            session.unreported.removeFirst(positions.count)
        }
        let pong = Pong(ref: request.ref, epoch: arbiter.epoch, session: session.number, surfaces: positions)
        replyInAnyCase(to: session) { $0.pong(pong) }
    }

    private func drawn(_ session: Session, _ path: String, _ epoch: UInt64, _ seq: UInt64) {
        guard epoch == arbiter.epoch, let surface = delivery.audience.find(path),
            let screen = session.screens[surface.index], seq <= screen.sent
        else {
            // Of an older epoch, or of something that this session was never sent.
            delivery.counters.confirmationsIgnored += 1
            return
        }
        let newest = surface.lastSeq
        if seq > max(screen.drawn ?? 0, screen.base), let sent = surface.sentAt.time(of: seq, newest: newest) {
            let took = ServiceClock.microseconds() - sent
            delivery.timeToScreen.note(took)
            session.noteTimeToScreen(took)
            screen.toScreen = (took + 999) / 1000
        }
        let drawn = max(screen.drawn ?? 0, seq)
        screen.drawn = drawn
        if drawn >= screen.sent {
            screen.behindSince = nil
        } else if let sent = surface.sentAt.time(of: drawn + 1, newest: newest) {
            // Of the oldest that is not drawn.
            screen.behindSince = now - (ServiceClock.microseconds() - sent) / 1000
        }
    }

    // MARK: Streams

    func subscribe(_ session: Session, _ scope: SurfaceScope, _ ref: [UInt8]) {
        if isStateUncertain {
            heldClaims.append(.init(session: session, ref: ref, kind: .subscription(scope)))
            return
        }
        let isNew = !session.asked.contains(scope)
        if isNew && session.asked.count >= configuration.peerLimits.subscriptionsPerSession {
            let limit = configuration.peerLimits.subscriptionsPerSession
            refuse(
                session, ref,
                Refusal(
                    .overLimit,
                    "A session may hold \(limit) subscriptions (subscriptions_per_session). Use a wider scope such as \"lobby/\"."))
            return
        }
        claim(session, ref, .subscription(scope))
        if isNew { session.asked.append(scope) }
        pipeline.current.items.append(.subscribe(session, scope))
        if session.needsSnapshot && !session.isResuming {
            // Its stream begins again as soon as it takes messages, and then answers this.
            session.unanswered[scope] = ref
        } else {
            reply(PartedReply(ref: ref, content: .snapshot(scope, next: 0, isSubscription: true)), to: session)
        }
    }

    // MARK: Questions

    private func why(_ surface: String, _ target: Target, _ session: Session, _ ref: [UInt8]) {
        claim(session, ref, .refusable)
        do throws(Refusal) {
            let explanation = try arbiter.explain(surface, target)
            reply(to: session) { $0.explanation(explanation, ref: ref) }
        } catch {
            refuse(session, ref, error)
        }
    }

    // MARK: Data

    private func provide(_ session: Session, _ name: String, _ ref: [UInt8]) {
        let limit = configuration.peerLimits.providedNamesPerSession
        if session.provides.count >= limit && !session.provides.contains(name) {
            refuse(
                session, ref,
                Refusal(
                    .overLimit,
                    "A session may provide \(limit) names (provided_names_per_session). Unprovide some, or open another connection."
                ))
            return
        }
        let waiting = providers.add(session, name: name)
        claim(session, ref, .done)
        reply(to: session) { $0.done(ref: ref) }
        for load in waiting { ask(load) }
    }

    private func loadAnswered(
        _ load: UInt64, _ input: Input, _ request: DecodedRequest, _ bytes: UnsafeRawBufferPointer, _ session: Session
    ) {
        guard providers.isAssigned(load, to: session) else {
            guard !request.ref.isEmpty else { return }
            refuse(
                session, request.ref,
                Refusal(
                    .unknownAlert,
                    "load: \(load) is not with you; it was answered before, came too late, or nobody waits for it any more."))
            return
        }
        if pipeline.isFailed, let fault = pipeline.fault {
            // The provider is asked again when the journal takes writes again.
            _ = providers.finish(load)
            if !request.ref.isEmpty { refuse(session, request.ref, journalRefusal(fault)) }
            return
        }
        _ = providers.finish(load)
        pipeline.record(Requester(session: session.number), bytes, at: now)
        step(input, isRecorded: true)
        if !request.ref.isEmpty {
            claim(session, request.ref, .refusable)
            reply(to: session) { $0.done(ref: request.ref) }
        }
    }

    /// What a provider sent cannot be used, and nothing better will come. While the journal takes nothing, it is asked again later.
    private func loadAnswerRefused(_ load: UInt64, _ fault: WireFault, _ session: Session) {
        guard providers.isAssigned(load, to: session) else { return }
        _ = providers.finish(load)
        guard !pipeline.isFailed else { return }
        step(.loadFailed(load: load, message: "the answer of its provider was refused: \(fault.message)"))
    }

    func ask(_ load: Load) {
        guard let session = providers.assign(load) else { return }
        let request = LoadRequest(
            load: load.load, name: load.name, request: load.request, timeout: max(1, load.deadline - now))
        reply(to: session) { $0.load(request) }
    }
}
