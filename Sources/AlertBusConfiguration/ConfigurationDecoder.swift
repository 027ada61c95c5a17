import AlertBusModel

/// Walks the tree of a file, fills a configuration, and notes everything that is wrong on the way.
///
/// A key with a fault keeps its default, so that one mistake does not cause a second message.
struct ConfigurationDecoder {
    var configuration = Configuration()
    private var reader: EntryReader
    /// Which override gave a value, by key path.
    var sources: [String: String] = [:]

    init(file: String) { reader = EntryReader(file: file) }

    var file: String { reader.file }
    var faults: [ConfigurationFault] {
        get { reader.faults }
        set { reader.faults = newValue }
    }
    /// Where the values stand that the file gives, by key path.
    var places: [String: SourcePosition] {
        get { reader.places }
        set { reader.places = newValue }
    }
    /// Key paths whose value could not be used.
    var rejected: Set<String> {
        get { reader.rejected }
        set { reader.rejected = newValue }
    }

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
        guard let entries = reader.table(entry.key, entry.node) else { return }
        reader.read(entries, keys, into: &configuration, in: entry.key, elsewhere: Self.elsewhere)
    }

    private mutating func decodePolicies(_ entry: TOMLEntry, _ keys: [ConfigurationKey<PolicyEntry>]) {
        for (path, entries, position) in reader.tables(entry.key, entry.node) {
            var policy = PolicyEntry()
            reader.read(entries, keys, into: &policy, in: path, elsewhere: Self.elsewhere)
            for key in keys where key.isRequired && !entries.contains(where: { $0.key == key.name }) {
                let name = DottedPath.joined(path, key.name)
                fault(.missingKey, at: position, name, expected: key.form.expectation, found: "nothing")
                rejected.insert(name)
            }
            append(policy, path)
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
        reader.fault(kind, at: position, key, expected: expected, found: found, suggestion: suggestion)
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
