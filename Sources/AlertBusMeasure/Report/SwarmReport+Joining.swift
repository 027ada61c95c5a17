extension SwarmReport {
    /// One report of swarms that ran together against one arbiter, on one machine or several.
    ///
    /// Counts, checks and histograms are added, which is exact. Timelines are laid over each other by the wall clock's second, so the
    /// machines' clocks should agree to well below a second. A check that one swarm did not make is missing from the whole.
    public static func joined(_ reports: [SwarmReport]) -> SwarmReport {
        guard var whole = reports.first else { return SwarmReport() }
        for report in reports.dropFirst() { whole.merge(report) }
        return whole
    }

    /// Adds the report of another swarm; see `joined(_:)`.
    public mutating func merge(_ other: SwarmReport) {
        mergeTimeline(other)
        let end = Swift.max(end, other.end)
        startedAt = Swift.min(startedAt, other.startedAt)
        duration = Double(end - startedAt) / 1000
        if title != other.title { title = [title, other.title].filter { !$0.isEmpty }.joined(separator: ", ") }
        if protocolName != other.protocolName { protocolName += ", \(other.protocolName)" }
        setup.merge(other.setup)
        counts.merge(other.counts)
        mergeChecks(other.checks)
        acknowledgement.merge(other.acknowledgement)
        timeToScreen.merge(other.timeToScreen)
        answer.merge(other.answer)
        parts += other.parts
    }

    /// Milliseconds since 1970.
    private var end: UInt64 { startedAt + UInt64((duration * 1000).rounded()) }

    private mutating func mergeChecks(_ others: [Check]) {
        checks = checks.compactMap { check in
            guard let same = others.first(where: { $0.name == check.name }) else { return nil }
            var check = check
            check.merge(same)
            return check
        }
    }

    private mutating func mergeTimeline(_ other: SwarmReport) {
        let start = Swift.min(startedAt, other.startedAt) / 1000
        var entries: [Int: Second] = [:]
        for (report, offset) in [(self, startedAt / 1000 - start), (other, other.startedAt / 1000 - start)] {
            for var entry in report.timeline {
                entry.second += Int(offset)
                if var same = entries[entry.second] {
                    same.merge(entry)
                    entry = same
                }
                entries[entry.second] = entry
            }
        }
        timeline = entries.values.sorted { $0.second < $1.second }
    }
}

extension SwarmReport.Setup {
    /// Each swarm has producers, subscribers and surfaces of its own.
    fileprivate mutating func merge(_ other: Self) {
        producers += other.producers
        subscribers += other.subscribers
        surfaces += other.surfaces
        // As fast as possible and a rate make no rate.
        if let rate = offeredRate, let more = other.offeredRate { offeredRate = rate + more } else { offeredRate = nil }
        if transport != other.transport { transport += ", \(other.transport)" }
        isSecure = isSecure && other.isSecure
        journal = journal ?? other.journal
    }
}

extension SwarmReport.Counts {
    fileprivate mutating func merge(_ other: Self) {
        sent += other.sent
        acknowledged += other.acknowledged
        accepted += other.accepted
        refused.merge(other.refused, uniquingKeysWith: +)
        shown += other.shown
        ended.merge(other.ended, uniquingKeysWith: +)
        resent += other.resent
        deliveries += other.deliveries
        answers += other.answers
        reconnects += other.reconnects
    }
}

extension SwarmReport.Second {
    /// Adds what happened elsewhere, or in the next second.
    mutating func merge(_ other: Self) {
        sent += other.sent
        acknowledged += other.acknowledged
        shown += other.shown
        ended += other.ended
        acknowledgement = .worse(acknowledgement, other.acknowledgement)
        timeToScreen = .worse(timeToScreen, other.timeToScreen)
        answer = .worse(answer, other.answer)
        // All see the same arbiter.
        residentBytes = [residentBytes, other.residentBytes].compactMap(\.self).max()
        descriptors = [descriptors, other.descriptors].compactMap(\.self).max()
    }
}

extension SwarmReport.Second.Percentiles {
    /// The percentile of two groups together lies between theirs; without the groups the higher one is what is certain.
    fileprivate static func worse(_ a: Self?, _ b: Self?) -> Self? {
        guard let a, let b else { return a ?? b }
        return Self(p50: max(a.p50, b.p50), p99: max(a.p99, b.p99))
    }
}
