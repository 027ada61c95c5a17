import AlertBusMeasure
import Testing

@Suite struct JoiningTests {
    @Test func `counts, checks and times are added`() {
        let (a, b) = (sampleReport(seed: 1), sampleReport(seed: 2))
        let whole = SwarmReport.joined([a, b])
        #expect(whole.parts.count == 2)
        #expect(whole.title == "priority storm")
        #expect(whole.setup.producers == 200 && whole.setup.offeredRate == 10_000 && whole.setup.isSecure)
        #expect(whole.counts.sent == a.counts.sent + b.counts.sent)
        #expect(whole.counts.refused == ["intercepted": 24, "over_limit": 6])
        #expect(whole.counts.endedInAll == 1800)
        #expect(whole.acknowledgement.raw.count == 2000)
        #expect(whole.passed)
        var expected = a.timeToScreen
        expected.merge(b.timeToScreen)
        #expect(whole.timeToScreen == expected)
    }

    @Test func `timelines are laid over each other by the wall clock`() {
        let a = sampleReport(seed: 1, startedAt: 1_000_900, seconds: 10)
        let b = sampleReport(seed: 2, startedAt: 1_004_100, seconds: 10)
        for whole in [SwarmReport.joined([a, b]), .joined([b, a])] {
            #expect(whole.startedAt == 1_000_900)
            #expect(whole.duration == 13.2)
            #expect(whole.timeline.map(\.second) == Array(0..<14))
            #expect(whole.timeline.map(\.sent) == [50, 50, 50, 50, 100, 100, 100, 100, 100, 100, 50, 50, 50, 50])
            #expect(
                whole.timeline[5].acknowledgement?.p99
                    == max(a.timeline[5].acknowledgement!.p99, b.timeline[1].acknowledgement!.p99))
            #expect(whole.timeline[5].residentBytes == 40_005_000)
            #expect(whole.timeline[13].acknowledgement == b.timeline[9].acknowledgement)
        }
    }

    @Test func `the order of joining changes nothing that is measured`() {
        let reports = (1...4).map { sampleReport(seed: $0, startedAt: 1_000_000 + $0 * 1700) }
        let forwards = SwarmReport.joined(reports)
        let backwards = SwarmReport.joined(reports.reversed())
        #expect(forwards.timeline == backwards.timeline)
        #expect(forwards.counts == backwards.counts)
        #expect(forwards.acknowledgement == backwards.acknowledgement)
        #expect(forwards.duration == backwards.duration)
    }

    @Test func `a finding of one is a finding of all, and a check that one did not make is missing`() {
        var (a, b) = (sampleReport(), sampleReport())
        b.checks[0].found("lobby/1 key door seq 7")
        let failed = SwarmReport.joined([a, b])
        #expect(!failed.passed)
        #expect(failed.checks[0].findings == 1 && failed.checks[0].examined == 2000)
        #expect(failed.checks[0].examples == ["lobby/1 key door seq 7"])
        a.checks.remove(at: 2)
        let incomplete = SwarmReport.joined([a, sampleReport()])
        #expect(!incomplete.passed)
        #expect(!incomplete.checks.contains { $0.name == .order })
    }

    @Test func `nothing and one are themselves`() {
        #expect(SwarmReport.joined([]) == SwarmReport())
        #expect(SwarmReport.joined([sampleReport()]) == sampleReport())
    }

    @Test func `only the first findings are kept as text`() {
        var check = SwarmReport.Check(.lost)
        for number in 0..<100 { check.found("number \(number)") }
        #expect(check.findings == 100)
        #expect(check.examples.count == SwarmReport.Check.mostExamples)
        #expect(check.examples[0] == "number 0")
    }
}
