import AlertBusModel

/// Who may do what: one entry for each key that may connect. A key that is not listed may not.
public struct Permissions: Equatable, Sendable {
    public private(set) var clients: [ClientPermissions] = []
    private var byKey: [String: Int] = [:]
    private var byName: [String: Int] = [:]

    public init() {}

    /// What an entry may say, in the order of the sample file.
    package static let keys = [
        "name", "key", "producer", "subscriber", "operator", "provider", "observer", "top_priority", "breakthrough",
        "rate_per_second", "burst", "alerts",
    ]

    /// - Parameter key: a public CURVE key as 40 characters of Z85.
    public func client(key: String) -> ClientPermissions? { byKey[key].map { clients[$0] } }
    public func client(name: String) -> ClientPermissions? { byName[name].map { clients[$0] } }

    mutating func add(_ client: ClientPermissions) {
        byKey[client.key] = clients.count
        byName[client.name] = clients.count
        clients.append(client)
    }
}

/// What one key may do.
public struct ClientPermissions: Equatable, Sendable {
    /// The producer's name on the bus, whatever a message claims.
    public var name = ""
    /// The public key.
    public var key = ""
    /// Surfaces where it may raise, update and withdraw.
    public var producer: [PathPattern] = []
    /// Surfaces that it may see, and whose alerts it may answer and dismiss.
    public var subscriber: [PathPattern] = []
    /// Surfaces that it may clear, hold and release, and whose alerts it may list and dismiss.
    public var operates: [PathPattern] = []
    /// Names of data that it may provide; `*` is any run of characters.
    public var provider: [PathPattern] = []
    /// It may listen to the feed, which has everything.
    public var observer = false
    public var topPriority: UInt8 = .max
    public var breakthrough = false
    /// Commands a second; 0 leaves it to `limits.rate_per_second`.
    public var ratePerSecond = 0
    public var burst = 0
    /// Alerts that it may hold; 0 leaves it to `limits.alerts_per_producer`.
    public var alerts = 0

    public init() {}

    /// What a request needs.
    public enum Role: String, CaseIterable, Sendable { case producer, subscriber, `operator`, provider, observer }

    public func allows(_ role: Role, _ surface: String) -> Bool {
        patterns(role).contains { $0.matches(surface) }
    }

    /// Whether everything in the scope is allowed.
    public func allows(_ role: Role, _ scope: SurfaceScope) -> Bool {
        guard scope.isPrefix else { return allows(role, scope.text) }
        let text = scope.text == "/" ? "**" : scope.text + "**"
        guard let wanted = try? PathPattern(text) else { return false }
        return patterns(role).contains { PatternRules.covers($0, wanted) }
    }

    private func patterns(_ role: Role) -> [PathPattern] {
        switch role {
        case .producer: producer
        case .subscriber: subscriber
        case .operator: operates
        case .provider: provider
        case .observer: []
        }
    }
}

extension Permissions {
    /// Reads a permissions file and checks it whole.
    /// - Throws: everything that is wrong, with file, line and column; or why the file cannot be read.
    public static func load(path: String) throws(ConfigurationFaults) -> Permissions {
        let bytes: [UInt8]
        do {
            bytes = try ConfigurationFile.read(path)
        } catch {
            throw ConfigurationFaults([
                ConfigurationFault(
                    .unreadable, file: path, expected: "a readable file", found: error.description, errno: error.errno)
            ])
        }
        return try decode(bytes, name: path)
    }

    public static func decode(text: String, name: String) throws(ConfigurationFaults) -> Permissions {
        try decode(Array(text.utf8), name: name)
    }

    private static func decode(_ bytes: [UInt8], name: String) throws(ConfigurationFaults) -> Permissions {
        var decoder = PermissionsDecoder(file: name)
        do {
            decoder.decode(try TOMLDocument.parse(bytes))
        } catch {
            throw ConfigurationFaults([
                ConfigurationFault(
                    .syntax, file: name, position: error.position, expected: "TOML", found: error.message)
            ])
        }
        if decoder.faults.isEmpty { return decoder.permissions }
        throw ConfigurationFaults(decoder.faults)
    }
}
