import Foundation

extension SwarmReport {
    /// The report as JSON, in one line with sorted keys: the same report is always the same text. Exact, so that reports can be joined.
    public func encodedJSON() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers that JSON cannot hold would be the only reason to fail.
        var report = self
        report.makeFinite()
        guard let data = try? encoder.encode(report) else { fatalError("a report of strings, integers and finite numbers is JSON") }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads what `encodedJSON()` wrote.
    ///
    /// - Throws: `ReportError`, for anything else: other files, other versions, and reports that somebody changed so that they contradict
    ///   themselves.
    public init(json: String) throws(ReportError) {
        let data = Data(json.utf8)
        let decoder = JSONDecoder()
        do {
            guard let schema = try decoder.decode(Envelope.self, from: data).schema else { throw ReportError.notAReport }
            guard schema == Self.schema else { throw ReportError.unknownSchema(schema) }
        } catch {
            throw ReportError(error)
        }
        do { self = try decoder.decode(SwarmReport.self, from: data) } catch { throw ReportError(inReport: error) }
        try validate()
    }

    private mutating func makeFinite() {
        if !duration.isFinite { duration = 0 }
        if let rate = setup.offeredRate, !rate.isFinite { setup.offeredRate = nil }
        for index in parts.indices where !parts[index].duration.isFinite { parts[index].duration = 0 }
    }
}

/// What is looked at before anything else.
private struct Envelope: Decodable {
    var schema: String?
}

extension SwarmReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case schema, passed, title, setup, counts, checks, timeline, parts
        case startedAt = "started_at"
        case duration = "duration_s"
        case protocolName = "protocol"
        case acknowledgement = "acknowledgement_us"
        case timeToScreen = "time_to_screen_us"
        case answer = "answer_us"
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.schema, forKey: .schema)
        // For readers that only want to know; not read again.
        try values.encode(passed, forKey: .passed)
        try values.encode(title, forKey: .title)
        try values.encode(startedAt, forKey: .startedAt)
        try values.encode(duration, forKey: .duration)
        try values.encode(protocolName, forKey: .protocolName)
        try values.encode(setup, forKey: .setup)
        try values.encode(counts, forKey: .counts)
        try values.encode(checks, forKey: .checks)
        try values.encode(acknowledgement, forKey: .acknowledgement)
        try values.encode(timeToScreen, forKey: .timeToScreen)
        try values.encode(answer, forKey: .answer)
        try values.encode(timeline, forKey: .timeline)
        try values.encode(parts, forKey: .parts)
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        startedAt = try values.decode(UInt64.self, forKey: .startedAt)
        duration = try values.decode(Double.self, forKey: .duration)
        protocolName = try values.decode(String.self, forKey: .protocolName)
        setup = try values.decode(Setup.self, forKey: .setup)
        counts = try values.decode(Counts.self, forKey: .counts)
        checks = try values.decode([Check].self, forKey: .checks)
        acknowledgement = try values.decode(Latency.self, forKey: .acknowledgement)
        timeToScreen = try values.decode(Latency.self, forKey: .timeToScreen)
        answer = try values.decode(Latency.self, forKey: .answer)
        timeline = try values.decode([Second].self, forKey: .timeline)
        parts = try values.decode([Part].self, forKey: .parts)
    }
}
