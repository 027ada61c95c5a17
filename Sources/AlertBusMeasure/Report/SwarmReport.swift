/// What a load test found: its circumstances, what happened, whether anything was lost, and how long things took.
///
/// One swarm makes one report; reports of swarms that ran together against one arbiter are joined into one. It is kept as JSON
/// (`encodedJSON()`), which everything else is made from: `ReportText`, `ReportPage` and `ReportComparison`.
public struct SwarmReport: Sendable, Equatable {
    /// What a file of this kind says of itself. A reader refuses any other.
    public static let schema = "alertbus-swarm/1"

    /// The name of the profile, or what somebody called this run.
    public var title = ""
    /// When the load began, in milliseconds since 1970.
    public var startedAt: UInt64 = 0
    /// How long the load lasted, in seconds, without preparation and clearing away.
    public var duration: Double = 0
    /// The protocol that was spoken.
    public var protocolName = "alertbus/1"
    public var setup = Setup()
    public var counts = Counts()
    /// In the order of `Check.Name`; one that is missing was not looked at.
    public var checks: [Check] = []

    /// From sending a command to its reply.
    public var acknowledgement = Latency()
    /// From sending a raise to its being drawn.
    public var timeToScreen = Latency()
    /// From a person's answer to its reaching the producer.
    public var answer = Latency()

    /// One entry for each second that something happened in, ascending.
    public var timeline: [Second] = []
    /// The swarms that this report joins; one for a swarm by itself.
    public var parts: [Part] = []

    public init() {}

    /// Whether every check was made and found nothing.
    public var passed: Bool { Set(checks.map(\.name)) == Set(Check.Name.allCases) && checks.allSatisfy(\.passed) }

    /// Messages a second that were acknowledged; 0 for a run of no length.
    public var acknowledgedRate: Double { duration > 0 ? Double(counts.acknowledged) / duration : 0 }
}
