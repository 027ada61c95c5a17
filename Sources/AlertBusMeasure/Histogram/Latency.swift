/// How long one kind of thing took, in microseconds, as measured and as it would have been without coordinated omission.
public struct Latency: Sendable, Equatable, Codable {
    /// What was measured.
    public var raw = Histogram()
    /// From the moment when each thing was due, with what could not be measured because the measuring side was waiting.
    public var corrected = Histogram()

    public init() {}

    public var isEmpty: Bool { raw.isEmpty && corrected.isEmpty }

    /// Records one time in microseconds; see `Histogram.record(_:expectedInterval:)`. Without an interval both forms are the same.
    public mutating func record(_ microseconds: UInt64, expectedInterval: UInt64 = 0) {
        raw.record(microseconds)
        corrected.record(microseconds, expectedInterval: expectedInterval)
    }

    public mutating func merge(_ other: Latency) {
        raw.merge(other.raw)
        corrected.merge(other.corrected)
    }
}
