import AlertBusModel
import AlertBusWire

/// Pings, and what the pongs tell: whether the arbiter is there, is the same one, and still knows this client.
package struct Heartbeat: Sendable {
    /// What a pong revealed.
    package enum Discovery: Equatable, Sendable { case newEpoch, lostSession }

    package enum Due: Equatable, Sendable {
        case nothing
        case ping(Request)
        /// So many pings were not answered that the connection counts as dead.
        case silence
    }

    /// Pings without an answer that make silence.
    package static let limit = 3

    package let interval: Milliseconds
    package private(set) var isConnected = false
    package private(set) var epoch: UInt64?
    package private(set) var session: UInt64?
    /// Pings since something was heard.
    package private(set) var missed = 0
    private var nextPing: Milliseconds = .max

    package init(interval: Milliseconds = 1000) { self.interval = interval }

    package var nextDeadline: Milliseconds { isConnected ? nextPing : .max }

    package mutating func connected(at now: Milliseconds) {
        isConnected = true
        session = nil
        missed = 0
        nextPing = now
    }

    package mutating func disconnected() {
        isConnected = false
        nextPing = .max
    }

    package mutating func heard() { missed = 0 }

    /// - Returns: what is different from the last pong. On a new connection the session is a new one without that.
    package mutating func pong(_ pong: Pong) -> Discovery? {
        missed = 0
        // 0 is no session: the arbiter only wanted to know whether this end is still there.
        if pong.session == 0 { return nil }
        defer {
            epoch = pong.epoch
            session = pong.session
        }
        if let epoch, epoch != pong.epoch { return .newEpoch }
        if let session, session != pong.session { return .lostSession }
        return nil
    }

    package mutating func timePassed(to now: Milliseconds) -> Due {
        guard isConnected, now >= nextPing else { return .nothing }
        if missed >= Self.limit { return .silence }
        missed += 1
        // After a pause of this process the pings do not come in a burst.
        nextPing = max(nextPing + interval, now + interval / 2)
        return .ping(Request(.ping))
    }
}
