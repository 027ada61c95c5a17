import AlertBusMeasure
import Testing

@Suite struct TextTests {
    private func lines(_ report: SwarmReport) -> [Substring] {
        ReportText.render(report).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `the verdict comes first`() {
        let lines = lines(sampleReport())
        #expect(lines[0] == "swarm: priority storm")
        #expect(lines[1].hasPrefix("PASSED: Nothing was lost"))
    }

    @Test func `a loss is named with what was lost`() {
        var report = sampleReport()
        report.checks[0].found("surface hall/1 key door-7 instance 12")
        let lines = lines(report)
        #expect(lines[1] == "FAILED: 1 lost.")
        #expect(lines.contains { $0.hasPrefix("  FAILED Nothing is lost") })
        #expect(lines.contains("    surface hall/1 key door-7 instance 12"))
    }

    @Test func `answers that nobody gave did not arrive either`() {
        var report = sampleReport()
        #expect(lines(report)[1].hasSuffix("and every answer arrived."))
        report.checks[4] = SwarmReport.Check(.answered)
        #expect(lines(report)[1].hasPrefix("PASSED") && lines(report)[1].hasSuffix("and nobody answered."))
    }

    @Test func `each kind of finding has its words`() {
        var report = sampleReport()
        for index in report.checks.indices { for number in 0...index { report.checks[index].found("\(number)") } }
        let sentence = "1 lost, 2 doubled, 3 out of order, 4 accepted alerts without their one end, 5 answers that did not arrive."
        #expect(lines(report)[1] == "FAILED: \(sentence)")
    }

    @Test func `a check that was not made is said`() {
        var report = sampleReport()
        report.checks.removeLast()
        #expect(lines(report)[1].hasPrefix("INCOMPLETE:") && lines(report)[1].contains("every answer arrives"))
        #expect(lines(SwarmReport())[1] == "INCOMPLETE: Nothing was checked.")
        report = sampleReport()
        report.counts.acknowledged = 0
        #expect(lines(report)[1].hasPrefix("INCOMPLETE:"))
    }

    @Test func `times stand in columns with their units`() {
        let lines = lines(sampleReport())
        let header = lines.first { $0.contains("p99.99") }
        let row = lines.first { $0.hasPrefix("  Acknowledgement ") }
        #expect(header?.count == row?.count)
        #expect(row?.contains(" ms") == true && row?.hasSuffix("1,000") == true, "\(row ?? "")")
    }

    @Test func `counts and reasons are there`() {
        let text = ReportText.render(sampleReport())
        for word in ["Refused", "intercepted", "dismissed", "Delivered to subscribers", "9,000", "450/s"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(text.contains("100 producers, 20 subscribers, 10 surfaces, 5,000/s offered"))
        #expect(text.contains("2026-01-01 00:00:00Z"))
    }

    @Test func `names from outside cannot write to the terminal`() {
        var report = sampleReport()
        report.title = "storm\u{1B}[2J\nPASSED"
        report.counts.refused = ["a\rb": 1]
        report.checks[0].found("key \u{1B}]0;x\u{7}")
        let text = ReportText.render(report)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
}
