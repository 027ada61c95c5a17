import AlertBusModel

/// Which policy a surface has, and why.
public struct PolicyDecision: Equatable, Sendable, CustomStringConvertible {
    public var surface: String
    public var policy: Policy
    /// The index of the `[[policy]]`, from 0; nil when none matches and `[default_policy]` applies.
    public var rule: Int?
    /// The pattern that matched; "" for the default.
    public var pattern: String
    /// Where the rule stands; nil for the default, and for rules that do not come from a file.
    public var origin: PolicyOrigin?

    /// Why, in one line.
    public var reason: String {
        guard let rule else { return "no [[policy]] matches, so [default_policy] applies" }
        let place = origin.map { " (\($0.file):\($0.position.line))" } ?? ""
        return "policy[\(rule)] is the first whose pattern matches: surfaces = \(JSONLine.quoted(pattern))\(place)"
    }

    /// The reason, and each rule of the surface in a line of its own, as it could be written in the file.
    public var description: String {
        let values = keys.map { key in
            let isDefault = key.value == key.standard
            return "  \(key.name) = \(key.value.toml)" + (isDefault ? "" : "  # default \(key.standard.toml)")
        }
        return (["\(surface): \(reason)"] + values).joined(separator: "\n")
    }

    /// One JSON object without line breaks. `rule` is -1 and `line` 0 for the default.
    public var json: String {
        var policy = JSONLine()
        for key in keys { policy.addRaw(key.name, key.value.json) }
        var line = JSONLine()
        line.add("surface", surface)
        line.add("rule", rule ?? -1)
        line.add("pattern", pattern)
        line.add("file", origin?.file ?? "")
        line.add("line", origin?.position.line ?? 0)
        line.addRaw("policy", policy.closed)
        line.add("message", reason)
        return line.closed
    }

    private var keys: [(name: String, value: Literal, standard: Literal)] {
        ConfigurationTable.policy.map { ($0.name, $0.read(policy), $0.read(Policy())) }
    }
}

extension Configuration {
    /// Tells which policy a surface has, and why. The answer is the one that `policies.policy(for:)` gives.
    /// - Throws: `NameFault` when the surface's name is not a valid path.
    public func decision(for surface: String) throws(NameFault) -> PolicyDecision {
        try Name.checkPath(surface)
        guard let index = policies.rules.firstIndex(where: { $0.pattern.matches(surface) }) else {
            return PolicyDecision(surface: surface, policy: policies.fallback, rule: nil, pattern: "", origin: nil)
        }
        let rule = policies.rules[index]
        let origin = policyOrigins.indices.contains(index) ? policyOrigins[index] : nil
        return PolicyDecision(
            surface: surface, policy: rule.policy, rule: index, pattern: rule.pattern.text, origin: origin)
    }
}
