import AlertBusModel

extension Configuration {
    /// Reads a file and checks it whole.
    ///
    /// Relative paths in it count from the directory of the file.
    /// - Parameter overrides: values that replace those of the file, in this order. Relative paths in them
    ///   count from the working directory.
    /// - Throws: everything that is wrong, in the order of the file; or the reason why the file cannot be read.
    public static func load(
        path: String, overrides: [ConfigurationOverride] = []
    ) throws(ConfigurationFaults) -> Configuration {
        let bytes: [UInt8]
        do {
            bytes = try ConfigurationFile.read(path)
        } catch {
            let fault = ConfigurationFault(
                .unreadable, file: path, expected: "a readable file", found: error.description, errno: error.errno)
            throw ConfigurationFaults([fault])
        }
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? ""
        return try decode(bytes, name: path, directory: directory, overrides: overrides)
    }

    /// Checks a text as `load(path:overrides:)` checks a file. An empty text is a configuration with every default.
    /// - Parameters:
    ///   - name: what faults name as the file.
    ///   - overrides: values that replace those of the text, in this order.
    /// - Throws: everything that is wrong, in the order of the text.
    public static func decode(
        text: String, name: String, overrides: [ConfigurationOverride] = []
    ) throws(ConfigurationFaults) -> Configuration {
        try decode(Array(text.utf8), name: name, directory: "", overrides: overrides)
    }

    private static func decode(
        _ bytes: [UInt8], name: String, directory: String, overrides: [ConfigurationOverride]
    ) throws(ConfigurationFaults) -> Configuration {
        var decoder = ConfigurationDecoder(file: name)
        do {
            decoder.decode(try TOMLDocument.parse(bytes))
        } catch {
            let fault = ConfigurationFault(
                .syntax, file: name, position: error.position, expected: "TOML", found: error.message)
            throw ConfigurationFaults([fault])
        }
        decoder.configuration.resolvePaths(in: directory)
        for override in overrides { decoder.apply(override) }
        decoder.addConflicts()
        if decoder.faults.isEmpty { return decoder.configuration }
        throw ConfigurationFaults(decoder.sortedFaults)
    }

    private mutating func resolvePaths(in directory: String) {
        func resolved(_ path: String) -> String { path.isEmpty || path.hasPrefix("/") ? path : directory + path }
        if case .file(let path) = arbiter.journal { arbiter.journal = .file(path: resolved(path)) }
        security.curveKeyFile = resolved(security.curveKeyFile)
        security.permissionsFile = resolved(security.permissionsFile)
    }
}

extension ConfigurationDecoder {
    /// Replaces a value. A fault names the source of the override instead of a line.
    fileprivate mutating func apply(_ override: ConfigurationOverride) {
        guard let key = Self.keys.first(where: { $0.path == override.key })?.key else {
            let known = Self.keys.map(\.path)
            faults.append(
                ConfigurationFault(
                    .unknownKey, file: override.source, key: override.key,
                    expected: "one of \(known.joined(separator: ", "))",
                    found: override.key, suggestion: Spelling.nearest(to: override.key, among: known) ?? ""))
            return
        }
        // The replaced value no longer counts, not even as a place; but a fault in the file stays a fault.
        places[override.key] = nil
        sources[override.key] = override.source
        guard let literal = key.form.literal(fromBare: override.value) else {
            rejected.insert(override.key)
            faults.append(
                ConfigurationFault(
                    .wrongType, file: override.source, key: override.key, expected: key.form.expectation,
                    found: TOMLNode.shortened(override.value)))
            return
        }
        do {
            try key.write(&configuration, literal)
            rejected.remove(override.key)
        } catch {
            rejected.insert(override.key)
            faults.append(key.form.fault(error, file: override.source, at: nil, override.key, literal))
        }
    }

    private static var keys: [(path: String, key: ConfigurationKey<Configuration>)] {
        ConfigurationTable.sections.flatMap { section -> [(path: String, key: ConfigurationKey<Configuration>)] in
            switch section.content {
            case .table(let keys): keys.map { (DottedPath.joined(section.name, $0.name), $0) }
            case .entries: []
            }
        }
    }

    /// Conflicts are looked for among values that are right by themselves.
    fileprivate mutating func addConflicts() {
        for conflict in ConfigurationConflict.all(in: configuration)
        where !rejected.contains(conflict.key) && !rejected.contains(conflict.other) {
            // The value to change may be a default; then the other one caused the conflict.
            let source = sources[conflict.key] ?? (places[conflict.key] == nil ? sources[conflict.other] : nil)
            let place = places[conflict.key] ?? places[conflict.other]
            let isDefault = places[conflict.key] == nil && sources[conflict.key] == nil
            faults.append(
                ConfigurationFault(
                    .conflict, file: source ?? file, position: source == nil ? place : nil, key: conflict.key,
                    expected: conflict.expected,
                    found: conflict.found + (isDefault ? " (the default)" : "")))
        }
    }

    /// In the order of the file; what has no place comes last, in the order in which it was found.
    fileprivate var sortedFaults: [ConfigurationFault] {
        let placed = faults.enumerated().filter { $0.element.position != nil }
        let sorted = placed.sorted { a, b in
            guard let left = a.element.position, let right = b.element.position, left != right else {
                return a.offset < b.offset
            }
            return left < right
        }
        return sorted.map(\.element) + faults.filter { $0.position == nil }
    }
}
