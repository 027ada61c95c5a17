import AlertBusConfiguration
import AlertBusModel
import AlertBusWire

/// Which policy a script runs under.
public enum ScriptPolicies: Equatable, Sendable {
    /// The one in the script, every key that it leaves out at its default.
    case ofEachScript
    /// These in place of the one in the script; the script's surface decides which.
    case given(PolicySet)
}

/// Reads scripts: one JSON object each. Fields that it does not know are ignored; keys of a policy and steps are not.
public final class ScriptDecoder {
    private let policies: ScriptPolicies
    private let steps = StepDecoder()

    public init(policies: ScriptPolicies = .ofEachScript) { self.policies = policies }

    /// - Parameter name: for a script without a name.
    /// - Throws: the first fault, with its place.
    public func decode(_ json: [UInt8], name: String) throws(ScriptFault) -> Script {
        let value = try Self.parsed(json)
        guard value.members != nil else { throw ScriptFault(place: "", message: "expected an object") }
        let surface = try surface(value["surface"])
        var script = Script(name: name, surface: surface, steps: [])
        if let given = value["name"] {
            guard let text = given.string else { throw ScriptFault(place: "name", message: "expected a string") }
            script.name = text
        }
        // The policy is checked even where another one takes its place.
        script.policy = try policy(value["policy"])
        if case .given(let set) = policies { script.policy = set.policy(for: surface) }
        guard let list = value["steps"]?.array else { throw ScriptFault(place: "steps", message: "expected an array") }
        for (index, step) in list.enumerated() {
            script.steps.append(try steps.decode(step, on: surface, place: "steps/\(index)"))
        }
        if let expected = value["expect"] { script.expected = try Self.events(expected) }
        return script
    }

    private static func parsed(_ json: [UInt8]) throws(ScriptFault) -> JSONValue {
        do throws(WireFault) {
            return try JSONValue(json)
        } catch {
            throw ScriptFault(place: error.place, message: error.detail)
        }
    }

    private func surface(_ value: JSONValue?) throws(ScriptFault) -> String {
        guard let value else { return Script.standardSurface }
        guard let path = value.string else { throw ScriptFault(place: "surface", message: "expected a surface path") }
        do throws(NameFault) {
            try Name.checkPath(path)
        } catch {
            throw ScriptFault(place: "surface", message: "\(error)")
        }
        return path
    }

    private func policy(_ value: JSONValue?) throws(ScriptFault) -> Policy {
        var policy = Policy()
        guard let value else { return policy }
        guard let members = value.members else { throw ScriptFault(place: "policy", message: "expected an object") }
        for member in members {
            if let fault = PolicyValues.set(member.name, Self.literal(member.value), in: &policy) {
                throw ScriptFault(place: "policy/\(member.name)", message: fault)
            }
        }
        return policy
    }

    private static func literal(_ value: JSONValue) -> PolicyValues.Value? {
        switch value {
        case .string(let text): .string(text)
        case .boolean(let value): .boolean(value)
        case .number(let text): Int64(text).map(PolicyValues.Value.integer)
        case .null, .array, .object: nil
        }
    }

    private static func events(_ value: JSONValue) throws(ScriptFault) -> [ScriptEvent] {
        guard let list = value.array else { throw ScriptFault(place: "expect", message: "expected an array") }
        var events: [ScriptEvent] = []
        for (index, element) in list.enumerated() {
            guard let parts = element.array, parts.count >= 3, parts.count <= 4, let time = parts[0].integer,
                let change = parts[1].string, ["show", "update", "hide"].contains(change), let key = parts[2].string
            else {
                throw ScriptFault(
                    place: "expect/\(index)", message: "expected [MILLISECONDS, \"show\" or \"hide\", KEY], got \(element.text)")
            }
            events.append(ScriptEvent(time: Int64(time), change: change, key: key))
        }
        return events
    }
}
