import AlertBusModel

/// One section of the file: a table, or one table for each entry.
struct ConfigurationSection: Sendable {
    enum Content: Sendable {
        /// `[name]`, at most once.
        case table([ConfigurationKey<Configuration>])
        /// `[[name]]`, once for each entry.
        case entries([ConfigurationKey<PolicyEntry>])
    }

    var name: String
    var meaning: String
    var content: Content

    var keys: [KeyDescription] {
        switch content {
        case .table(let keys): keys.map { KeyDescription($0, default: Configuration()) }
        case .entries(let keys): keys.map { KeyDescription($0, default: PolicyEntry()) }
        }
    }

    /// The values of all keys, once for each time that the section stands in the file.
    func values(in configuration: Configuration) -> [[Literal]] {
        switch content {
        case .table(let keys): [keys.map { $0.read(configuration) }]
        case .entries(let keys):
            configuration.policies.rules.map { rule in
                let entry = PolicyEntry(surfaces: rule.pattern.text, policy: rule.policy)
                return keys.map { $0.read(entry) }
            }
        }
    }

    var header: String {
        switch content {
        case .table: "[\(name)]"
        case .entries: "[[\(name)]]"
        }
    }
}

/// One `[[policy]]` while it is read.
struct PolicyEntry: Equatable, Sendable {
    /// What the sample file shows; the key is required, so this is never a default.
    var surfaces = "lobby/**"
    var policy = Policy()
}

/// A key without its storage, for the pages that describe it.
struct KeyDescription: Equatable, Sendable {
    var name: String
    var form: KeyForm
    var meaning: String
    var isRequired: Bool
    var value: Literal

    init<Root>(_ key: ConfigurationKey<Root>, default root: Root) {
        name = key.name
        form = key.form
        meaning = key.meaning
        isRequired = key.isRequired
        value = key.read(root)
    }
}
