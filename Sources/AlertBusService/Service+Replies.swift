import AlertBusModel
import AlertBusWire

// Replies in parts.
extension Service {
    /// What one part has at least, if there is that much to say.
    private static var partBytes: Int { 128 << 10 }
    /// What one session may have on its way to the sockets.
    private static var chunkBytes: Int { 512 << 10 }
    /// Surfaces or alerts that are looked at for one part.
    private static var scan: Int { 20_000 }
    /// Parts that are made in one turn of the loop, for all sessions together.
    private static var partsInTurn: Int { 8 }
    private static var alertsInPart: Int { 1000 }
    /// Long replies that one session may wait for beside its subscriptions.
    private static var replyLimit: Int { 8 }
    /// What one batch may have to say before it is sent.
    static var batchBytes: Int { 4 << 20 }

    /// Replies at once with as much as the peer is sure to take, and with the rest when it has taken that.
    func reply(_ reply: PartedReply, to session: Session) {
        if session.replies.count >= configuration.peerLimits.subscriptionsPerSession + Self.replyLimit {
            let refusal = Refusal(
                .overLimit, "\(session.replies.count) long replies wait for this session. Take them first.", retryAfter: 1000)
            return refuse(session, reply.ref, refusal)
        }
        session.replies.append(reply)
        var parts = 1
        goOn(with: session, &parts)
        if session.replies.isEmpty || session.isReplying { return }
        session.isReplying = true
        replying.append(session)
    }

    func goOnWithReplies() {
        if replying.isEmpty { return }
        let sessions = replying
        replying = []
        var waiting: [Session] = []
        var parts = Self.partsInTurn
        for session in sessions {
            let before = parts
            goOn(with: session, &parts)
            session.isReplying = !session.replies.isEmpty && !session.isGone
            guard session.isReplying else { continue }
            // Whoever got nothing comes first next time.
            if parts == before { replying.append(session) } else { waiting.append(session) }
        }
        replying += waiting
    }

    /// How long the loop may wait because of replies that are not finished.
    var replyDue: Milliseconds {
        if replying.isEmpty { return .max }
        return replying.contains { takesMore($0) } ? now : now + 5
    }

    private func takesMore(_ session: Session) -> Bool {
        // While it is behind, its backlog comes first; after a loss, the snapshot that its `resume` brings.
        !session.isGone && session.backlog.isEmpty && (!session.needsSnapshot || session.isResuming)
            && session.bytesInFlight < Self.chunkBytes && session.queued.count <= Delivery.queueBound / 2
    }

    /// - Parameter parts: how many may still be made.
    private func goOn(with session: Session, _ parts: inout Int) {
        while parts > 0, takesMore(session), !session.replies.isEmpty, pipeline.current.writer.count < Self.batchBytes {
            parts -= 1
            let isFinished = writePart(to: session)
            // A peer that expects one message gets the first part, which says whether it was all.
            if isFinished || !session.wantsUnasked { session.replies.removeFirst() }
        }
    }

    /// - Returns: whether it was the last one.
    private func writePart(to session: Session) -> Bool {
        let ref = session.replies[0].ref
        switch session.replies[0].content {
        case .snapshot(let scope, let start, let isSubscription):
            var size = 0
            let (surfaces, next) = arbiter.snapshots(in: scope, from: start, scan: Self.scan) {
                size += $0.weight
                return size >= Self.partBytes
            }
            session.replies[0].content = .snapshot(scope, next: next ?? 0, isSubscription: isSubscription)
            part(to: session) {
                $0.snapshot(SnapshotPart(ref: ref, scope: scope, epoch: arbiter.epoch, surfaces: surfaces, last: next == nil))
            }
            guard isSubscription else { return next == nil }
            for surface in surfaces {
                pipeline.current.items.append(
                    .snapshotSent(session, surface: self.surface(surface.surface), seq: surface.seq, generation: session.generation)
                )
            }
            return next == nil
        case .alerts(let scope, let place):
            let (alerts, next) = arbiter.alerts(in: scope, from: place, limit: Self.alertsInPart, scan: Self.scan)
            if let next { session.replies[0].content = .alerts(scope, next: next) }
            part(to: session) { $0.alerts(AlertsPart(ref: ref, alerts: alerts, last: next == nil)) }
            return next == nil
        case .subscribers(let scope, let last):
            let listeners = delivery.audience.sessions.filter { $0.number > last }.sorted { $0.number < $1.number }
            var found: [SubscriberSummary] = []
            var size = 0
            let next = listeners.firstIndex { listener in
                if size >= Self.partBytes { return true }
                guard let summary = summary(of: listener, in: scope) else { return false }
                size += summary.weight
                found.append(summary)
                return false
            }
            if let next { session.replies[0].content = .subscribers(scope, after: listeners[next].number - 1) }
            part(to: session) { $0.subscribers(SubscribersPart(ref: ref, subscribers: found, last: next == nil)) }
            return next == nil
        }
    }

    /// How far a listener is on the surfaces of a scope; nil when it listens to none of them.
    private func summary(of listener: Session, in scope: SurfaceScope) -> SubscriberSummary? {
        let scopes = listener.scopes.filter { $0.contains(scope) || scope.contains($0) || scope.contains($0.text) }
        if scopes.isEmpty { return nil }
        let screens = listener.screens.keys.sorted().compactMap { index -> SubscriberSummary.Screen? in
            let path = delivery.audience[index].path
            guard scope.contains(path), let progress = listener.screens[index] else { return nil }
            return .init(
                surface: path, sent: progress.sent, drawn: progress.drawn,
                behind: progress.behindSince.map { max(0, now - $0) } ?? 0, toScreen: progress.toScreen)
        }
        return SubscriberSummary(
            session: listener.number, identity: listener.identity, scopes: scopes, silence: now - listener.lastHeard,
            backlog: listener.backlog.bytes, resyncs: listener.resyncs,
            toScreen: listener.timeToScreen.map { times in
                .init(p50: (times.percentile(0.5) + 999) / 1000, p99: (times.percentile(0.99) + 999) / 1000)
            }, screens: screens)
    }

    private func part(to session: Session, _ write: (inout MessageWriter) -> Void) {
        let start = pipeline.current.writer.count
        write(&pipeline.current.writer)
        let end = pipeline.current.writer.count
        session.bytesInFlight += end - start
        pipeline.current.items.append(.part(session, end: end, bytes: end - start, generation: session.generation))
    }

    /// The newest state of everything that it listens to, or is about to listen to.
    func resume(_ session: Session) {
        session.isResuming = true
        pipeline.current.items.append(.resume(session, generation: session.generation))
        let refs = session.unanswered
        session.unanswered = [:]
        for scope in session.asked {
            reply(PartedReply(ref: refs[scope] ?? [], content: .snapshot(scope, next: 0, isSubscription: true)), to: session)
        }
    }
}
