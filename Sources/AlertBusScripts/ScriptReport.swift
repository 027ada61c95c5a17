import AlertBusWire

/// Writes what a script did as one line of JSON.
public enum ScriptReport {
    public static func line(_ script: Script, _ events: [ScriptEvent], _ difference: ScriptDifference? = nil) -> String {
        var members: [JSONValue.Member] = [
            .init("name", .string(script.name)), .init("events", .array(events.map(json))),
        ]
        if let difference {
            members.append(
                .init(
                    "difference",
                    .object([
                        .init("event", .number("\(difference.index)")),
                        .init("expected", difference.expected.map(json) ?? nil),
                        .init("got", difference.got.map(json) ?? nil),
                    ])))
        }
        return JSONValue.object(members).text
    }

    static func json(_ event: ScriptEvent) -> JSONValue {
        var parts: [JSONValue] = [.number("\(event.time)"), .string(event.change), .string(event.key)]
        if let reason = event.reason { parts.append(.string(reason.rawValue)) }
        return .array(parts)
    }
}
