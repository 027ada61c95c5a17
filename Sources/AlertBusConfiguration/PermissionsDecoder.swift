import AlertBusModel

/// Walks the tree of a permissions file and notes everything that is wrong on the way.
struct PermissionsDecoder {
    let file: String
    var permissions = Permissions()
    var faults: [ConfigurationFault] = []

    private static let entries = "tables, each headed [[client]]"

    init(file: String) { self.file = file }

    mutating func decode(_ root: [TOMLEntry]) {
        for entry in root {
            guard entry.key == "client" else {
                fault(
                    .unknownKey, entry.keyPosition, entry.key, "[[client]]", entry.key,
                    Spelling.nearest(to: entry.key, among: ["client"]).map { "[[\($0)]]" } ?? "")
                continue
            }
            guard case .array(let elements) = entry.node.value else {
                fault(.wrongType, entry.node.position, entry.key, Self.entries, entry.node.finding)
                continue
            }
            for (index, element) in elements.enumerated() { decodeClient(element, "client[\(index)]") }
        }
    }

    private mutating func decodeClient(_ node: TOMLNode, _ path: String) {
        guard case .table(let entries) = node.value else {
            fault(.wrongType, node.position, path, Self.entries, node.finding)
            return
        }
        let before = faults.count
        var client = ClientPermissions()
        for entry in entries { decodeKey(entry, DottedPath.joined(path, entry.key), &client) }
        for required in ["name", "key"] where !entries.contains(where: { $0.key == required }) {
            fault(.missingKey, node.position, DottedPath.joined(path, required), "a string", "nothing")
        }
        guard faults.count == before else { return }
        if permissions.client(name: client.name) != nil {
            fault(.conflict, node.position, path, "a name that no other client has", client.name)
        } else if permissions.client(key: client.key) != nil {
            fault(.conflict, node.position, path, "a key that no other client has", client.key)
        } else {
            permissions.add(client)
        }
    }

    private mutating func decodeKey(_ entry: TOMLEntry, _ path: String, _ client: inout ClientPermissions) {
        switch entry.key {
        case "name":
            guard let text = string(entry, path) else { return }
            do { try Name.check(text) } catch {
                fault(.impossibleValue, entry.node.position, path, "a producer's name", "\(text) (it \(error))")
            }
            client.name = text
        case "key":
            guard let text = string(entry, path) else { return }
            if text.utf8.count != 40 {
                fault(
                    .impossibleValue, entry.node.position, path, "a public key of 40 characters, as `alertbus keygen` prints it",
                    "\(text.utf8.count) characters")
            }
            client.key = text
        case "producer": client.producer = patterns(entry, path)
        case "subscriber": client.subscriber = patterns(entry, path)
        case "operator": client.operates = patterns(entry, path)
        case "provider": client.provider = patterns(entry, path)
        case "observer": client.observer = boolean(entry, path)
        case "breakthrough": client.breakthrough = boolean(entry, path)
        case "top_priority": client.topPriority = UInt8(integer(entry, path, 1...255))
        case "rate_per_second": client.ratePerSecond = Int(integer(entry, path, 0...10_000_000))
        case "burst": client.burst = Int(integer(entry, path, 0...10_000_000))
        case "alerts": client.alerts = Int(integer(entry, path, 0...100_000_000))
        default:
            fault(
                .unknownKey, entry.keyPosition, path, "one of \(Permissions.keys.joined(separator: ", "))", entry.key,
                Spelling.nearest(to: entry.key, among: Permissions.keys) ?? "")
        }
    }

    // MARK: Values

    private mutating func string(_ entry: TOMLEntry, _ path: String) -> String? {
        if case .string(let text) = entry.node.value { return text }
        fault(.wrongType, entry.node.position, path, "a string", entry.node.finding)
        return nil
    }

    private mutating func boolean(_ entry: TOMLEntry, _ path: String) -> Bool {
        if case .boolean(let value) = entry.node.value { return value }
        fault(.wrongType, entry.node.position, path, "true or false", entry.node.finding)
        return false
    }

    private mutating func integer(_ entry: TOMLEntry, _ path: String, _ range: ClosedRange<Int64>) -> Int64 {
        if case .integer(let value) = entry.node.value, range.contains(value) { return value }
        let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
        if case .integer(let value) = entry.node.value {
            fault(.impossibleValue, entry.node.position, path, expected, "\(value)")
        } else {
            fault(.wrongType, entry.node.position, path, expected, entry.node.finding)
        }
        return range.lowerBound
    }

    private mutating func patterns(_ entry: TOMLEntry, _ path: String) -> [PathPattern] {
        let expected = #"a list of patterns like ["lobby/**", "hall/*/modal"]"#
        guard case .array(let elements) = entry.node.value else {
            fault(.wrongType, entry.node.position, path, expected, entry.node.finding)
            return []
        }
        var patterns: [PathPattern] = []
        for element in elements {
            guard case .string(let text) = element.value else {
                fault(.wrongType, element.position, path, expected, element.finding)
                continue
            }
            do throws(ImpossibleValue) {
                let checked = try PatternRules.checked(text)
                if let pattern = try? PathPattern(checked) { patterns.append(pattern) }
            } catch {
                fault(.impossibleValue, element.position, path, expected, "\(JSONLine.quoted(text)) (\(error.detail))")
            }
        }
        return patterns
    }

    private mutating func fault(
        _ kind: ConfigurationFault.Kind, _ position: SourcePosition, _ key: String, _ expected: String, _ found: String,
        _ suggestion: String = ""
    ) {
        faults.append(
            ConfigurationFault(
                kind, file: file, position: position, key: key, expected: expected, found: found, suggestion: suggestion))
    }
}
