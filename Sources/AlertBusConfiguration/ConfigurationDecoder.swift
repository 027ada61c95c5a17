import AlertBusModel

/// Walks the tree of a file, fills a configuration, and notes everything that is wrong on the way.
///
/// A key with a fault keeps its default, so that one mistake does not cause a second message.
struct ConfigurationDecoder {
    let file: String
    var configuration = Configuration()
    var faults: [ConfigurationFault] = []
    /// Where the values stand that the file gives, by key path.
    var places: [String: SourcePosition] = [:]
    /// Which override gave a value, by key path.
    var sources: [String: String] = [:]
    /// Key paths whose value could not be used.
    var rejected: Set<String> = []

    init(file: String) { self.file = file }

    mutating func decode(_ root: [TOMLEntry]) {
        for entry in root {
            guard let section = ConfigurationTable.sections.first(where: { $0.name == entry.key }) else {
                refuseSection(entry)
                continue
            }
            switch section.content {
            case .table(let keys): decodeTable(entry, keys)
            case .entries(let keys): decodePolicies(entry, keys)
            }
        }
    }

    private mutating func decodeTable(_ entry: TOMLEntry, _ keys: [ConfigurationKey<Configuration>]) {
        guard case .table(let entries) = entry.node.value else {
            fault(
                .wrongType, at: entry.node.position, entry.key, expected: "a table [\(entry.key)]",
                found: entry.node.finding)
            return
        }
        var filled = configuration
        decode(entries, keys, into: &filled, in: entry.key)
        configuration = filled
    }

    private mutating func decodePolicies(_ entry: TOMLEntry, _ keys: [ConfigurationKey<PolicyEntry>]) {
        let expected = "tables, each headed [[\(entry.key)]]"
        guard case .array(let elements) = entry.node.value else {
            fault(.wrongType, at: entry.node.position, entry.key, expected: expected, found: entry.node.finding)
            return
        }
        for (index, element) in elements.enumerated() {
            let path = "\(entry.key)[\(index)]"
            guard case .table(let entries) = element.value else {
                fault(.wrongType, at: element.position, path, expected: expected, found: element.finding)
                continue
            }
            var policy = PolicyEntry()
            decode(entries, keys, into: &policy, in: path)
            for key in keys where key.isRequired && !entries.contains(where: { $0.key == key.name }) {
                let name = DottedPath.joined(path, key.name)
                fault(.missingKey, at: element.position, name, expected: key.form.expectation, found: "nothing")
                rejected.insert(name)
            }
            append(policy, path)
        }
    }

    private mutating func decode<Root>(
        _ entries: [TOMLEntry], _ keys: [ConfigurationKey<Root>], into root: inout Root, in path: String
    ) {
        for entry in entries {
            guard let key = keys.first(where: { $0.name == entry.key }) else {
                refuseKey(entry, known: keys.map(\.name), in: path)
                continue
            }
            let name = DottedPath.joined(path, key.name)
            places[name] = entry.node.position
            guard let literal = entry.node.literal, key.form.accepts(literal) else {
                rejected.insert(name)
                fault(
                    .wrongType, at: entry.node.position, name, expected: key.form.expectation, found: entry.node.finding
                )
                continue
            }
            do {
                try key.write(&root, literal)
            } catch {
                rejected.insert(name)
                faults.append(key.form.fault(error, file: file, at: entry.node.position, name, literal))
            }
        }
    }

    /// Adds a rule, unless an earlier one leaves nothing for it.
    private mutating func append(_ entry: PolicyEntry, _ path: String) {
        let name = DottedPath.joined(path, "surfaces")
        guard !rejected.contains(name), let position = places[name] else { return }
        let pattern: PathPattern
        do { pattern = try PathPattern(entry.surfaces) } catch { preconditionFailure("checked before: \(error)") }
        for (rule, origin) in zip(configuration.policies.rules, configuration.policyOrigins)
        where PatternRules.covers(rule.pattern, pattern) {
            let earlier = "\(JSONLine.quoted(rule.pattern.text)) in line \(origin.position.line)"
            if rule.pattern == pattern {
                fault(
                    .duplicatePattern, at: position, name, expected: "a pattern that no other policy has",
                    found: "the same as \(earlier)")
            } else {
                fault(
                    .unreachablePolicy, at: position, name,
                    expected: "a policy that can match; move it before \(earlier), which matches all of its surfaces",
                    found: JSONLine.quoted(pattern.text))
            }
            break
        }
        configuration.policies.rules.append(PolicyRule(pattern: pattern, policy: entry.policy))
        configuration.policyOrigins.append(PolicyOrigin(file: file, position: position))
    }
}

extension ConfigurationDecoder {
    private mutating func refuseSection(_ entry: TOMLEntry) {
        let sections = ConfigurationTable.sections
        var suggestion = Spelling.nearest(to: entry.key, among: sections.map(\.name)).flatMap { name in
            sections.first { $0.name == name }?.header
        }
        // A key at the top of the file lost its section's header.
        if suggestion == nil { suggestion = Self.elsewhere(entry.key) }
        fault(
            .unknownKey, at: entry.keyPosition, DottedPath.joined("", entry.key),
            expected: "one of \(sections.map(\.header).joined(separator: ", "))", found: entry.key,
            suggestion: suggestion ?? "")
    }

    private mutating func refuseKey(_ entry: TOMLEntry, known: [String], in path: String) {
        // An exact name in another section says more than a similar one in this.
        let suggestion = Self.elsewhere(entry.key) ?? Spelling.nearest(to: entry.key, among: known) ?? ""
        fault(
            .unknownKey, at: entry.keyPosition, DottedPath.joined(path, entry.key),
            expected: "one of \(known.joined(separator: ", "))", found: entry.key, suggestion: suggestion)
    }

    /// The key with its section, if another section has exactly this key.
    private static func elsewhere(_ key: String) -> String? {
        for section in ConfigurationTable.sections where section.keys.contains(where: { $0.name == key }) {
            return "\(section.header) \(key)"
        }
        return nil
    }

    private mutating func fault(
        _ kind: ConfigurationFault.Kind, at position: SourcePosition, _ key: String, expected: String, found: String,
        suggestion: String = ""
    ) {
        faults.append(
            ConfigurationFault(
                kind, file: file, position: position, key: key, expected: expected, found: found, suggestion: suggestion
            ))
    }
}

extension KeyForm {
    /// The fault for a value of the right type that cannot be.
    func fault(
        _ impossible: ImpossibleValue, file: String, at position: SourcePosition?, _ key: String, _ literal: Literal
    ) -> ConfigurationFault {
        var suggestion = ""
        if case .word(let words) = self, case .string(let text) = literal {
            suggestion = Spelling.nearest(to: text, among: words).map(JSONLine.quoted) ?? ""
        }
        let detail = impossible.detail.isEmpty ? "" : " (\(impossible.detail))"
        return ConfigurationFault(
            .impossibleValue, file: file, position: position, key: key, expected: expectation,
            found: literal.finding + detail, suggestion: suggestion)
    }
}
