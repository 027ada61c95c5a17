import AlertBusModel
import Glibc

/// Wall-clock time that never runs backwards: the wall clock once at the start, then what the monotonic clock adds.
///
/// A wall clock that an administrator sets back must not stretch anybody's lifetime.
struct ServiceClock {
    private let origin: Milliseconds
    private let simulated: SimulatedTime?

    /// - Parameters:
    ///   - notBefore: the time of the newest input that the journal holds.
    ///   - simulated: what is read in place of the system's clocks.
    init(notBefore: Milliseconds = 0, simulated: SimulatedTime? = nil) {
        origin = max(Self.read(CLOCK_REALTIME), notBefore) - Self.read(CLOCK_MONOTONIC)
        self.simulated = simulated
    }

    /// Milliseconds since 1970.
    func now() -> Milliseconds { simulated?.now ?? origin + Self.read(CLOCK_MONOTONIC) }

    /// For measuring spans: microseconds since some point.
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    private static func read(_ clock: clockid_t) -> Milliseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A clock that a simulation moves. Belongs to the thread of its service.
package final class SimulatedTime {
    /// Milliseconds since 1970; never moved back.
    package var now: Milliseconds

    package init(_ now: Milliseconds) { self.now = now }
}
