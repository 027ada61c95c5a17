import Synchronization

/// One action that waits for the bus while its connection is suspended.
final class Exchange: Sendable {
    private struct State {
        var verdict: KioskVerdict?
        var suspended: Connection?
    }

    private let state = Mutex(State())
    let deadline: Int64

    init(deadline: Int64) { self.deadline = deadline }

    /// Called on the server's thread before the bus is asked.
    func wait(on connection: Connection) {
        state.withLock { state in
            if state.verdict != nil { return }
            connection.suspend()
            state.suspended = connection
        }
    }

    /// The first verdict counts.
    func finish(_ verdict: KioskVerdict) {
        let connection = state.withLock { state -> Connection? in
            if state.verdict != nil { return nil }
            state.verdict = verdict
            defer { state.suspended = nil }
            return state.suspended
        }
        if let connection { connection.resume() }
    }

    var verdict: KioskVerdict? { state.withLock { $0.verdict } }
}

/// The actions that wait for the bus, bounded in number and time.
final class Exchanges: Sendable {
    private struct State {
        var open: [UInt64: Exchange] = [:]
        var next: UInt64 = 0
        var stopping = false
    }

    private let state = Mutex(State())
    private let limit: Int
    private let timeout: Int64

    init(limit: Int, timeout: Int) {
        self.limit = limit
        self.timeout = Int64(timeout)
    }

    /// nil when too many wait, or the server stops.
    func begin(now: Int64) -> (id: UInt64, exchange: Exchange)? {
        state.withLock { state in
            if state.stopping || state.open.count >= limit { return nil }
            state.next += 1
            let exchange = Exchange(deadline: now + timeout)
            state.open[state.next] = exchange
            return (state.next, exchange)
        }
    }

    func end(_ id: UInt64) {
        state.withLock { $0.open[id] = nil }
    }

    func expire(now: Int64) {
        let late = state.withLock { state in state.open.values.filter { $0.deadline <= now } }
        for exchange in late { exchange.finish(.unreachable(message: "the bus did not answer in time")) }
    }

    func stop() {
        let open = state.withLock { state -> [Exchange] in
            state.stopping = true
            return Array(state.open.values)
        }
        for exchange in open { exchange.finish(.unreachable(message: "the kiosk server stops")) }
    }
}
