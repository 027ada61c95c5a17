import AlertBusModel
import TestSupport

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

extension SplitMix64 {
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
