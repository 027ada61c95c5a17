extension SwarmReport {
    /// The load that was asked for.
    public struct Setup: Sendable, Equatable, Codable {
        public var producers: UInt64 = 0
        public var subscribers: UInt64 = 0
        public var surfaces: UInt64 = 0
        /// Messages a second of all producers together; nil for as fast as possible.
        public var offeredRate: Double?
        /// How the arbiter was reached: `tcp` or `ipc`.
        public var transport = ""
        /// Whether the connections were encrypted and authenticated with CURVE.
        public var isSecure = false
        /// The arbiter's journal, such as `sqlite` or `memory`, where the swarm started the arbiter and therefore knows.
        public var journal: String?

        public init() {}

        private enum CodingKeys: String, CodingKey {
            case producers, subscribers, surfaces, transport, journal
            case offeredRate = "offered_per_s"
            case isSecure = "secure"
        }
    }

    /// One swarm of those that a report joins.
    public struct Part: Sendable, Equatable, Codable {
        /// The words of the command line.
        public var command: [String] = []
        /// Milliseconds since 1970.
        public var startedAt: UInt64 = 0
        /// Seconds.
        public var duration: Double = 0
        public var cores: UInt64 = 0
        /// The processor's name as the system tells it.
        public var processor = ""

        public init() {}

        private enum CodingKeys: String, CodingKey {
            case command, cores, processor
            case startedAt = "started_at"
            case duration = "duration_s"
        }
    }
}
