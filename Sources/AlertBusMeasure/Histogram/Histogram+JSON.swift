extension Histogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case count, min, max, mean, p50, p90, p99, buckets
        case p999 = "p99_9"
        case aboveRange = "above_range"
    }

    /// Exact: `buckets` holds index and count of each bucket that is not empty, in turn. The figures beside it, in microseconds, are for
    /// readers that only want those.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(count, forKey: .count)
        try values.encode(aboveRange, forKey: .aboveRange)
        try values.encode(min, forKey: .min)
        try values.encode(max, forKey: .max)
        try values.encode(mean.rounded(), forKey: .mean)
        let percentiles = self.values(atPercentiles: [50, 90, 99, 99.9])
        for (key, value) in zip([CodingKeys.p50, .p90, .p99, .p999], percentiles) { try values.encode(value, forKey: key) }
        var buckets = values.nestedUnkeyedContainer(forKey: .buckets)
        for (index, times) in counts.enumerated() where times > 0 {
            try buckets.encode(UInt64(index))
            try buckets.encode(times)
        }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let count = try values.decode(UInt64.self, forKey: .count)
        let aboveRange = try values.decode(UInt64.self, forKey: .aboveRange)
        let ends = (try values.decode(UInt64.self, forKey: .min), try values.decode(UInt64.self, forKey: .max))
        let pairs = try values.decode([UInt64].self, forKey: .buckets)
        guard let histogram = Histogram(pairs: pairs, count: count, aboveRange: aboveRange, ends: ends) else {
            throw DecodingError.dataCorruptedError(
                forKey: .buckets, in: values, debugDescription: "does not agree with count, min, max and above_range")
        }
        self = histogram
    }

    /// Nil when the buckets are not ascending, or the other figures contradict them.
    private init?(pairs: [UInt64], count: UInt64, aboveRange: UInt64, ends: (min: UInt64, max: UInt64)) {
        self.init()
        guard pairs.count.isMultiple(of: 2), count <= SwarmReport.largestCount, aboveRange <= count else { return nil }
        var next: UInt64 = 0
        for place in stride(from: 0, to: pairs.count, by: 2) {
            let (index, times) = (pairs[place], pairs[place + 1])
            guard index >= next, index < UInt64(Buckets.count), times > 0, times <= count - self.count else { return nil }
            counts[Int(index)] = times
            self.count += times
            next = index + 1
        }
        guard self.count == count else { return nil }
        self.aboveRange = aboveRange
        guard count > 0 else {
            guard ends == (0, 0) else { return nil }
            return
        }
        guard ends.min <= ends.max, ends.max <= Buckets.highest, aboveRange == 0 || ends.max == Buckets.highest,
            Buckets.index(of: ends.min) == Int(pairs[0]), Buckets.index(of: ends.max) == Int(pairs[pairs.count - 2])
        else { return nil }
        smallest = ends.min
        largest = ends.max
    }
}
