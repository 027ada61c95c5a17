extension SwarmReport {
    /// What was counted on the swarm's side.
    public struct Counts: Sendable, Equatable, Codable {
        /// Commands that producers sent, each counted once however often it was sent again.
        public var sent: UInt64 = 0
        /// Commands that got a reply, whichever.
        public var acknowledged: UInt64 = 0
        /// Commands that were accepted.
        public var accepted: UInt64 = 0
        /// Commands that were refused, by reason.
        public var refused: [String: UInt64] = [:]
        /// Alerts that reached a screen, each counted once however many subscribers saw it.
        public var shown: UInt64 = 0
        /// Alerts that ended, by reason.
        public var ended: [String: UInt64] = [:]
        /// Commands that were sent again because no reply had come.
        public var resent: UInt64 = 0
        /// Messages that subscribers received.
        public var deliveries: UInt64 = 0
        /// Answers that simulated people gave.
        public var answers: UInt64 = 0
        /// Connections that were lost or closed, and made again.
        public var reconnects: UInt64 = 0

        public init() {}

        public var refusedInAll: UInt64 { refused.values.reduce(0, +) }
        public var endedInAll: UInt64 { ended.values.reduce(0, +) }
    }
}
