/// The timeline with as many entries as a plot or a table can show: of a long run several seconds make one.
struct CondensedTimeline {
    /// How many seconds each entry stands for.
    let width: Int
    /// Without holes: a second in which nothing happened is there with zeros. Counts are sums, the others are the highest of the seconds.
    let entries: [SwarmReport.Second]

    init(_ timeline: [SwarmReport.Second], atMost limit: Int = 600) {
        guard let last = timeline.last?.second else {
            width = 1
            entries = []
            return
        }
        let width = last / limit + 1
        var entries = (0...(last / width)).map { SwarmReport.Second(second: $0 * width) }
        for entry in timeline {
            let place = entry.second / width
            entries[place].merge(entry)
        }
        self.width = width
        self.entries = entries
    }

    /// A rate of one entry, in events a second.
    func rate(_ count: UInt64) -> Double { Double(count) / Double(width) }
}
