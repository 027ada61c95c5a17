/// One figure of two reports.
struct ComparedFigure {
    enum Better { case lower, higher, neither }

    var name: String
    var before: Double
    var after: Double
    var better: Better
    var text: (Double) -> String

    /// After over before; nil when both are nothing, infinite when there was nothing before.
    var ratio: Double? {
        if before == 0 { return after == 0 ? nil : .infinity }
        return after / before
    }

    var isWorse: Bool {
        switch better {
        case .lower: after > before * (1 + ReportComparison.tolerance)
        case .higher: after < before * (1 - ReportComparison.tolerance)
        case .neither: false
        }
    }

    /// In the order of the table. Times that only one of both has are left out: there is nothing to compare.
    static func all(_ before: SwarmReport, _ after: SwarmReport) -> [ComparedFigure] {
        rates(before, after) + times(before, after) + counts(before, after) + memory(before, after)
    }

    private static func rates(_ before: SwarmReport, _ after: SwarmReport) -> [ComparedFigure] {
        let rates: [(String, KeyPath<SwarmReport.Counts, UInt64>)] = [
            ("Acknowledged", \.acknowledged), ("Accepted", \.accepted), ("Shown", \.shown), ("Delivered", \.deliveries),
        ]
        return rates.map { name, path in
            ComparedFigure(
                name: name, before: before.perSecond(path), after: after.perSecond(path), better: .higher, text: Figure.rate)
        }
    }

    /// The longest time of all is a single event, so it is shown and not judged.
    private static func times(_ before: SwarmReport, _ after: SwarmReport) -> [ComparedFigure] {
        after.latencies.flatMap { name, _, latency -> [ComparedFigure] in
            guard let other = before.latencies.first(where: { $0.name == name })?.latency else { return [] }
            let raw = forms(name, other.raw, latency.raw)
            guard other.raw != other.corrected || latency.raw != latency.corrected else { return raw }
            return raw + forms("\(name) corrected", other.corrected, latency.corrected)
        }
    }

    private static func forms(_ name: String, _ before: Histogram, _ after: Histogram) -> [ComparedFigure] {
        let (old, new) = (
            before.values(atPercentiles: SwarmReport.percentiles), after.values(atPercentiles: SwarmReport.percentiles)
        )
        var figures = SwarmReport.percentiles.indices.map { index in
            let percentile = SwarmReport.percentiles[index]
            // Ten events beyond a percentile are the least that make it more than chance.
            let isEnough = Double(min(before.count, after.count)) * (100 - percentile) / 100 >= 10
            return ComparedFigure(
                name: "\(name) p\(Figure.percentile(percentile))", before: Double(old[index]), after: Double(new[index]),
                better: isEnough ? .lower : .neither, text: Figure.time)
        }
        figures.append(
            ComparedFigure(
                name: "\(name) longest", before: Double(before.max), after: Double(after.max), better: .neither, text: Figure.time))
        return figures
    }

    private static func counts(_ before: SwarmReport, _ after: SwarmReport) -> [ComparedFigure] {
        let counts: [(String, KeyPath<SwarmReport.Counts, UInt64>)] = [
            ("Refused", \.refusedInAll), ("Sent again", \.resent), ("Connections made again", \.reconnects),
        ]
        return counts.map { name, path in
            ComparedFigure(
                name: name, before: before.perSecond(path), after: after.perSecond(path), better: .lower, text: Figure.rate)
        }
    }

    private static func memory(_ before: SwarmReport, _ after: SwarmReport) -> [ComparedFigure] {
        let most = [before, after].map { $0.timeline.compactMap(\.residentBytes).max() }
        guard let old = most[0], let new = most[1] else { return [] }
        return [
            ComparedFigure(
                name: "Memory of the arbiter, most", before: Double(old), after: Double(new), better: .lower,
                text: { Figure.bytes(UInt64($0)) })
        ]
    }
}

extension SwarmReport {
    fileprivate func perSecond(_ path: KeyPath<Counts, UInt64>) -> Double {
        duration > 0 ? Double(counts[keyPath: path]) / duration : 0
    }
}
