extension SwarmReport {
    /// The largest count that a report may hold. Thousands of such reports can be added without overflow, and JSON keeps it exact.
    static let largestCount: UInt64 = 1 << 53

    /// A file comes from outside: what is added, subtracted or drawn later must be in bounds.
    func validate() throws(ReportError) {
        try require(startedAt <= Self.largestCount, "started_at", "is not a time")
        try require(duration >= 0 && duration <= 1e9, "duration_s", "is not a length of time")
        if let rate = setup.offeredRate { try require(rate >= 0 && rate <= 1e12, "setup.offered_per_s", "is not a rate") }
        for (number, name) in [(setup.producers, "producers"), (setup.subscribers, "subscribers"), (setup.surfaces, "surfaces")] {
            try require(number <= Self.largestCount, "setup.\(name)", "is too large")
        }
        try require(counts.all.allSatisfy { $0 <= Self.largestCount }, "counts", "has a number that is too large")
        try require(Set(checks.map(\.name)).count == checks.count, "checks", "has a check twice")
        for check in checks {
            try require(
                check.findings <= Self.largestCount && check.examined <= Self.largestCount, "checks",
                "has a number that is too large")
        }
        try require(parts.count <= 1 << 16, "parts", "has too many swarms")
        for part in parts {
            try require(part.startedAt <= Self.largestCount, "parts", "has a start that is not a time")
            try require(part.duration >= 0 && part.duration <= 1e9, "parts", "has a duration that is not a length of time")
        }
        try validateTimeline()
    }

    private func validateTimeline() throws(ReportError) {
        var previous = -1
        for (index, entry) in timeline.enumerated() {
            try require(
                entry.second > previous && entry.second <= 1 << 32, "timeline[\(index)].second", "is not after the one before")
            previous = entry.second
            try require(
                entry.numbers.allSatisfy { $0 <= Self.largestCount }, "timeline[\(index)]", "has a number that is too large")
        }
    }

    private func require(_ isTrue: Bool, _ place: String, _ fault: String) throws(ReportError) {
        guard isTrue else { throw .invalid(place: place, fault: fault) }
    }
}

extension SwarmReport.Counts {
    fileprivate var all: [UInt64] {
        [sent, acknowledged, accepted, shown, resent, deliveries, answers, reconnects] + Array(refused.values) + Array(ended.values)
    }
}

extension SwarmReport.Second {
    fileprivate var numbers: [UInt64] {
        let percentiles = [acknowledgement, timeToScreen, answer].compactMap(\.self).flatMap { [$0.p50, $0.p99] }
        return [sent, acknowledged, shown, ended, residentBytes ?? 0, descriptors ?? 0] + percentiles
    }
}
