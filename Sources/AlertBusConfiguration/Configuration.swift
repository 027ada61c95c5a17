import AlertBusModel

/// Everything that an arbiter can be told in its configuration file. A new value has every default.
public struct Configuration: Equatable, Sendable {
    public var arbiter = ArbiterSettings()
    public var limits = Limits()
    public var peerLimits = PeerLimits()
    public var liveness = LivenessSettings()
    public var journal = JournalSettings()
    public var feed = FeedSettings()
    public var security = SecuritySettings()
    public var policies = PolicySet()
    /// Where the rules of `policies` stand, in the same order.
    public var policyOrigins: [PolicyOrigin] = []

    public init() {}
}

/// The place of one `[[policy]]` in a file.
public struct PolicyOrigin: Equatable, Sendable {
    public var file: String
    /// Where its `surfaces` stands.
    public var position: SourcePosition

    public init(file: String, position: SourcePosition) {
        self.file = file
        self.position = position
    }
}

/// A value that replaces the one in the file, such as an option of the command line.
public struct ConfigurationOverride: Equatable, Sendable {
    /// As in `arbiter.requests`. Policies cannot be replaced, only `default_policy`.
    public var key: String
    /// The bare value, without quotes: `tcp://127.0.0.1:5570`, `4`, `true`.
    public var value: String
    /// What a fault names in place of a file, for example `--requests`.
    public var source: String

    public init(key: String, value: String, source: String) {
        self.key = key
        self.value = value
        self.source = source
    }
}
