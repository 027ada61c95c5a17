import AlertBusMeasure
import TestSupport
import Testing

@Suite struct HistogramTests {
    private static let percentiles: [Double] = [0, 1, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100]

    /// The smallest value that at least this share of all does not exceed.
    private func exact(_ percentile: Double, of sorted: [UInt64]) -> UInt64 {
        // In thousandths of a percent, so that the oracle has no rounding.
        let thousandths = UInt64((percentile * 1000).rounded())
        let rank = (thousandths * UInt64(sorted.count) + 99_999) / 100_000
        return sorted[Int(max(rank, 1)) - 1]
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `percentiles are those of the sorted values, to three digits`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let values = (0..<Int.random(in: 1...3000, using: &numbers)).map { _ in numbers.time() }
        let sorted = values.sorted()
        var histogram = Histogram()
        for value in values { histogram.record(value) }
        #expect(histogram.count == UInt64(values.count))
        #expect(histogram.min == sorted[0])
        #expect(histogram.max == sorted[sorted.count - 1])
        for (percentile, value) in zip(Self.percentiles, histogram.values(atPercentiles: Self.percentiles)) {
            let expected = exact(percentile, of: sorted)
            #expect(
                value >= expected && value <= expected + expected / 1000,
                "p\(percentile) of \(sorted.count): \(value), not \(expected)")
            #expect(histogram.value(atPercentile: percentile) == value)
        }
        let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
        #expect(abs(histogram.mean - mean) <= mean / 1000)
    }

    @Test func `short times are exact`() {
        var histogram = Histogram()
        for value in 0..<2048 as Range<UInt64> { histogram.record(value) }
        for percent in 1...100 {
            #expect(histogram.value(atPercentile: Double(percent)) == exact(Double(percent), of: Array(0..<2048)))
        }
    }

    @Test func `merging is the same as recording all`() {
        var numbers = SplitMix64(seed: 7)
        var parts = [Histogram](repeating: Histogram(), count: 5)
        var all = Histogram()
        for _ in 0..<5000 {
            let (value, interval) = (numbers.time(), numbers.time())
            all.record(value, expectedInterval: interval)
            parts[Int.random(in: 0..<5, using: &numbers)].record(value, expectedInterval: interval)
        }
        all.record(7_200_000_000)
        parts[4].record(7_200_000_000)
        var merged = Histogram()
        for part in parts { merged.merge(part) }
        merged.merge(Histogram())
        #expect(merged == all)
        #expect(merged.aboveRange == 1)
    }

    @Test func `more than an hour counts as an hour`() {
        var histogram = Histogram()
        histogram.record(3_600_000_000)
        #expect(histogram.aboveRange == 0)
        histogram.record(.max)
        #expect(histogram.count == 2)
        #expect(histogram.aboveRange == 1)
        #expect(histogram.max == 3_600_000_000)
        #expect(histogram.value(atPercentile: 100) == 3_600_000_000)
    }

    @Test func `an empty one answers with nothing`() {
        var histogram = Histogram()
        #expect(histogram.isEmpty && histogram.min == 0 && histogram.max == 0 && histogram.mean == 0)
        #expect(histogram.values(atPercentiles: [0, 50, 100]) == [0, 0, 0])
        histogram.record(5, expectedInterval: 1)
        histogram.removeAll()
        #expect(histogram == Histogram())
    }

    @Test func `percentiles out of range are the ends`() {
        var histogram = Histogram()
        for value in 10...20 as ClosedRange<UInt64> { histogram.record(value) }
        #expect(histogram.value(atPercentile: -5) == 10)
        #expect(histogram.value(atPercentile: 400) == 20)
    }
}
