import AlertBusMeasure
import Testing

@Suite struct ComparisonTests {
    private func slower(_ report: SwarmReport, by factor: Double) -> SwarmReport {
        var slower = report
        slower.acknowledgement = Latency()
        for percentile in 1...1000 {
            let time = report.acknowledgement.raw.value(atPercentile: Double(percentile) / 10)
            slower.acknowledgement.record(UInt64(Double(time) * factor))
        }
        return slower
    }

    @Test func `the same twice is no regression`() {
        let report = sampleReport()
        #expect(ReportComparison.regressions(report, report).isEmpty)
        let text = ReportComparison.render(report, report)
        #expect(text.contains("Nothing got worse by more than 10 %."))
        #expect(!text.contains("WORSE") && !text.contains("Not the same load"))
    }

    @Test func `slower by more than a tenth is marked, less is not`() {
        let before = slower(sampleReport(), by: 1)
        #expect(ReportComparison.regressions(before, slower(sampleReport(), by: 1.08)).isEmpty)
        let names = ReportComparison.regressions(before, slower(sampleReport(), by: 1.3)).map(\.name)
        #expect(names.contains("Acknowledgement p50") && names.contains("Acknowledgement p99"))
        // One measurement of a thousand is beyond: chance.
        #expect(!names.contains("Acknowledgement p99.9") && !names.contains("Acknowledgement longest"))
        let text = ReportComparison.render(before, slower(sampleReport(), by: 1.3))
        let line = text.split(separator: "\n").first { $0.contains("Acknowledgement p50") }
        #expect(line?.hasSuffix("WORSE") == true && line?.contains("1.30 ×") == true, "\(text)")
        #expect(ReportComparison.regressions(slower(sampleReport(), by: 1.3), before).isEmpty)
    }

    @Test func `fewer a second is worse, more is not`() {
        let before = sampleReport()
        var after = before
        after.counts.acknowledged /= 2
        #expect(ReportComparison.regressions(before, after).map(\.name) == ["Acknowledged"])
        #expect(ReportComparison.regressions(after, before).isEmpty)
    }

    @Test func `a check that fails anew is the first regression`() {
        let before = sampleReport()
        var after = before
        after.checks[0].found("hall/1 key door")
        after.counts.resent = 400
        let found = ReportComparison.regressions(before, after)
        #expect(found.map(\.name) == ["Nothing is lost", "Sent again"])
        #expect(found[0].description.contains("1 found"))
        #expect(ReportComparison.regressions(after, after).isEmpty)
    }

    @Test func `from nothing to something is worse`() {
        var before = sampleReport()
        before.counts.reconnects = 0
        let names = ReportComparison.regressions(before, sampleReport()).map(\.name)
        #expect(names == ["Connections made again"])
        #expect(ReportComparison.render(before, sampleReport()).contains("from none"))
    }

    @Test func `different loads are said`() {
        var after = sampleReport()
        after.setup.producers = 7
        after.setup.isSecure = false
        let text = ReportComparison.render(sampleReport(), after)
        #expect(text.contains("Not the same load: load was 100 producers"))
        #expect(text.contains("Not the same load: connection was tcp, CURVE, and is tcp, not encrypted."))
    }

    @Test func `memory that grew is worse`() {
        var after = sampleReport()
        after.timeline[7].residentBytes = 80_000_000
        #expect(ReportComparison.regressions(sampleReport(), after).map(\.name) == ["Memory of the arbiter, most"])
    }
}
