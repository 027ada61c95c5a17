import AlertBusMeasure
import TestSupport

extension SplitMix64 {
    /// Times as they are: most short, few long, over six powers of ten.
    mutating func time() -> UInt64 {
        let digits = UInt64.random(in: 1...30, using: &self)
        return UInt64.random(in: 0..<(1 << digits), using: &self)
    }
}

/// A report with something in every field.
func sampleReport(seed: UInt64 = 1, startedAt: UInt64 = 1_767_225_600_250, seconds: Int = 20) -> SwarmReport {
    var numbers = SplitMix64(seed: seed)
    var report = SwarmReport()
    report.title = "priority storm"
    report.startedAt = startedAt
    report.duration = Double(seconds)
    report.setup.producers = 100
    report.setup.subscribers = 20
    report.setup.surfaces = 10
    report.setup.offeredRate = 5000
    report.setup.transport = "tcp"
    report.setup.isSecure = true
    report.setup.journal = "sqlite"
    report.counts.refused = ["intercepted": 12, "over_limit": 3]
    report.counts.ended = ["dismissed": 700, "answered": 200]
    report.counts.resent = 4
    report.counts.answers = 200
    report.counts.reconnects = 2
    report.counts.deliveries = 9000
    report.checks = SwarmReport.Check.Name.allCases.map { SwarmReport.Check($0, examined: 1000) }
    for second in 0..<seconds {
        var entry = SwarmReport.Second(second: second)
        var histogram = Histogram()
        for _ in 0..<50 {
            let time = UInt64.random(in: 100...5000, using: &numbers)
            histogram.record(time)
            report.acknowledgement.record(time, expectedInterval: 1000)
            report.timeToScreen.record(2 * time, expectedInterval: 2000)
        }
        report.answer.record(UInt64.random(in: 100_000...900_000, using: &numbers))
        entry.sent = 50
        entry.acknowledged = 50
        entry.shown = 45
        entry.ended = 45
        entry.acknowledgement = SwarmReport.Second.Percentiles(histogram)
        entry.residentBytes = 40_000_000 + UInt64(second) * 1000
        entry.descriptors = 150
        report.timeline.append(entry)
    }
    report.counts.sent = UInt64(50 * seconds)
    report.counts.acknowledged = report.counts.sent
    report.counts.accepted = report.counts.sent - 15
    report.counts.shown = UInt64(45 * seconds)
    var part = SwarmReport.Part()
    part.command = ["alertbus", "swarm", "--producers", "100"]
    part.startedAt = startedAt
    part.duration = Double(seconds)
    part.cores = 2
    part.processor = "a processor"
    report.parts = [part]
    return report
}
