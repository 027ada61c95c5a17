import AlertBusMeasure
import TestSupport
import Testing

@Suite struct CoordinatedOmissionTests {
    /// One request each 100 ms, each taking 1 ms, and one that takes 1 s: ten requests should have been sent during it, and would have waited
    /// 900, 800 … 100 ms (the one due at its end waits nothing).
    @Test func `a pause brings back what it hid`() {
        var histogram = Histogram()
        for _ in 0..<90 { histogram.record(1000, expectedInterval: 100_000) }
        histogram.record(1_000_000, expectedInterval: 100_000)
        var expected = Histogram()
        for _ in 0..<90 { expected.record(1000) }
        for wait in 1...10 as ClosedRange<UInt64> { expected.record(wait * 100_000) }
        #expect(histogram == expected)
        #expect(histogram.count == 100)
        // Uncorrected, 98.9 % of all would have taken 1 ms.
        #expect(histogram.value(atPercentile: 90) == 1000)
        #expect(histogram.value(atPercentile: 95) / 1000 == 500)
    }

    @Test func `a rest shorter than the interval is not counted`() {
        var histogram = Histogram()
        histogram.record(250, expectedInterval: 100)
        var expected = Histogram()
        expected.record(250)
        expected.record(150)
        #expect(histogram == expected)
        #expect(histogram.min == 150)
    }

    /// Against the definition, one value at a time.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `corrections are those of the definition`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var (corrected, expected) = (Histogram(), Histogram())
        for _ in 0..<50 {
            let value = UInt64.random(in: 0...5_000_000, using: &numbers)
            let interval = UInt64.random(in: 100...100_000, using: &numbers)
            corrected.record(value, expectedInterval: interval)
            expected.record(value)
            var missing = Int64(value) - Int64(interval)
            while missing >= Int64(interval) {
                expected.record(UInt64(missing))
                missing -= Int64(interval)
            }
        }
        #expect(corrected == expected)
    }

    @Test func `an hour at an interval of a microsecond takes no hour`() {
        var histogram = Histogram()
        histogram.record(.max, expectedInterval: 1)
        #expect(histogram.count == 3_600_000_000)
        #expect(histogram.min == 1)
        let half = histogram.value(atPercentile: 50)
        #expect(half >= 1_800_000_000 && half < 1_802_000_000)
    }

    @Test func `both forms are kept`() {
        var latency = Latency()
        latency.record(1000, expectedInterval: 100)
        latency.record(50)
        #expect(latency.raw.count == 2)
        #expect(latency.corrected.count == 11)
        var other = Latency()
        other.merge(latency)
        #expect(other == latency)
    }
}
