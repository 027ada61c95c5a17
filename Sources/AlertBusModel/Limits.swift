/// A limit on everything that a peer can make grow inside the core, all in one place. At each one a refusal `over_limit`.
public struct Limits: Equatable, Hashable, Sendable {
    /// Surfaces that exist; they are never forgotten while the arbiter runs.
    public var surfaces = 100_000
    /// Alerts that one producer name may hold, over all surfaces.
    public var alertsPerProducer = 1_100_000
    /// Alerts in all.
    public var alerts = 5_000_000
    /// Bytes of parameters, sources and data that all alerts may hold together.
    public var bytes = 4 << 30
    /// Sources that one alert may name.
    public var sources = 16
    /// Rows that one source may bring.
    public var rows = 10_000
    /// `once` tokens remembered in all, and outcomes of ended alerts that `status` can still tell.
    public var memory = 100_000
    /// How long an alert with `on_owner_loss: close` waits for its producer after the arbiter started again.
    public var ownerGrace: Milliseconds = 10_000

    public init() {}

    /// Of `alerts` and of `bytes`, the part that only raises of the highest priority of their surface may use: the most urgent is
    /// shed last.
    package var reservedAlerts: Int { alerts / 16 }
    package var reservedBytes: Int { bytes / 16 }
}
