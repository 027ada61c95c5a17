import AlertBusModel
import AlertBusService
import AlertBusWire

/// Prints what a replay found, for people or for machines.
struct ReplayPrinter {
    let wantsJSON: Bool

    func line(_ line: StoryLine) { StandardOutput.line(wantsJSON ? Self.json(line).text : Self.text(line)) }

    func differences(_ comparison: PolicyComparison) {
        for difference in comparison.differences {
            if wantsJSON {
                let object: JSONValue = .object([
                    .init("surface", .string(difference.surface)), .init("key", .string(difference.key)),
                    .init("was", .array(difference.was.map(Self.json))),
                    .init("would", .array(difference.would.map(Self.json))),
                ])
                StandardOutput.line(object.text)
            } else {
                StandardOutput.line("\(Quoting.safe(difference.surface)) \(Quoting.quoted(difference.key))")
                for line in difference.was { StandardOutput.line("  was    \(Self.text(line))") }
                for line in difference.would { StandardOutput.line("  would  \(Self.text(line))") }
            }
        }
        if wantsJSON {
            let object: JSONValue = .object([
                .init("compared", Self.number(comparison.compared)), .init("differ", Self.number(comparison.differences.count)),
            ])
            StandardOutput.line(object.text)
        } else {
            StandardOutput.line("\(comparison.differences.count) of \(comparison.compared) alerts would have fared differently")
        }
    }

    func summary(_ summary: JournalReplay.Summary, path: String) {
        let count = summary.end - summary.first
        guard wantsJSON else {
            StandardOutput.line("journal    \(Quoting.safe(path))")
            StandardOutput.line("entries    \(count), positions \(summary.first) to \(summary.end)")
            StandardOutput.line("epoch      \(summary.epoch)")
            if let first = summary.firstTime, let last = summary.lastTime {
                StandardOutput.line("time       \(Timestamp.text(first)) to \(Timestamp.text(last))")
            }
            StandardOutput.line("alerts     \(summary.alerts) on \(summary.surfaces) surfaces")
            StandardOutput.line("snapshots  \(summary.checked) compared, all equal")
            StandardOutput.line("digest     \(summary.digest)")
            return
        }
        let object: JSONValue = .object([
            .init("journal", .string(path)), .init("ok", true), .init("entries", Self.number(count)),
            .init("first", Self.number(summary.first)), .init("end", Self.number(summary.end)),
            .init("epoch", Self.number(summary.epoch)), .init("from", summary.firstTime.map(Self.number) ?? nil),
            .init("to", summary.lastTime.map(Self.number) ?? nil), .init("alerts", Self.number(summary.alerts)),
            .init("surfaces", Self.number(summary.surfaces)), .init("snapshots", Self.number(summary.checked)),
            .init("digest", .string(summary.digest)),
        ])
        StandardOutput.line(object.text)
    }

    func fault(_ fault: JournalReplay.Fault, path: String) {
        guard wantsJSON else { return }
        let object: JSONValue = .object([
            .init("journal", .string(path)), .init("ok", false), .init("position", Self.number(fault.position)),
            .init("message", .string(fault.message)),
        ])
        StandardOutput.line(object.text)
    }

    // MARK: A line

    private static func text(_ line: StoryLine) -> String {
        var words = [Timestamp.text(line.time), Quoting.safe(line.surface)]
        if !line.key.isEmpty { words.append(Quoting.quoted(line.key)) }
        if line.instance > 0 { words.append("#\(line.instance)") }
        words.append(line.event)
        if let reason = line.reason { words.append(reason.rawValue) }
        if !line.answer.isEmpty { words.append(Quoting.safe(String(decoding: line.answer, as: UTF8.self))) }
        if !line.detail.isEmpty { words.append("(\(Quoting.safe(line.detail)))") }
        words.append("· \(line.cause.op)")
        if !line.cause.producer.isEmpty { words.append("by \(Quoting.quoted(line.cause.producer))") }
        if line.cause.session > 0 { words.append("session \(line.cause.session)") }
        return words.joined(separator: " ")
    }

    private static func json(_ line: StoryLine) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("time", number(line.time)), .init("position", number(line.position)), .init("surface", .string(line.surface)),
        ]
        if !line.key.isEmpty { members.append(.init("key", .string(line.key))) }
        if line.instance > 0 { members.append(.init("instance", number(line.instance))) }
        if line.revision > 0 { members.append(.init("revision", number(line.revision))) }
        members.append(.init("event", .string(line.event)))
        if let reason = line.reason { members.append(.init("reason", .string(reason.rawValue))) }
        if !line.answer.isEmpty, let answer = try? JSONValue(line.answer) { members.append(.init("answer", answer)) }
        if !line.detail.isEmpty { members.append(.init("detail", .string(line.detail))) }
        var by: [JSONValue.Member] = [.init("op", .string(line.cause.op))]
        if !line.cause.producer.isEmpty { by.append(.init("producer", .string(line.cause.producer))) }
        if line.cause.session > 0 { by.append(.init("session", number(line.cause.session))) }
        members.append(.init("by", .object(by)))
        return .object(members)
    }

    private static func number(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }
}
