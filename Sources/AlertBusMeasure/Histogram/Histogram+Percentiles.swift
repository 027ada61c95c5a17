extension Histogram {
    /// The mean in microseconds, from the middles of the buckets and therefore within a thousandth; 0 when there is none.
    public var mean: Double {
        guard !isEmpty else { return 0 }
        var sum = 0.0
        for (index, times) in counts.enumerated() where times > 0 { sum += Buckets.middle(of: index) * Double(times) }
        return Swift.min(Swift.max(sum / Double(count), Double(min)), Double(max))
    }

    /// The time in microseconds that this share of the recorded times did not exceed; 0 when there is none.
    ///
    /// - Parameter percentile: 0 (the shortest) to 100 (the longest); anything outside is taken as the nearer end.
    public func value(atPercentile percentile: Double) -> UInt64 { values(atPercentiles: [percentile])[0] }

    /// Like `value(atPercentile:)` for several at once, in one walk through the buckets.
    ///
    /// - Parameter percentiles: in ascending order.
    public func values(atPercentiles percentiles: [Double]) -> [UInt64] {
        var values: [UInt64] = []
        values.reserveCapacity(percentiles.count)
        var index = -1
        var seen: UInt64 = 0
        for percentile in percentiles {
            let rank = rank(of: percentile)
            while seen < rank {
                index += 1
                seen += counts[index]
            }
            guard index >= 0, rank > 1 else {
                values.append(min)
                continue
            }
            values.append(Swift.min(Swift.max(Buckets.highestValue(of: index), min), max))
        }
        return values
    }

    /// How many of the recorded times are at most this percentile's: 1 to `count`, or 0 when there is none.
    private func rank(of percentile: Double) -> UInt64 {
        guard !isEmpty else { return 0 }
        guard percentile < 100 else { return count }
        let exact = Swift.max(percentile, 0) * Double(count) / 100
        // 99.9 of a thousand is the 999th, although 99.9 is a little more than that in binary.
        return Swift.min(Swift.max(UInt64((exact - exact.ulp).rounded(.up)), 1), count)
    }
}
