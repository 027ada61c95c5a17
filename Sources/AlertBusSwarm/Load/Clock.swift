import Glibc

/// Readings of the system's clocks.
package enum SwarmClock {
    /// In nanoseconds; never runs backwards, and is the same for all processes of a machine.
    static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// In milliseconds since 1970.
    package static func wall() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int { Int(((next() >> 32) &* UInt64(bound)) >> 32) }

    /// From half of it to one and a half.
    mutating func around(_ value: UInt64) -> UInt64 { value / 2 + UInt64(Double(value) * Double(next() >> 11) / Double(1 << 53)) }
}
