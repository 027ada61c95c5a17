extension SwarmReport {
    /// What happened in one second of the run.
    public struct Second: Sendable, Equatable, Codable {
        /// Two percentiles in microseconds.
        public struct Percentiles: Sendable, Equatable, Codable {
            public var p50: UInt64
            public var p99: UInt64

            public init(p50: UInt64, p99: UInt64) {
                self.p50 = p50
                self.p99 = p99
            }

            /// Of what a histogram has recorded; nil when that is nothing.
            public init?(_ histogram: Histogram) {
                guard !histogram.isEmpty else { return nil }
                let values = histogram.values(atPercentiles: [50, 99])
                self.init(p50: values[0], p99: values[1])
            }
        }

        /// Whole seconds since the run's `startedAt`.
        public var second: Int
        public var sent: UInt64 = 0
        public var acknowledged: UInt64 = 0
        public var shown: UInt64 = 0
        public var ended: UInt64 = 0
        /// Of what was measured in this second, uncorrected; nil when nothing was.
        public var acknowledgement: Percentiles?
        public var timeToScreen: Percentiles?
        public var answer: Percentiles?
        /// The arbiter's memory and open files, where the swarm runs beside it and can see them.
        public var residentBytes: UInt64?
        public var descriptors: UInt64?

        public init(second: Int) { self.second = second }

        private enum CodingKeys: String, CodingKey {
            case second, sent, acknowledged, shown, ended, descriptors
            case acknowledgement = "acknowledgement_us"
            case timeToScreen = "time_to_screen_us"
            case answer = "answer_us"
            case residentBytes = "resident_bytes"
        }
    }
}
