import AlertBusModel
import CoreOracle
import TestSupport

/// The chance of one peer. Each has its own, so that what one does never changes what another one will.
struct Dice {
    private var source: SplitMix64

    init(seed: UInt64, _ name: String) {
        source = SplitMix64(seed: name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &source) }
    mutating func time(_ range: ClosedRange<Milliseconds>) -> Milliseconds { Milliseconds.random(in: range, using: &source) }
    mutating func happens(_ percent: Int) -> Bool { number(0...99) < percent }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

    /// When the next of something comes that happens so often on average, at random.
    mutating func pause(every mean: Milliseconds) -> Milliseconds { time(1...2 * mean) }
}
