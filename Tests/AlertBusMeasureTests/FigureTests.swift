import AlertBusMeasure
import Testing

/// Numbers as they come out, through what is public.
@Suite struct FigureTests {
    /// The row of times of a report that measured one time only.
    private func written(_ microseconds: UInt64) -> String {
        var report = SwarmReport()
        report.acknowledgement.record(microseconds)
        let line = ReportText.render(report).split(separator: "\n").first { $0.hasPrefix("  Acknowledgement") } ?? ""
        return line.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
    }

    @Test(
        arguments: [
            (0, "0 µs"), (7, "7 µs"), (999, "999 µs"), (1000, "1.00 ms"), (1234, "1.23 ms"), (12_345, "12.3 ms"),
            (999_499, "999 ms"),
            (999_600, "1.00 s"), (12_000_000, "12.0 s"), (3_600_000_000, "3,600 s"),
        ] as [(UInt64, String)])
    func `times have three digits and a unit`(microseconds: UInt64, text: String) {
        #expect(written(microseconds) == text)
    }
}
