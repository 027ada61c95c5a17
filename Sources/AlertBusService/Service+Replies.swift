import AlertBusModel
import AlertBusWire

// Replies in parts.
extension Service {
    /// What one part has at least, if there is that much to say.
    private static var partBytes: Int { 128 << 10 }
    /// What one session may have on its way to the sockets.
    private static var chunkBytes: Int { 512 << 10 }
    /// Surfaces that are looked at for one part.
    private static var scan: Int { 20_000 }
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
        goOn(with: session)
        if session.replies.isEmpty || session.isReplying { return }
        session.isReplying = true
        replying.append(session)
    }

    func goOnWithReplies() {
        if replying.isEmpty { return }
        let sessions = replying
        replying = []
        var waiting: [Session] = []
        for session in sessions {
            let count = session.replies.count
            goOn(with: session)
            session.isReplying = !session.replies.isEmpty && !session.isGone
            guard session.isReplying else { continue }
            // Whoever got nothing comes first next time.
            if session.replies.count == count { replying.append(session) } else { waiting.append(session) }
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

    private func goOn(with session: Session) {
        while takesMore(session), !session.replies.isEmpty, pipeline.current.writer.count < Self.batchBytes {
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
        case .alerts(let all, let start):
            let end = min(start + Self.alertsInPart, all.count)
            session.replies[0].content = .alerts(all, next: end)
            part(to: session) { $0.alerts(AlertsPart(ref: ref, alerts: Array(all[start..<end]), last: end == all.count)) }
            return end == all.count
        case .subscribers(let all, let start):
            var end = start
            var size = 0
            while end < all.count, size < Self.partBytes {
                size += all[end].weight
                end += 1
            }
            session.replies[0].content = .subscribers(all, next: end)
            part(to: session) {
                $0.subscribers(SubscribersPart(ref: ref, subscribers: Array(all[start..<end]), last: end == all.count))
            }
            return end == all.count
        }
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
