import AlertBusModel
import AlertBusWire
import ZeroMQ

/// Sends to peers without ever waiting for one: what a peer does not take is kept for it up to a bound of bytes.
final class Delivery {
    private let router: RouterSocket
    private let feed: XPublisherSocket?
    var audience = Audience()
    var counters = Counters()
    /// From sending to the confirmation that it was drawn, in microseconds.
    var timeToScreen = Histogram()
    var subscriberBound: Int
    var producerBound: Int
    /// Sessions with a backlog, or that need a snapshot.
    private(set) var behind: [Session] = []
    /// Sessions that turned out to be gone while sending; the service forgets them.
    private(set) var gone: [Session] = []

    init(router: RouterSocket, feed: XPublisherSocket?, subscriberBound: Int, producerBound: Int) {
        self.router = router
        self.feed = feed
        self.subscriberBound = subscriberBound
        self.producerBound = producerBound
    }

    /// Everything of a batch that is in the journal now.
    func release(_ outbox: Outbox, at now: Milliseconds) throws(ZMQError) {
        // Each body is a closure with a typed throw; the compiler needs to be told of the type only once here.
        let send = { (bytes: UnsafeRawBufferPointer) throws(ZMQError) -> Void in
            var start = 0
            for item in outbox.items { try self.release(item, bytes, &start, at: now) }
        }
        try outbox.writer.withBytes(send)
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
                try send(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: session)
            }
            start = end
        case .beat(let surface, let end):
            try publishOnFeed(surface, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        case .subscribe(let session, let scope):
            if !session.isGone { audience.subscribe(session, to: scope) }
        case .unsubscribe(let session, let scope):
            audience.unsubscribe(session, from: scope)
        case .resume(let session):
            session.needsSnapshot = false
            session.resyncs += 1
            counters.resyncs += 1
        case .snapshotSent(let session, let surface, let seq):
            audience.noteSnapshot(session, surface, seq)
        }
    }

    private func publish(
        _ surface: Int, _ seq: UInt64, _ bytes: UnsafeRawBufferPointer, at now: Milliseconds
    ) throws(ZMQError) {
        try publishOnFeed(surface, bytes)
        audience[surface].sentAt.note(seq, ServiceClock.microseconds())
        let sessions = audience[surface].sessions
        counters.deliveries += UInt64(sessions.count)
        for session in sessions {
            noteSent(session, surface, seq, at: now)
            if session.needsSnapshot { continue }
            try send(bytes, to: session)
        }
    }

    private func noteSent(_ session: Session, _ surface: Int, _ seq: UInt64, at now: Milliseconds) {
        guard audience.isTracked(session, surface) else { return }
        session.unreported.insert(surface)
        session.screens[surface]!.sent = seq
        if session.screens[surface]!.behindSince == nil { session.screens[surface]!.behindSince = now }
    }

    private func publishOnFeed(_ surface: Int, _ bytes: UnsafeRawBufferPointer) throws(ZMQError) {
        guard let feed else { return }
        let topic = audience[surface].topic
        try topic.span.bytes.withUnsafeBytes { topic throws(ZMQError) in
            _ = try feed.publish(topic: topic, bytes)
        }
    }

    /// Sends now, or keeps the message behind what waits already.
    func send(_ bytes: UnsafeRawBufferPointer, to session: Session) throws(ZMQError) {
        if session.isGone { return }
        if session.backlog.isEmpty {
            switch try router.send(to: session.peer, delimited: session.isDelimited, bytes) {
            case .sent: return
            case .unreachable: return markGone(session)
            case .wouldBlock: break
            }
        }
        keep(Array(bytes), for: session)
    }

    private func keep(_ message: [UInt8], for session: Session) {
        let bound = session.scopes.isEmpty ? producerBound : subscriberBound
        if session.backlog.isEmpty && !session.needsSnapshot { behind.append(session) }
        guard session.backlog.bytes + message.count > bound else {
            session.backlog.append(message)
            return
        }
        counters.backlogsDropped += 1
        session.backlog.removeAll()
        if session.scopes.isEmpty {
            // A producer learns from the new session number in its next pong that it has to ask for what it missed.
            markGone(session)
        } else {
            session.needsSnapshot = true
        }
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

    /// Offers to each peer that is behind what waits for it.
    /// - Returns: the sessions that take messages again and need a snapshot.
    func retry(probe: [UInt8]) throws(ZMQError) -> [Session] {
        var ready: [Session] = []
        var still: [Session] = []
        for session in behind where !session.isGone {
            if session.needsSnapshot {
                if try offer(probe, to: session) { ready.append(session) } else if !session.isGone { still.append(session) }
                continue
            }
            while let message = session.backlog.first, try offer(message, to: session) { session.backlog.removeFirst() }
            if !session.backlog.isEmpty && !session.isGone { still.append(session) }
        }
        behind = still
        return ready
    }

    /// Sends if the peer takes it now; finds out whether it is still there.
    func offer(_ message: [UInt8], to session: Session) throws(ZMQError) -> Bool {
        switch try router.send(to: session.peer, delimited: session.isDelimited, message) {
        case .sent: return true
        case .wouldBlock: return false
        case .unreachable:
            markGone(session)
            return false
        }
    }
}
