import ZeroMQ

/// Proves at the start that a key nobody knows is refused: a mistake there would open every screen.
enum Canary {
    private static let milliseconds = 3000

    /// Connects with a random key, while the admission answers, and waits for the refusal.
    static func check(_ context: Context, _ admission: Admission, endpoint text: String, isFeed: Bool = false) throws(ServiceError)
    {
        guard let keys = admission.keys, admission.access.permissions != nil else { return }
        do {
            // Its type must fit, or the handshake fails for that reason.
            let stranger: TransportSocket = isFeed ? try SubscriberSocket(context) : try DealerSocket(context)
            if text.contains("[") { try stranger.setIPv6(true) }
            try stranger.setLinger(milliseconds: 0)
            try stranger.setCurveClient(keys: try CurveKeyPair.generate(), serverKey: keys.publicKey)
            let monitor = try Monitor(of: stranger)
            let poller = Poller()
            let asked = poller.add(admission.handler.socket)
            let heard = poller.add(monitor)
            try stranger.connect(try Endpoint(text))
            var verdict: Bool?
            var left = milliseconds
            while verdict == nil && left > 0 {
                let before = ServiceClock.microseconds()
                _ = try poller.wait(milliseconds: left)
                left -= max(1, Int((ServiceClock.microseconds() - before) / 1000))
                if poller.isReadable(asked) { try admission.answer() }
                if poller.isReadable(heard) {
                    try monitor.drain { event in
                        switch event.kind {
                        case .handshakeSucceeded: verdict = true
                        case .authenticationFailed: verdict = false
                        default: break
                        }
                    }
                }
            }
            switch verdict {
            case false: return
            case true: throw ServiceError.security("A key that is not listed was admitted on \(text). Nothing is served.")
            case nil: throw ServiceError.security("A key that is not listed got no answer on \(text). Nothing is served.")
            }
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError.security("The start-up check of \(text) failed: \(error)")
        }
    }
}
