/// Reads the entries of one table by its keys, and notes everything that is wrong on the way.
///
/// A key with a fault keeps its default, so that one mistake does not cause a second message.
struct EntryReader {
    let file: String
    var faults: [ConfigurationFault] = []
    /// Where the values stand that the file gives, by key path.
    var places: [String: SourcePosition] = [:]
    /// Key paths whose value could not be used.
    var rejected: Set<String> = []

    /// - Parameter elsewhere: what an unknown key could be but for its place; it says more than a similar name in this table.
    mutating func read<Root>(
        _ entries: [TOMLEntry], _ keys: [ConfigurationKey<Root>], into root: inout Root, in path: String,
        elsewhere: (String) -> String? = { _ in nil }
    ) {
        for entry in entries {
            guard let key = keys.first(where: { $0.name == entry.key }) else {
                refuse(entry, known: keys.map(\.name), in: path, suggestion: elsewhere(entry.key))
                continue
            }
            let name = DottedPath.joined(path, key.name)
            places[name] = entry.node.position
            guard let literal = entry.node.literal, key.form.accepts(literal) else {
                rejected.insert(name)
                fault(.wrongType, at: entry.node.position, name, expected: key.form.expectation, found: entry.node.finding)
                continue
            }
            do throws(ImpossibleValue) {
                try key.write(&root, literal)
            } catch {
                rejected.insert(name)
                faults.append(key.form.fault(error, file: file, at: entry.node.position, name, literal))
            }
        }
    }

    /// An entry that is none of the known ones.
    mutating func refuse(_ entry: TOMLEntry, known: [String], in path: String, suggestion: String? = nil) {
        fault(
            .unknownKey, at: entry.keyPosition, DottedPath.joined(path, entry.key),
            expected: "one of \(known.joined(separator: ", "))", found: entry.key,
            suggestion: suggestion ?? Spelling.nearest(to: entry.key, among: known) ?? "")
    }

    mutating func fault(
        _ kind: ConfigurationFault.Kind, at position: SourcePosition?, _ key: String, expected: String, found: String,
        suggestion: String = ""
    ) {
        faults.append(
            ConfigurationFault(
                kind, file: file, position: position, key: key, expected: expected, found: found, suggestion: suggestion))
    }

    /// The entries of `[name]`; nil and a fault when it is something else.
    mutating func table(_ name: String, _ node: TOMLNode) -> [TOMLEntry]? {
        if case .table(let entries) = node.value { return entries }
        fault(.wrongType, at: node.position, name, expected: "a table [\(name)]", found: node.finding)
        return nil
    }

    /// The entries of each `[[name]]`, with its key path and place. What is no table is a fault.
    mutating func tables(_ name: String, _ node: TOMLNode) -> [(path: String, entries: [TOMLEntry], position: SourcePosition)] {
        let expected = "tables, each headed [[\(name)]]"
        guard case .array(let elements) = node.value else {
            fault(.wrongType, at: node.position, name, expected: expected, found: node.finding)
            return []
        }
        var found: [(String, [TOMLEntry], SourcePosition)] = []
        for (index, element) in elements.enumerated() {
            let path = "\(name)[\(index)]"
            if case .table(let entries) = element.value {
                found.append((path, entries, element.position))
            } else {
                fault(.wrongType, at: element.position, path, expected: expected, found: element.finding)
            }
        }
        return found
    }
}
