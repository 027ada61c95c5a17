/// A report for a terminal: the verdict first, then the times, then what was counted.
public enum ReportText {
    /// Lines of plain text, without colours, with a line end at the end.
    public static func render(_ report: SwarmReport) -> String {
        let verdict = Verdict(report)
        var lines = [
            "swarm\(report.title.isEmpty ? "" : ": \(oneLine(report.title))")",
            "\(verdict.headline.uppercased()): \(verdict.sentence)",
        ]
        lines += section("Checks", checks(report))
        lines += section("Times", times(report))
        lines += section("Counts", counts(report))
        lines += section("Circumstances", circumstances(report))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : ["", title] + lines }

    private static func checks(_ report: SwarmReport) -> [String] {
        var table = TextTable()
        table.row(["", "looked at", "found"])
        for check in report.checks {
            table.row([
                "\(check.passed ? "ok    " : "FAILED") \(check.name.promise)", Figure.count(check.examined),
                Figure.count(check.findings),
            ])
        }
        var lines = table.lines
        for check in report.checks where !check.passed {
            lines.append("  \(check.name.promise), first findings:")
            lines += check.examples.map { "    \(oneLine($0))" }
        }
        return lines
    }

    private static func times(_ report: SwarmReport) -> [String] {
        var table = TextTable()
        table.row([""] + SwarmReport.percentiles.map { "p\(Figure.percentile($0))" } + ["longest", "mean", "number"])
        for (name, _, latency) in report.latencies {
            table.row([name] + times(latency.raw))
            if latency.corrected != latency.raw { table.row(["  corrected"] + times(latency.corrected)) }
        }
        guard !report.latencies.isEmpty else { return ["  nothing was measured"] }
        return table.lines + [
            "  corrected: from when each was due, with what could not be measured while the swarm waited"
        ]
    }

    private static func times(_ histogram: Histogram) -> [String] {
        histogram.values(atPercentiles: SwarmReport.percentiles).map { Figure.time($0) }
            + [Figure.time(histogram.max), Figure.time(histogram.mean), Figure.count(histogram.count)]
    }

    private static func counts(_ report: SwarmReport) -> [String] {
        var table = TextTable()
        for row in report.countRows {
            let rate = report.duration > 0 ? Figure.rate(Double(row.value) / report.duration) : ""
            table.row(["\(row.isPart ? "  " : "")\(oneLine(row.name))", Figure.count(row.value), row.value > 0 ? rate : ""])
        }
        return table.lines
    }

    private static func circumstances(_ report: SwarmReport) -> [String] {
        let width = report.circumstances.map(\.name.count).max() ?? 0
        return report.circumstances.map { name, value in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(oneLine(value))"
        }
    }

    /// What came from outside must not write on other lines, or to the terminal.
    static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
