/// Counts of times in microseconds, from which percentiles are read with three significant digits.
///
/// The buckets are linear up to 2,047 µs and then 1,024 to each doubling, so that no value is off by more than one part in a thousand.
/// The range is fixed, 0 µs to one hour: recording takes the same few instructions for every value and never allocates, and any two
/// histograms can be merged exactly. A longer time is recorded as one hour and counted in `aboveRange`.
///
/// One histogram takes 182 KiB. It is a value: threads fill one each, and somebody merges them.
public struct Histogram: Sendable, Equatable {
    /// How often a time fell into each bucket.
    var counts = [UInt64](repeating: 0, count: Buckets.count)

    /// How many times were recorded, corrections included.
    public internal(set) var count: UInt64 = 0
    /// How many of them were longer than one hour.
    public internal(set) var aboveRange: UInt64 = 0

    /// More than any time while there is none.
    var smallest = UInt64.max
    var largest: UInt64 = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    /// The shortest time in microseconds, exact; 0 when there is none.
    public var min: UInt64 { isEmpty ? 0 : smallest }

    /// The longest time in microseconds, exact up to one hour; 0 when there is none.
    public var max: UInt64 { largest }

    /// Records one time in microseconds.
    public mutating func record(_ microseconds: UInt64) {
        if microseconds > Buckets.highest { aboveRange += 1 }
        add(1, at: Swift.min(microseconds, Buckets.highest))
    }

    /// Records one time and what it kept from being measured.
    ///
    /// Something that measures every `expectedInterval` and waits for each answer measures nothing while it waits, and so leaves out the
    /// very times that were bad ("coordinated omission"). This adds the times that the omitted measurements would have had:
    /// `microseconds` less one interval, less two, and so on, down to one interval. An interval of 0 adds nothing.
    public mutating func record(_ microseconds: UInt64, expectedInterval: UInt64) {
        record(microseconds)
        let longest = Swift.min(microseconds, Buckets.highest)
        guard expectedInterval > 0, longest > expectedInterval else { return }
        // A bucket at a time: a pause of minutes at an interval of microseconds must not take as long as it lasted.
        var missing = longest - expectedInterval
        while missing >= expectedInterval {
            let end = Swift.max(Buckets.lowestValue(of: Buckets.index(of: missing)), expectedInterval)
            let inBucket = (missing - end) / expectedInterval + 1
            add(inBucket, at: missing)
            missing -= (inBucket - 1) * expectedInterval
            smallest = Swift.min(smallest, missing)
            missing -= expectedInterval
        }
    }

    /// Adds everything that another histogram has recorded; the result is the same as if this one had recorded it.
    public mutating func merge(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        aboveRange += other.aboveRange
        smallest = Swift.min(smallest, other.smallest)
        largest = Swift.max(largest, other.largest)
    }

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
        aboveRange = 0
        smallest = .max
        largest = 0
    }

    mutating func add(_ times: UInt64, at microseconds: UInt64) {
        counts[Buckets.index(of: microseconds)] += times
        count += times
        smallest = Swift.min(smallest, microseconds)
        largest = Swift.max(largest, microseconds)
    }
}
