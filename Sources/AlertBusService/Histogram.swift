/// Counts of durations in buckets whose width grows with the value: about 6 % wide, from 1 up to hours.
struct Histogram: Sendable {
    private var counts = [UInt32](repeating: 0, count: 16 * 40)
    private(set) var count = 0
    private(set) var maximum: Int64 = 0

    mutating func note(_ value: Int64) {
        let value = max(0, value)
        counts[min(Self.bucket(of: value), counts.count - 1)] += 1
        count += 1
        maximum = max(maximum, value)
    }

    /// The value that this share of all is not above, within the width of a bucket; 0 when nothing was noted.
    func percentile(_ share: Double) -> Int64 {
        var left = Int((Double(count) * share).rounded(.up))
        for (bucket, count) in counts.enumerated() where count > 0 {
            left -= Int(count)
            if left <= 0 { return min(Self.upperEnd(of: bucket), maximum) }
        }
        return maximum
    }

    /// 16 buckets for each power of two.
    private static func bucket(of value: Int64) -> Int {
        if value < 16 { return Int(value) }
        let power = 63 - value.leadingZeroBitCount
        return (power - 3) * 16 + Int((value >> (power - 4)) & 15)
    }

    private static func upperEnd(of bucket: Int) -> Int64 {
        if bucket < 16 { return Int64(bucket) }
        let power = bucket / 16 + 3
        return (Int64(16 + bucket % 16) + 1) << (power - 4) - 1
    }
}
