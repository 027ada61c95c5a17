import AlertBus
import AlertBusKiosk
import AlertBusModel
import AlertBusWire
import Synchronization

/// Joins the page and the bus: what happens on the bus goes to the page, what people do there goes to the bus.
final class KioskBridge: KioskBus {
    private let messages = KioskMessages()
    private let subscriber = Mutex<Subscriber?>(nil)

    /// Begins to follow the surfaces, and to feed the server with them.
    func follow(_ scopes: [String], at endpoint: String, into server: KioskServer) throws(ClientError) {
        var options = ClientOptions()
        // A page says itself what it has drawn.
        options.confirmsDrawn = false
        // Somebody may stand in front of it.
        options.reconnect = .milliseconds(200)
        options.longestReconnect = .seconds(2)
        let made = try Subscriber(requests: endpoint, scopes: scopes, options: options) { [messages] event, position in
            do throws(KioskError) {
                try server.publish(messages.message(event, position))
            } catch {
                StandardError.line("alertbus kiosk: \(error)")
            }
        }
        subscriber.withLock { $0 = made }
    }

    func stop() { subscriber.withLock { $0 }?.close() }

    /// Why there is no connection, where that is known.
    var error: ClientError? { subscriber.withLock { $0 }?.error }

    // MARK: From the page

    func act(_ action: KioskAction, completion: @escaping @Sendable (KioskVerdict) -> Void) {
        guard let subscriber = subscriber.withLock({ $0 }) else {
            return completion(.unreachable(message: "the kiosk is not connected yet"))
        }
        var answer: JSONValue?
        if case .answer(let json) = action.kind {
            do throws(WireFault) { answer = try JSONValue(json) } catch {
                return completion(.refused(reason: Reason.malformed.rawValue, message: error.message))
            }
        }
        let revision = UInt32(clamping: action.revision)
        subscriber.end(action.instance, on: action.surface, revision: revision, answer: answer) { error in
            completion(error.map(Self.verdict) ?? .accepted)
        }
    }

    func drawn(surface: String, epoch: UInt64, seq: UInt64) {
        subscriber.withLock { $0 }?.drawn(ScreenPosition(surface: surface, epoch: epoch, seq: seq))
    }

    private static func verdict(_ error: ClientError) -> KioskVerdict {
        if case .refused(let refusal) = error { return .refused(reason: refusal.reason.rawValue, message: refusal.message) }
        return .unreachable(message: error.description)
    }
}
