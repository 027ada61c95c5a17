import AlertBusModel
import AlertBusWire
import ZeroMQ

/// Sends to peers without ever waiting for one: what a peer does not take is kept for it up to a bound of bytes.
final class Delivery {
    private let router: RouterSocket
    private let feed: XPublisherSocket?
    @exclusivity(unchecked) var audience = Audience()
    @exclusivity(unchecked) var counters = Counters()
    /// From sending to the confirmation that it was drawn, in microseconds.
    var timeToScreen = Histogram()
    var subscriberBound: Int
    var producerBound: Int
    /// Sessions with a backlog, or that need a snapshot.
    private(set) var behind: [Session] = []
    /// Some of them took messages the last time, and will soon take more.
    private(set) var isCatchingUp = false
    /// Sessions that turned out to be gone while sending; the service forgets them.
    private(set) var gone: [Session] = []
    private let feedQueued = QueuedBytes()
    @exclusivity(unchecked) private var replies = RepliesByPeer()
    /// When the sending of the present batch began, in microseconds: to a screen its messages are on their way since then.
    @exclusivity(unchecked) private var sendingSince: Int64 = 0
    /// Somebody may be listening to the feed.
    @exclusivity(unchecked) var isFeedHeard = false

    /// Bytes of large messages that libzmq may hold for one peer; one message may be larger. What exceeds it waits in the backlog.
    static let queueBound = 2 << 20
    /// Bytes of large messages that libzmq may hold for all observers of the feed.
    static let feedBound = 64 << 20

    init(router: RouterSocket, feed: XPublisherSocket?, subscriberBound: Int, producerBound: Int) {
        self.router = router
        self.feed = feed
        self.subscriberBound = subscriberBound
        self.producerBound = producerBound
    }

    /// Everything of batches that are in the journal now: to each peer in their order, and to the screens before the replies.
    func release(_ outboxes: [Outbox], at now: Milliseconds) throws(ZMQError) {
        for outbox in outboxes {
            // Each body is a closure with a typed throw; the compiler needs to be told of the type only once here.
            let send = { (bytes: UnsafeRawBufferPointer) throws(ZMQError) -> Void in
                self.sendingSince = ServiceClock.microseconds()
                var start = 0
                for item in outbox.items { try self.release(item, bytes, &start, at: now) }
            }
            try outbox.writer.withBytes(send)
        }
        for session in replies.sessions { try sendReplies(to: session) }
        replies.removeAll()
    }

    private func release(
        _ item: Outbox.Item, _ bytes: UnsafeRawBufferPointer, _ start: inout Int, at now: Milliseconds
    ) throws(ZMQError) {
        switch item {
        case .publish(let surface, let seq, let end):
            try publish(surface, seq, UnsafeRawBufferPointer(rebasing: bytes[start..<end]), at: now)
            start = end
        case .direct(let session, let end, let isReceipt):
            if !isReceipt || session.wantsUnasked {
                if session.hearsNothing {
                    replies.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), for: session)
                } else {
                    try send(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: session)
                }
            }
            start = end
        case .beat(let surface, let end):
            try publishOnFeed(surface, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        case .part(let session, let end, let bytesInPart, let generation):
            try sendReplies(to: session)
            session.bytesInFlight -= bytesInPart
            // The rest of a reply of which a part was dropped would look like a whole one.
            if generation == session.generation {
                try send(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: session)
            }
            start = end
        case .subscribe(let session, let scope):
            try sendReplies(to: session)
            if !session.isGone { audience.subscribe(session, to: scope) }
        case .unsubscribe(let session, let scope):
            audience.unsubscribe(session, from: scope)
        case .resume(let session, let generation):
            // It may have fallen behind again since; then another one follows.
            guard generation == session.generation else { return }
            session.needsSnapshot = false
            session.isResuming = false
            session.resyncs += 1
            counters.resyncs += 1
        case .snapshotSent(let session, let surface, let seq, let generation):
            guard generation == session.generation, !session.isGone else { return }
            audience.noteSnapshot(session, surface, seq, at: now)
        }
    }

    /// What was put aside for a peer, before anything else for it.
    @inline(__always)
    private func sendReplies(to session: Session) throws(ZMQError) {
        while let reply = replies.takeFirst(of: session) { try send(reply, to: session) }
    }

    private func publish(
        _ surface: Audience.Surface, _ seq: UInt64, _ bytes: UnsafeRawBufferPointer, at now: Milliseconds
    ) throws(ZMQError) {
        try publishOnFeed(surface, bytes)
        surface.sentAt.note(seq, sendingSince)
        var listener = 0
        // Whoever turns out to be gone leaves the list, and the next one takes the place.
        while listener < surface.listeners.count {
            let session = surface.listeners[listener].session
            counters.deliveries += 1
            noteSent(session, audience.progress(surface, listener: listener), seq, at: now)
            if !session.needsSnapshot { try send(bytes, to: session) }
            if !session.isGone { listener += 1 }
        }
    }

    private func noteSent(_ session: Session, _ progress: ScreenProgress?, _ seq: UInt64, at now: Milliseconds) {
        guard let progress else { return }
        if !session.needsSnapshot {
            if !progress.isUnreported {
                progress.isUnreported = true
                session.unreported.append(progress)
            }
            progress.sent = seq
        }
        if progress.behindSince == nil { progress.behindSince = now }
    }

    private func publishOnFeed(_ surface: Audience.Surface, _ bytes: UnsafeRawBufferPointer) throws(ZMQError) {
        guard let feed, isFeedHeard else { return }
        let topic = surface.topic
        guard bytes.count >= QueuedBytes.large else {
            return try topic.span.bytes.withUnsafeBytes { topic throws(ZMQError) in _ = try feed.publish(topic: topic, bytes) }
        }
        // An observer that stalls may hold as much as that; then the others lose it too, and see that by the numbers.
        guard feedQueued.count + bytes.count <= Self.feedBound else {
            counters.feedDropped += 1
            return
        }
        var message = try feedQueued.message(copying: bytes)
        try topic.span.bytes.withUnsafeBytes { topic throws(ZMQError) in
            _ = try feed.publish(topic: topic, &message)
        }
    }

    /// Sends now, or keeps the message behind what waits already.
    func send(_ bytes: UnsafeRawBufferPointer, to session: Session) throws(ZMQError) {
        if session.isGone { return }
        if session.backlog.isEmpty {
            switch try offer(bytes, to: session) {
            case .sent, .unreachable: return
            case .wouldBlock: break
            }
        }
        keep(Array(bytes), for: session)
    }

    private func keep(_ message: [UInt8], for session: Session) {
        let isSubscriber = !session.asked.isEmpty
        session.backlog.append(message)
        if session.backlog.bytes > (isSubscriber ? subscriberBound : producerBound) {
            counters.backlogsDropped += 1
            session.loseStream()
            // A producer learns from the new session number in its next pong that it has to ask for what it missed.
            if !isSubscriber { return markGone(session) }
        }
        if session.isBehind { return }
        session.isBehind = true
        behind.append(session)
    }

    func markGone(_ session: Session) {
        guard !session.isGone else { return }
        session.isGone = true
        audience.remove(session)
        gone.append(session)
    }

    func takeGone() -> [Session] {
        defer { gone = [] }
        return gone
    }

    /// Offers to peers that are behind what waits for them.
    /// - Parameter all: also to those that took nothing the last time.
    /// - Returns: the sessions that take messages again and need a snapshot.
    func retry(probe: [UInt8], all: Bool) throws(ZMQError) -> [Session] {
        var ready: [Session] = []
        var still: [Session] = []
        isCatchingUp = false
        for session in behind {
            guard all || session.isCatchingUp else {
                still.append(session)
                continue
            }
            session.isCatchingUp = false
            while let message = session.backlog.first, try offer(message, to: session) == .sent {
                session.backlog.removeFirst()
                session.isCatchingUp = true
            }
            if session.backlog.isEmpty && session.needsSnapshot && !session.isResuming && session.queued.count == 0,
                try offer(probe, to: session) == .sent
            {
                ready.append(session)
            }
            session.isBehind = !session.isGone && (session.needsSnapshot || !session.backlog.isEmpty)
            if session.isBehind { still.append(session) }
            if session.isBehind && session.isCatchingUp { isCatchingUp = true }
        }
        behind = still
        return ready
    }

    /// Sends if the peer takes it now; finds out whether it is still there.
    func offer(_ message: [UInt8], to session: Session) throws(ZMQError) -> RouterSendResult {
        try message.span.bytes.withUnsafeBytes { bytes throws(ZMQError) in try offer(bytes, to: session) }
    }

    private func offer(_ bytes: UnsafeRawBufferPointer, to session: Session) throws(ZMQError) -> RouterSendResult {
        if session.isGone { return .unreachable }
        let result = try hand(bytes, to: session)
        if result == .unreachable { markGone(session) }
        return result
    }

    private func hand(_ bytes: UnsafeRawBufferPointer, to session: Session) throws(ZMQError) -> RouterSendResult {
        guard bytes.count >= QueuedBytes.large else {
            return try router.send(to: session.peer, delimited: session.isDelimited, bytes)
        }
        let queued = session.queued.count
        guard queued == 0 || queued + bytes.count <= Self.queueBound else { return .wouldBlock }
        var message = try session.queued.message(copying: bytes)
        return try router.send(to: session.peer, delimited: session.isDelimited, &message)
    }
}
