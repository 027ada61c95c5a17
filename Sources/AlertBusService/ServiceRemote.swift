import AlertBusConfiguration
import Synchronization
import ZeroMQ

/// What other threads may ask of a running service.
public final class ServiceRemote: Sendable {
    private struct Wishes {
        var stops = false
        var configuration: Configuration?
    }

    let doorbell: WakeUp
    private let wishes = Mutex(Wishes())

    init() throws(ZMQError) { doorbell = try WakeUp() }

    /// Ends `run` after what has been accepted is journaled and told.
    public func stop() {
        wishes.withLock { $0.stops = true }
        doorbell.signal()
    }

    /// New rules and limits. Addresses and the journal stay as they are until the next start.
    public func reload(_ configuration: Configuration) {
        wishes.withLock { $0.configuration = configuration }
        doorbell.signal()
    }

    var isStopping: Bool { wishes.withLock { $0.stops } }

    func takeConfiguration() -> Configuration? {
        wishes.withLock { wishes in
            defer { wishes.configuration = nil }
            return wishes.configuration
        }
    }
}
