import AlertBusModel

/// What the random and exhaustive runs need of a core. A copy must be independent of its original.
package protocol Machine {
    mutating func step(_ input: Input, at time: Milliseconds) -> [Effect]
    /// When it wants to be called although nothing arrives.
    var nextDeadline: Milliseconds? { get }
    /// Between two steps: the place to look at itself, or to be saved and read again. Returns what is wrong.
    mutating func rest() -> [String]
}

extension Machine {
    package mutating func rest() -> [String] { [] }
}

extension SimpleArbiter: Machine {}

/// SplitMix64: small, and the same on every platform.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// One of so many.
    mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &self)] }
}

/// One input and when it comes.
package struct TimedInput {
    package var time: Milliseconds
    package var input: Input

    package init(_ time: Milliseconds, _ input: Input) {
        self.time = time
        self.input = input
    }
}
