import AlertBusModel

/// `[arbiter]`: what the service listens on and where it keeps its state.
public struct ArbiterSettings: Equatable, Sendable {
    public enum Journal: Equatable, Hashable, Sendable {
        /// A file in the platform's state directory.
        case stateDirectory
        /// Nothing survives the process.
        case memory
        case file(path: String)
    }

    public var requests = ArbiterSettings.loopback(port: 5570)
    /// Nil switches the feed off.
    public var feed: ListenAddress? = ArbiterSettings.loopback(port: 5571)
    public var journal = Journal.stateDirectory
    public var ioThreads = 1
    /// The permission bits of ipc sockets.
    public var ipcMode: UInt32 = 0o600

    public init() {}

    private static func loopback(port: UInt16) -> ListenAddress {
        do { return try ListenAddress("tcp://127.0.0.1:\(port)") } catch { preconditionFailure("\(error)") }
    }
}

/// The part of `[limits]` that guards the sockets; `Limits` of the model guards the core.
public struct PeerLimits: Equatable, Sendable {
    public var messageBytes = 1 << 20
    public var frames = 8
    public var connections = 10_000
    /// 0 is off.
    public var ratePerSecond = 0
    public var burst = 1000
    public var subscriptionsPerSession = 256
    public var providedNamesPerSession = 256
    public var subscriberBacklogBytes = 8 << 20
    public var producerBacklogBytes = 1 << 20
    /// 0 is off.
    public var snapshotRequestsPerSecond = 100

    public init() {}
}

/// `[liveness]`: when a silent peer counts as gone. Its `owner_grace_ms` lies in `Limits`, since the core needs it.
public struct LivenessSettings: Equatable, Sendable {
    public var ownerTimeout: Milliseconds = 5000

    public init() {}
}

/// `[journal]`: how often the state is saved, and how much history stays.
public struct JournalSettings: Equatable, Sendable {
    /// In commands.
    public var snapshotEvery = 100_000
    public var keepSnapshots = 2
    /// 0 is off.
    public var maxBytes = 256 << 20
    /// 0 is off.
    public var maxAgeDays = 30

    public init() {}
}

/// `[feed]`: when a beat repeats where a surface stands.
public struct FeedSettings: Equatable, Sendable {
    public var beatAfter: Milliseconds = 1000
    public var beatCycle: Milliseconds = 30_000

    public init() {}
}

/// `[security]`: who may connect, and who may do what.
public struct SecuritySettings: Equatable, Sendable {
    /// "" switches CURVE off.
    public var curveKeyFile = ""
    /// "" lets everyone do everything.
    public var permissionsFile = ""
    /// Other machines may connect without CURVE.
    public var insecure = false

    public init() {}
}
