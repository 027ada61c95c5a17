/// Reads other TOML files as strictly as the configuration: an unknown key, a wrong type and an impossible value are faults with
/// their place, and all of them are reported at once.
///
/// A key with a fault keeps its default, so that one mistake does not cause a second message.
package struct TableFile {
    /// One `[name]` or `[[name]]` of the file.
    package struct Section {
        package let name: String
        fileprivate let entry: TOMLEntry

        package var position: SourcePosition { entry.node.position }
    }

    /// What faults name as the file.
    package let name: String
    package private(set) var faults: [ConfigurationFault] = []
    private let root: [TOMLEntry]

    /// - Throws: why the file cannot be read, or is not TOML.
    package init(path: String) throws(ConfigurationFaults) {
        let bytes: [UInt8]
        do throws(SystemFault) {
            bytes = try ConfigurationFile.read(path)
        } catch {
            throw ConfigurationFaults([
                ConfigurationFault(
                    .unreadable, file: path, expected: "a readable file", found: error.description, errno: error.errno)
            ])
        }
        try self.init(bytes, name: path)
    }

    package init(text: String, name: String) throws(ConfigurationFaults) { try self.init(Array(text.utf8), name: name) }

    private init(_ bytes: [UInt8], name: String) throws(ConfigurationFaults) {
        self.name = name
        do throws(TOMLSyntaxError) {
            root = try TOMLDocument.parse(bytes)
        } catch {
            throw ConfigurationFaults([
                ConfigurationFault(.syntax, file: name, position: error.position, expected: "TOML", found: error.message)
            ])
        }
    }

    /// The sections in the order of the file. One that is not known is a fault.
    package mutating func sections(known: [String]) -> [Section] {
        var found: [Section] = []
        for entry in root {
            if known.contains(entry.key) {
                found.append(Section(name: entry.key, entry: entry))
            } else {
                refuse(entry, known: known, in: "")
            }
        }
        return found
    }

    /// Reads `[name]`.
    package mutating func table<Root>(_ section: Section, _ keys: [ConfigurationKey<Root>], into root: inout Root) {
        guard case .table(let entries) = section.entry.node.value else {
            add(.wrongType, section.position, section.name, "a table [\(section.name)]", section.entry.node.finding)
            return
        }
        read(entries, keys, into: &root, in: section.name)
    }

    /// Reads each `[[name]]`, beginning with the defaults of `Root`.
    package mutating func entries<Root>(
        _ section: Section, _ keys: [ConfigurationKey<Root>], default root: Root
    ) -> [Root] {
        let expected = "tables, each headed [[\(section.name)]]"
        guard case .array(let elements) = section.entry.node.value else {
            add(.wrongType, section.position, section.name, expected, section.entry.node.finding)
            return []
        }
        var result: [Root] = []
        for (index, element) in elements.enumerated() {
            let path = "\(section.name)[\(index)]"
            guard case .table(let entries) = element.value else {
                add(.wrongType, element.position, path, expected, element.finding)
                continue
            }
            var value = root
            read(entries, keys, into: &value, in: path)
            result.append(value)
        }
        return result
    }

    /// Two values that exclude each other; `key` is the one to change.
    package mutating func conflict(_ key: String, at position: SourcePosition?, expected: String, found: String) {
        faults.append(
            ConfigurationFault(.conflict, file: name, position: position, key: key, expected: expected, found: found))
    }

    /// - Throws: everything that is wrong, in the order of the file; what has no place comes last.
    package func check() throws(ConfigurationFaults) {
        if faults.isEmpty { return }
        let placed = faults.filter { $0.position != nil }.sorted { a, b in
            guard let left = a.position, let right = b.position else { return false }
            return left < right
        }
        throw ConfigurationFaults(placed + faults.filter { $0.position == nil })
    }

    private mutating func read<Root>(
        _ entries: [TOMLEntry], _ keys: [ConfigurationKey<Root>], into root: inout Root, in path: String
    ) {
        for entry in entries {
            guard let key = keys.first(where: { $0.name == entry.key }) else {
                refuse(entry, known: keys.map(\.name), in: path)
                continue
            }
            let full = DottedPath.joined(path, key.name)
            guard let literal = entry.node.literal, key.form.accepts(literal) else {
                add(.wrongType, entry.node.position, full, key.form.expectation, entry.node.finding)
                continue
            }
            do throws(ImpossibleValue) {
                try key.write(&root, literal)
            } catch {
                faults.append(key.form.fault(error, file: name, at: entry.node.position, full, literal))
            }
        }
    }

    private mutating func refuse(_ entry: TOMLEntry, known: [String], in path: String) {
        faults.append(
            ConfigurationFault(
                .unknownKey, file: name, position: entry.keyPosition, key: DottedPath.joined(path, entry.key),
                expected: "one of \(known.joined(separator: ", "))", found: entry.key,
                suggestion: Spelling.nearest(to: entry.key, among: known) ?? ""))
    }

    private mutating func add(
        _ kind: ConfigurationFault.Kind, _ position: SourcePosition, _ key: String, _ expected: String, _ found: String
    ) {
        faults.append(ConfigurationFault(kind, file: name, position: position, key: key, expected: expected, found: found))
    }
}
