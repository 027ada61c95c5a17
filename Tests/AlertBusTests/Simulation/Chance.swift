import Glibc
import TestSupport

/// Random numbers that a seed repeats exactly (SplitMix64).
struct Chance: RandomNumberGenerator {
    private var source: SplitMix64
    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        source = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678)
    }

    mutating func next() -> UInt64 { source.next() }

    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func happens(_ percent: Int) -> Bool { next() % 100 < UInt64(percent) }

    mutating func pick<T>(_ values: [T]) -> T { values[Int(next() % UInt64(values.count))] }
}
