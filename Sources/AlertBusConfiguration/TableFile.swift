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
    package var faults: [ConfigurationFault] { reader.faults }
    private var reader: EntryReader
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
        reader = EntryReader(file: name)
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
                reader.refuse(entry, known: known, in: "")
            }
        }
        return found
    }

    /// Reads `[name]`.
    package mutating func table<Root>(_ section: Section, _ keys: [ConfigurationKey<Root>], into root: inout Root) {
        guard let entries = reader.table(section.name, section.entry.node) else { return }
        reader.read(entries, keys, into: &root, in: section.name)
    }

    /// Reads each `[[name]]`, beginning with the defaults of `Root`.
    package mutating func entries<Root>(
        _ section: Section, _ keys: [ConfigurationKey<Root>], default root: Root
    ) -> [Root] {
        reader.tables(section.name, section.entry.node).map { path, entries, _ in
            var value = root
            reader.read(entries, keys, into: &value, in: path)
            return value
        }
    }

    /// Two values that exclude each other; `key` is the one to change.
    package mutating func conflict(_ key: String, at position: SourcePosition?, expected: String, found: String) {
        reader.fault(.conflict, at: position, key, expected: expected, found: found)
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
}
