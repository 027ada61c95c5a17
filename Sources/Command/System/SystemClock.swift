import AlertBusModel
import Glibc

/// Readings of the system's clocks in milliseconds.
enum SystemClock {
    /// For measuring spans: never runs backwards.
    static func monotonic() -> Milliseconds { read(CLOCK_MONOTONIC) }

    /// Since 1970-01-01 UTC.
    static func wall() -> Milliseconds { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Milliseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
