import AlertBusConfiguration
import Synchronization

/// What other threads may ask of a running service.
public final class ServiceRemote: Sendable {
    private struct Wishes {
        var stops = false
        var configuration: Configuration?
    }

    let doorbell = Doorbell()
    private let wishes = Mutex(Wishes())

    init() {}

    /// Ends `run` after what has been accepted is journaled and told.
    public func stop() {
        wishes.withLock { $0.stops = true }
        doorbell.ring()
    }

    /// New rules and limits. Addresses and the journal stay as they are until the next start.
    public func reload(_ configuration: Configuration) {
        wishes.withLock { $0.configuration = configuration }
        doorbell.ring()
    }

    var isStopping: Bool { wishes.withLock { $0.stops } }

    func takeConfiguration() -> Configuration? {
        wishes.withLock { wishes in
            defer { wishes.configuration = nil }
            return wishes.configuration
        }
    }
}
