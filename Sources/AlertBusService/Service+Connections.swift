import AlertBusModel
import ZeroMQ

// Who is connected, and who is not any more.
extension Service {
    /// What the monitor tells while no message is in hand: when none waits either, nothing of an ended connection is left, and the next one
    /// with its descriptor is known by its first message.
    func takeConnectionNews() throws(ZMQError) {
        try drainMonitor()
        if try !router.events().contains(.readable) { admission.connections.noteAllRead(at: .requests) }
    }

    func drainMonitor() throws(ZMQError) { try monitor.drain { noteMonitor($0, at: .requests) } }

    func drainFeedMonitor() throws(ZMQError) { try feedMonitor?.drain { noteMonitor($0, at: .feed) } }

    /// Hangs up where that was decided, unless the news say that it is not needed any more.
    func endDoomed() throws(ZMQError) {
        try drainMonitor()
        try drainFeedMonitor()
        admission.connections.carryOut()
    }

    /// The connection's end is known from libzmq's monitor a moment before a send finds it out.
    private static var checkDelay: Milliseconds { 20 }

    func noteMonitor(_ event: MonitorEvent, at port: ConnectionTable.Port) {
        admission.connections.note(event, at: port)
        // It may have been a provider at work. libzmq tells whose connection it was only when something is sent.
        if case .disconnected = event.kind, port == .requests, providers.isBusy {
            nextProviderCheck = min(nextProviderCheck, now + Self.checkDelay)
        }
    }

    /// The one that `message` came over.
    func findConnection(of session: Session) {
        // Inside the process there is none.
        guard let descriptor = message.descriptor else { return }
        // The news of it may still wait; nothing is lost when they cannot be read but the means to hang up.
        try? drainMonitor()
        session.connection = admission.connections.sender(descriptor, at: .requests)
        session.awaitsConnection = session.connection == nil
        // Its key may have lost its place in the meantime.
        if admission.access.permissions != nil && session.client == nil {
            session.connection.map { admission.connections.hangUp($0) }
        }
    }

    /// What observers subscribe to. Left unread it would pile up inside libzmq.
    func takeSubscriptions() throws(ZMQError) {
        guard let feedSocket else { return }
        defer { delivery.isFeedHeard = feedSubscriptions.isHeard }
        for _ in 0..<batchLimit {
            guard let change = try feedSocket.tryReceiveSubscription(into: &message) else {
                return admission.connections.noteAllRead(at: .feed)
            }
            if case .message = change { delivery.counters.malformed += 1 }
            // Those that libzmq makes at the end of a connection have no descriptor, and nothing has to be counted.
            guard let observer = message.descriptor.flatMap({ admission.connections.sender($0, at: .feed) }) else {
                if case .subscribed = change { feedSubscriptions.subscribedByUnknown() }
                continue
            }
            switch change {
            case .subscribed:
                let limit = configuration.peerLimits.subscriptionsPerSession
                if feedSubscriptions.subscribed(observer, limit: limit) { admission.connections.hangUp(observer) }
            case .unsubscribed: feedSubscriptions.unsubscribed(observer)
            case .message: admission.connections.hangUp(observer)
            }
        }
    }

    /// Forgets observers that have gone.
    func sweepSubscriptions() throws(ZMQError) {
        // Whoever has subscribed was accepted before; without that news nobody might seem to be there.
        try drainFeedMonitor()
        feedSubscriptions.keep(anyConnection: admission.connections.hasAny(at: .feed)) { admission.connections.isOpen($0) }
        delivery.isFeedHeard = feedSubscriptions.isHeard
    }
}
