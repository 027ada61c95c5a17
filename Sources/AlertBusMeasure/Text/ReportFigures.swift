/// What text and page both say, in the order in which they say it.
extension SwarmReport {
    /// The percentiles that are shown, in the order of the tables.
    static let percentiles: [Double] = [50, 90, 99, 99.9, 99.99]

    /// The kinds of times that were measured, with a name for each and the sentence that says from when to when.
    var latencies: [(name: String, meaning: String, latency: Latency)] {
        [
            ("Acknowledgement", "from sending a command to its reply", acknowledgement),
            ("Time to screen", "from sending a raise to its being drawn", timeToScreen),
            ("Answer", "from a person's answer to its reaching the producer", answer),
        ].filter { !$0.latency.isEmpty }
    }

    /// Where and how it ran, as names and values.
    var circumstances: [(name: String, value: String)] {
        var rows = [
            ("Began", startedAt == 0 ? "unknown" : Figure.date(startedAt)),
            ("Lasted", Figure.seconds(duration)),
            ("Load", load),
            (
                "Connection",
                "\(setup.transport.isEmpty ? "unknown" : setup.transport), \(setup.isSecure ? "CURVE" : "not encrypted")"
            ),
            ("Protocol", protocolName),
            ("Journal", setup.journal ?? "unknown"),
        ]
        if parts.count > 1 { rows.append(("Swarms joined", Figure.count(UInt64(parts.count)))) }
        for part in parts {
            rows.append(("Machine", "\(part.cores) cores, \(part.processor.isEmpty ? "unknown processor" : part.processor)"))
            if !part.command.isEmpty { rows.append(("Command", part.command.joined(separator: " "))) }
        }
        return rows
    }

    private var load: String {
        let rate = setup.offeredRate.map { "\(Figure.rate($0)) offered" } ?? "as fast as possible"
        return "\(Self.number(setup.producers, "producer")), \(Self.number(setup.subscribers, "subscriber")), "
            + "\(Self.number(setup.surfaces, "surface")), \(rate)"
    }

    /// What happened how often; refusals and ends by reason below their sums.
    var countRows: [(name: String, value: UInt64, isPart: Bool)] {
        var rows = [
            ("Sent", counts.sent, false), ("Acknowledged", counts.acknowledged, false), ("Accepted", counts.accepted, false),
        ]
        rows.append(("Refused", counts.refusedInAll, false))
        rows += Self.parts(counts.refused)
        rows.append(("Shown", counts.shown, false))
        rows.append(("Ended", counts.endedInAll, false))
        rows += Self.parts(counts.ended)
        rows += [
            ("Delivered to subscribers", counts.deliveries, false), ("Answers", counts.answers, false),
            ("Sent again", counts.resent, false), ("Connections made again", counts.reconnects, false),
        ]
        return rows
    }

    /// The most frequent first.
    private static func parts(_ reasons: [String: UInt64]) -> [(String, UInt64, Bool)] {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value, true) }
    }

    private static func number(_ number: UInt64, _ word: String) -> String {
        "\(Figure.count(number)) \(word)\(number == 1 ? "" : "s")"
    }
}
