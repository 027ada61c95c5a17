import AlertBus
import AlertBusModel
import AlertBusWire
import Synchronization

/// Turns what a subscriber is told back into messages of the protocol, which is what the page is fed with.
final class KioskMessages: Sendable {
    private let positions = Mutex<[String: ScreenPosition]>([:])

    /// - Parameter position: what is reached with this event. Nil in the middle of a step: the position before it still counts.
    func message(_ event: ScreenEvent, _ position: ScreenPosition?) -> [UInt8] {
        if let position { positions.withLock { $0[position.surface] = position } }
        switch event {
        case .show(let surface, let alert, let reason): return stream(surface, reason ?? .raised, .show(alert))
        case .update(let surface, let alert, let reason): return stream(surface, reason ?? .updated, .update(alert))
        case .hide(let surface, let alert, let reason):
            return stream(surface, reason ?? .withdrawn, .hide(key: alert.key, instance: alert.instance))
        case .link(let link): return Array(#"{"op":"link","state":"\#(link.rawValue)"}"#.utf8)
        }
    }

    /// - Parameter reason: the page does not show it; after a repair nobody knows it.
    private func stream(_ surface: String, _ reason: Reason, _ change: StreamMessage.Change) -> [UInt8] {
        let position = positions.withLock { $0[surface] }
        var writer = MessageWriter(capacity: 1024)
        writer.stream(
            StreamMessage(
                surface: surface, epoch: position?.epoch ?? 0, seq: position?.seq ?? 0, reason: reason, change: change))
        return writer.bytes
    }
}
