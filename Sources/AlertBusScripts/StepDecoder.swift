import AlertBusModel
import AlertBusWire

/// Reads one step of a script. Steps that are requests are read by the decoder of the bus, so both mean the same.
package final class StepDecoder {
    private let requests = RequestDecoder(limits: WireLimits(messageBytes: 64 << 20))

    /// The kinds of steps, and the number of values that may follow the kind.
    private static let kinds: [(kind: String, values: ClosedRange<Int>)] = [
        ("show", 1...4), ("dismiss", 0...1), ("wait", 1...1), ("raise", 1...1), ("update", 1...1), ("withdraw", 1...1),
        ("answer", 2...2), ("clear", 0...1), ("hold", 0...0), ("release", 0...0), ("refresh", 2...3), ("loaded", 2...2),
        ("load_failed", 1...2),
    ]

    package static var kindNames: [String] { kinds.map(\.kind) }

    func decode(_ step: JSONValue, on surface: String, place: String) throws(ScriptFault) -> ScriptStep {
        guard let parts = step.array, let kind = parts.first?.string else {
            throw ScriptFault(place: place, message: "expected an array that begins with the kind of step")
        }
        guard let known = Self.kinds.first(where: { $0.kind == kind }) else {
            let kinds = Self.kinds.map(\.kind).joined(separator: ", ")
            throw ScriptFault(place: "\(place)/0", message: "there is no step \(parts[0].text); expected one of \(kinds)")
        }
        let values = Array(parts.dropFirst())
        guard known.values.contains(values.count) else {
            let range = known.values
            let count = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw ScriptFault(place: place, message: "\(kind) takes \(count) values, got \(values.count)")
        }
        let context = Context(surface: surface, place: place)
        switch kind {
        case "wait": return .wait(try milliseconds(values[0], "\(place)/1"))
        case "show": return try show(values, context)
        case "raise", "update": return try request(kind, members(of: values[0], context), context)
        case "dismiss", "withdraw": return try request(kind, target(values.first), context)
        case "answer":
            return try request(kind, target(values[0]) + [.init("answer", values[1])], context)
        case "clear": return try request(kind, values.map { .init("shown", $0) }, context)
        case "refresh":
            let detail = values.count > 2 ? [JSONValue.Member("request", values[2])] : []
            return try request(kind, target(values[0]) + [.init("source", values[1])] + detail, context)
        case "loaded": return try loaded(values, context)
        case "load_failed":
            return .loadFailed(source: try text(values[0], "\(place)/1"), message: values.last?.string ?? "")
        default: return try request(kind, [], context)
        }
    }

    private struct Context {
        var surface: String
        var place: String
    }

    // MARK: Kinds

    /// As in the pop-up manager: a priority outside 1 to the policy's highest counts as 1, however far outside.
    private func show(_ values: [JSONValue], _ context: Context) throws(ScriptFault) -> ScriptStep {
        var members: [JSONValue.Member] = [.init("key", values[0])]
        if values.count > 1 {
            guard case .number(let digits) = values[1], Self.isInteger(digits) else {
                throw ScriptFault(place: "\(context.place)/2", message: "expected an integer, got \(values[1].text)")
            }
            members.append(.init("priority", .number("\(UInt8(digits) ?? 0)")))
        }
        if values.count > 2 { members.append(.init("intercept", values[2])) }
        if values.count > 3 { members.append(.init("activate", values[3])) }
        return try request("raise", members, context)
    }

    private func loaded(_ values: [JSONValue], _ context: Context) throws(ScriptFault) -> ScriptStep {
        let source = try text(values[0], "\(context.place)/1")
        let body = try body("loaded", [.init("load", 1), .init("rows", values[1])], context)
        guard case .loaded(_, let rows) = body.body else { preconditionFailure("loaded is read as loaded") }
        return .loaded(source: source, rows: rows)
    }

    private func target(_ value: JSONValue?) -> [JSONValue.Member] {
        guard let value else { return [] }
        if case .number = value { return [.init("instance", value)] }
        return [.init("key", value)]
    }

    private func members(of value: JSONValue, _ context: Context) throws(ScriptFault) -> [JSONValue.Member] {
        guard let members = value.members else {
            throw ScriptFault(place: "\(context.place)/1", message: "expected an object with the fields of the request")
        }
        for name in ["v", "op", "ref", "surface"] where members.contains(where: { $0.name == name }) {
            throw ScriptFault(
                place: "\(context.place)/1/\(name)", message: "leave it out: the script decides on it for all steps")
        }
        return members
    }

    // MARK: Reading

    private func request(
        _ op: String, _ members: [JSONValue.Member], _ context: Context
    ) throws(ScriptFault) -> ScriptStep {
        let request = try body(op, members, context)
        guard case .command(let command) = request.body else { preconditionFailure("\(op) is a command") }
        return .command(command, producer: request.producer ?? "")
    }

    private func body(
        _ op: String, _ members: [JSONValue.Member], _ context: Context
    ) throws(ScriptFault) -> Request {
        let head: [JSONValue.Member] = [
            .init("v", 1), .init("op", .string(op)), .init("surface", .string(context.surface)),
        ]
        do throws(WireFault) {
            return try requests.decode(JSONValue.object(head + members).bytes)
        } catch {
            throw ScriptFault(place: "\(context.place)/\(error.place)", message: error.detail)
        }
    }

    private func milliseconds(_ value: JSONValue, _ place: String) throws(ScriptFault) -> Milliseconds {
        guard let span = value.integer, (0...Int(WireLimits.longestClock)).contains(span) else {
            throw ScriptFault(
                place: place, message: "expected milliseconds from 0 to \(WireLimits.longestClock), got \(value.text)")
        }
        return Milliseconds(span)
    }

    private func text(_ value: JSONValue, _ place: String) throws(ScriptFault) -> String {
        guard let text = value.string else { throw ScriptFault(place: place, message: "expected a string, got \(value.text)") }
        return text
    }

    private static func isInteger(_ digits: String) -> Bool {
        let rest = digits.utf8.first == UInt8(ascii: "-") ? digits.utf8.dropFirst() : digits.utf8[...]
        return !rest.isEmpty && rest.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}
