import AlertBusModel
import AlertBusWire

/// The client side of a provider: keeps its names registered, and matches answers to what was asked.
package struct ProviderMachine: ClientMachine {
    package enum Order: Sendable {
        case loaded(load: UInt64, rows: [Row])
        case failed(load: UInt64, message: String)
    }

    package enum Notice: Sendable {
        /// Bring rows. A number that is in use is never given out again before its `drop`.
        case load(LoadRequest)
        /// Nobody waits for it any more.
        case drop(load: UInt64)
        case link(LinkState)
        case failed(ClientError)
    }

    package private(set) var link = LinkState.reconnecting
    private var heartbeat: Heartbeat
    private let names: [String]
    private var unregistered: Set<String> = []
    private var askAgainAt: Milliseconds = .max
    /// What is being worked on, and until when.
    private var loads: [UInt64: Milliseconds] = [:]
    /// No load is due before this; looking through all of them each time would cost too much.
    private var firstDue: Milliseconds = .max
    private var actions: [ClientAction<Notice>] = []

    /// An unanswered registration is sent again after this.
    private static let patience: Milliseconds = 3000

    package init(names: [String], pingInterval: Milliseconds = 1000) {
        self.names = names
        heartbeat = Heartbeat(interval: pingInterval)
    }

    package var nextDeadline: Milliseconds {
        min(heartbeat.nextDeadline, heartbeat.isConnected ? askAgainAt : .max, firstDue)
    }

    package mutating func takeActions() -> [ClientAction<Notice>] {
        defer { actions = [] }
        return actions
    }

    package mutating func connected(at now: Milliseconds) {
        heartbeat.connected(at: now)
        register(at: now)
        timePassed(to: now)
    }

    package mutating func disconnected(at now: Milliseconds) {
        heartbeat.disconnected()
        dropAll()
        setLink(.reconnecting)
    }

    package mutating func turnedAway(_ error: ClientError, at now: Milliseconds) {
        actions.append(.notify(.failed(error)))
    }

    package mutating func ordered(_ order: Order, at now: Milliseconds) {
        switch order {
        case .loaded(let load, let rows):
            guard loads.removeValue(forKey: load) != nil else { return }
            actions.append(.send(Request(.loaded(load: load, rows: rows))))
        case .failed(let load, let message):
            guard loads.removeValue(forKey: load) != nil else { return }
            actions.append(.send(Request(.loadFailed(load: load, message: message))))
        }
    }

    package mutating func received(_ message: ServerMessage, at now: Milliseconds) {
        guard heartbeat.isConnected else { return }
        heartbeat.heard()
        switch message {
        case .pong(let pong):
            // A forgotten provider is asked nothing, and what it was asked has gone to another one. The first pong of a connection
            // finds no such thing: what was asked over it before comes from the arbiter of now.
            let isFirst = heartbeat.session == nil
            if heartbeat.pong(pong) != nil && !isFirst {
                dropAll()
                register(at: now)
            }
        case .load(let request):
            if loads[request.load] != nil { drop(request.load) }
            loads[request.load] = now + request.timeout
            firstDue = min(firstDue, now + request.timeout)
            actions.append(.notify(.load(request)))
        case .unload(let load): drop(load)
        case .reply(let ref, let reply, _): replied(ref, reply)
        case .event, .stream, .snapshot, .alerts, .subscribers, .counters, .beat, .explanation, .unknown: break
        }
    }

    package mutating func timePassed(to now: Milliseconds) {
        switch heartbeat.timePassed(to: now) {
        case .nothing: break
        case .ping(let request): actions.append(.send(request))
        case .silence:
            setLink(.stale)
            actions.append(.reopen)
            return disconnected(at: now)
        }
        if now >= firstDue {
            for load in loads.filter({ $0.value <= now }).keys.sorted() { drop(load) }
            firstDue = loads.values.min() ?? .max
        }
        if heartbeat.isConnected && now >= askAgainAt { register(at: now) }
    }

    private mutating func register(at now: Milliseconds) {
        if unregistered.isEmpty { unregistered = Set(names) }
        askAgainAt = now + Self.patience
        for (index, name) in names.enumerated() where unregistered.contains(name) {
            actions.append(.send(Request(.provide(name: name), ref: Array("\"p\(index)\"".utf8))))
        }
    }

    private mutating func replied(_ ref: [UInt8], _ reply: Reply) {
        guard let index = names.indices.first(where: { ref == Array("\"p\($0)\"".utf8) }) else { return }
        // The operator may yet allow it, so a name that is refused is asked for again after a while.
        if case .refused(let refusal) = reply { return actions.append(.notify(.failed(.refused(refusal)))) }
        unregistered.remove(names[index])
        guard unregistered.isEmpty else { return }
        askAgainAt = .max
        setLink(.connected)
    }

    private mutating func drop(_ load: UInt64) {
        guard loads.removeValue(forKey: load) != nil else { return }
        actions.append(.notify(.drop(load: load)))
    }

    private mutating func dropAll() {
        unregistered = []
        for load in loads.keys.sorted() { drop(load) }
    }

    private mutating func setLink(_ state: LinkState) {
        guard state != link else { return }
        link = state
        actions.append(.notify(.link(state)))
    }
}
