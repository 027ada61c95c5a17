import Foundation

/// The plots of a report, in the order of the page.
struct ReportPlots {
    private let report: SwarmReport
    private let timeline: CondensedTimeline

    init(_ report: SwarmReport, _ timeline: CondensedTimeline) {
        self.report = report
        self.timeline = timeline
    }

    var all: [Plot] { distribution + (timeline.entries.count > 1 ? rates + times + memory : []) }

    // MARK: Over the whole run

    private var distribution: [Plot] {
        let latencies = report.latencies
        guard !latencies.isEmpty else { return [] }
        let x = Axis.percentiles(of: latencies.map(\.latency.raw.count).max() ?? 1)
        var series: [Plot.Series] = []
        for (index, (name, _, latency)) in latencies.enumerated() {
            series.append(Plot.Series(name: name, colour: index + 1, points: Self.curve(latency.raw, upTo: x.upper)))
            guard latency.corrected != latency.raw else { continue }
            let curve = Self.curve(latency.corrected, upTo: x.upper)
            series.append(Plot.Series(name: "\(name), corrected", colour: index + 1, isDashed: true, points: curve))
        }
        let values = series.flatMap { $0.points.compactMap { $0?.y } }
        return [
            Plot(
                name: "distribution", title: "Distribution of times",
                meaning: "How long the given share of all took at most. Each step to the right is ten times rarer."
                    + (series.contains { $0.isDashed } ? " Dashed: corrected for coordinated omission." : ""),
                xTitle: "percentile", yTitle: "time, logarithmic", x: x, y: .times(from: values.min() ?? 1, to: values.max() ?? 1),
                series: series, isWide: true, value: { Figure.time($0) })
        ]
    }

    /// Twenty points to each tenfold, as far as the measurements go.
    private static func curve(_ histogram: Histogram, upTo limit: Double) -> [(x: Double, y: Double)?] {
        let end = min(log10(Double(histogram.count)), limit)
        let places = stride(from: 0, to: end, by: 0.05) + [end]
        let values = histogram.values(atPercentiles: places.map { 100 * (1 - pow(10, -$0)) })
        return zip(places, values).map { (x: $0, y: Double($1)) }
    }

    // MARK: Over time

    private var xAxis: Axis { .seconds(upTo: timeline.entries.last?.second ?? 0) }
    private var xTitle: String { "time since the beginning" }
    private var grouping: String { timeline.width > 1 ? " Each point stands for \(timeline.width) seconds" : "" }

    private func points(_ value: (SwarmReport.Second) -> Double?) -> [(x: Double, y: Double)?] {
        timeline.entries.map { entry in value(entry).map { (x: Double(entry.second), y: $0) } }
    }

    private var rates: [Plot] {
        let kinds: [(String, KeyPath<SwarmReport.Second, UInt64>)] = [
            ("Sent", \.sent), ("Acknowledged", \.acknowledged), ("Shown", \.shown), ("Ended", \.ended),
        ]
        let series = kinds.enumerated().map { index, kind in
            // What was sent lies under what was acknowledged when all is well.
            Plot.Series(
                name: kind.0, colour: index + 1, isDashed: index == 0, points: points { timeline.rate($0[keyPath: kind.1]) })
        }.filter { line in line.points.contains { ($0?.y ?? 0) > 0 } }
        guard !series.isEmpty else { return [] }
        let highest = series.flatMap { $0.points.compactMap { $0?.y } }.max() ?? 1
        return [
            Plot(
                name: "rates", title: "Rates",
                meaning: "How many a second." + (grouping.isEmpty ? "" : "\(grouping), at their mean."),
                xTitle: xTitle, yTitle: "number a second", x: xAxis, y: .linear(upTo: highest) { Figure.rate($0) },
                series: series.sorted { !$0.isDashed && $1.isDashed }, isWide: true, value: { Figure.rate($0) })
        ]
    }

    private var times: [Plot] {
        let kinds: [(String, String, KeyPath<SwarmReport.Second, SwarmReport.Second.Percentiles?>)] = [
            ("acknowledgement", "Acknowledgement", \.acknowledgement), ("time-to-screen", "Time to screen", \.timeToScreen),
            ("answer", "Answer", \.answer),
        ]
        return kinds.compactMap { name, title, path in
            let p50 = points { $0[keyPath: path].map { Double($0.p50) } }
            let p99 = points { $0[keyPath: path].map { Double($0.p99) } }
            let values = (p50 + p99).compactMap { $0?.y }
            guard let lowest = values.min(), let highest = values.max() else { return nil }
            return Plot(
                name: "over-time-\(name)", title: "\(title) over time",
                meaning: "What half (p50) and 99 of 100 (p99) took at most, second by second."
                    + (grouping.isEmpty ? "" : "\(grouping), at the highest of them."),
                xTitle: xTitle, yTitle: "time, logarithmic", x: xAxis, y: .times(from: lowest, to: highest),
                series: [Plot.Series(name: "p99", colour: 2, points: p99), Plot.Series(name: "p50", colour: 1, points: p50)],
                value: { Figure.time($0) })
        }
    }

    private var memory: [Plot] {
        let points = points { $0.residentBytes.map { Double($0) } }
        guard let highest = points.compactMap({ $0?.y }).max() else { return [] }
        return [
            Plot(
                name: "memory", title: "Memory of the arbiter", meaning: "Resident memory of the process.", xTitle: xTitle,
                yTitle: "memory", x: xAxis, y: .bytes(upTo: highest),
                series: [Plot.Series(name: "Resident", colour: 3, points: points)], value: { Figure.bytes(UInt64($0)) })
        ]
    }
}
