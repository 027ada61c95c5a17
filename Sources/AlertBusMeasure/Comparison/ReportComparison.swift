/// Two reports side by side: what changed, and what got worse.
public enum ReportComparison {
    /// How much worse a figure may become before it counts: a tenth.
    public static let tolerance = 0.1

    /// A figure that got worse by more than the tolerance, or a check that fails now and did not before.
    public struct Regression: Equatable, Sendable, CustomStringConvertible {
        /// Such as `Acknowledgement p99`.
        public var name: String
        /// One line: the figure before and after.
        public var description: String
    }

    /// What got worse from `before` to `after`, in the order of the table; empty when nothing did.
    public static func regressions(_ before: SwarmReport, _ after: SwarmReport) -> [Regression] {
        let checks = failedAnew(before, after).map { check in
            Regression(
                name: check.name.promise,
                description: "\(check.name.promise): \(Figure.count(check.findings)) found, and none before")
        }
        let figures = ComparedFigure.all(before, after).filter(\.isWorse).map { figure in
            Regression(
                name: figure.name,
                description: "\(figure.name): \(figure.text(figure.before)) before, \(figure.text(figure.after)) after")
        }
        return checks + figures
    }

    /// A table of every figure of both reports with the ratio, `WORSE` where it got worse; the verdicts above, the regressions counted below.
    public static func render(_ before: SwarmReport, _ after: SwarmReport) -> String {
        var lines = differences(before, after)
        for (name, report) in [("before", before), ("after", after)] {
            let verdict = Verdict(report)
            lines.append("\(name): \(title(report))\(verdict.headline.uppercased()): \(verdict.sentence)")
        }
        var table = TextTable()
        table.row(["", "before", "after", "ratio", ""])
        for figure in ComparedFigure.all(before, after) {
            let ratio = figure.ratio.map(Figure.ratio) ?? ""
            table.row([
                figure.name, figure.text(figure.before), figure.text(figure.after), ratio, figure.isWorse ? "WORSE" : "     ",
            ])
        }
        lines += [""] + table.lines + [""]
        let regressions = regressions(before, after)
        let percent = Figure.plain(tolerance * 100, digits: 1)
        lines.append(
            regressions.isEmpty
                ? "Nothing got worse by more than \(percent) %."
                : "Got worse by more than \(percent) %: \(regressions.map(\.name).joined(separator: ", ")).")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func failedAnew(_ before: SwarmReport, _ after: SwarmReport) -> [SwarmReport.Check] {
        after.checks.filter { check in !check.passed && before.checks.contains { $0.name == check.name && $0.passed } }
    }

    private static func title(_ report: SwarmReport) -> String {
        var words = [ReportText.oneLine(report.title)]
        if report.startedAt > 0 { words.append(Figure.date(report.startedAt)) }
        return words.filter { !$0.isEmpty }.map { "\($0), " }.joined()
    }

    /// Runs under different loads can be put side by side, but somebody should know.
    private static func differences(_ before: SwarmReport, _ after: SwarmReport) -> [String] {
        let values = Dictionary(before.loadFacts, uniquingKeysWith: { first, _ in first })
        return after.loadFacts.compactMap { name, value in
            guard let other = values[name], other != value else { return nil }
            return "Not the same load: \(name.lowercased()) was \(ReportText.oneLine(other)), and is \(ReportText.oneLine(value))."
        }
    }
}

extension SwarmReport {
    /// What two runs must have in common for their figures to mean the same.
    fileprivate var loadFacts: [(String, String)] {
        circumstances.filter { ["Load", "Connection", "Protocol", "Journal"].contains($0.name) }.map { ($0.name, $0.value) }
            + [("Machine", parts.map { "\($0.cores) cores, \($0.processor)" }.joined(separator: "; "))]
    }
}
