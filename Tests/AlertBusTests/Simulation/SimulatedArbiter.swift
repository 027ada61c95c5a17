import AlertBusCore
import AlertBusModel
import AlertBusWire

/// The core with a small model of the service's sessions: subscriptions, receipts, pongs, and a bounded backlog whose
/// overflow costs a subscriber a snapshot and a producer its session.
final class SimulatedArbiter {
    struct Session {
        let number: UInt64
        var scopes: [SurfaceScope] = []
        var positions: [String: UInt64] = [:]
        var unreported: Set<String> = []
        var drawn: [String: UInt64] = [:]
        var needsSnapshot = false
    }

    private(set) var core: Arbiter
    private(set) var epoch: UInt64 = 1
    /// Counts the starts that forgot everything.
    private(set) var generation = 1
    private var sessions: [Int: Session] = [:]
    private var lastSession: UInt64 = 0
    private let policies: PolicySet
    /// Sends on a connection; false when its backlog is full.
    var send: (Int, ServerMessage) -> Bool = { _, _ in true }
    /// Publishes on the feed.
    var publish: (ServerMessage) -> Void = { _ in }
    private var changed: Set<String> = []
    var dropBacklog: (Int) -> Void = { _ in }
    /// The instances that each key got in this generation.
    private(set) var instances: [String: Set<UInt64>] = [:]
    private(set) var faults: [String] = []

    init(_ policies: PolicySet) {
        self.policies = policies
        core = Arbiter(policies: policies, epoch: 1)
        step(.started(epoch: 1), nil, [], at: 0)
    }

    var nextDeadline: Milliseconds? { core.nextDeadline }
    /// The core's own tests look after every step.
    func violations() -> [String] { core.violations() }

    func restart(keeping: Bool, at now: Milliseconds) {
        sessions = [:]
        epoch += 1
        if !keeping {
            core = Arbiter(policies: policies, epoch: epoch)
            generation += 1
            instances = [:]
        }
        step(.started(epoch: epoch), nil, [], at: now)
    }

    func session(of connection: Int) -> Session? { sessions[connection] }

    func tick(at now: Milliseconds) {
        if let due = core.nextDeadline, due <= now { step(.tick, nil, [], at: now) }
    }

    /// Repeats on the feed where surfaces stand: those that changed, or all.
    func beat(all: Bool) {
        for (surface, seq) in core.heads() where all || changed.contains(surface) {
            guard let head = core.head(of: surface) else { continue }
            publish(.beat(Beat(surface: surface, epoch: epoch, seq: seq, digest: head.digest)))
        }
        changed = []
    }

    /// What an operator does beside the simulated clients.
    func command(_ command: Command, at now: Milliseconds) { step(.command(command, from: Requester()), nil, [], at: now) }

    /// The peer of a connection took everything that waited for it.
    func drained(_ connection: Int) {
        guard sessions[connection]?.needsSnapshot == true, let scopes = sessions[connection]?.scopes else { return }
        sessions[connection]?.needsSnapshot = false
        for scope in scopes { snapshot(scope, [], connection) }
    }

    func forget(_ connection: Int) { sessions[connection] = nil }

    func received(_ request: Request, from connection: Int, at now: Milliseconds) {
        if sessions[connection] == nil {
            lastSession += 1
            sessions[connection] = Session(number: lastSession)
        }
        tick(at: now)
        switch request.body {
        case .command(let command):
            let requester = Requester(
                session: sessions[connection]!.number, producer: request.producer ?? "", once: request.once)
            step(.command(command, from: requester), connection, request.ref, at: now)
        case .ping:
            let session = sessions[connection]!
            sessions[connection]!.unreported = []
            let positions = session.unreported.sorted().map {
                Pong.Position(surface: $0, seq: session.positions[$0] ?? 0)
            }
            deliver(.pong(Pong(ref: request.ref, epoch: epoch, session: session.number, surfaces: positions)), to: connection)
        case .subscribe(let scope):
            if !sessions[connection]!.scopes.contains(scope) { sessions[connection]!.scopes.append(scope) }
            snapshot(scope, request.ref, connection)
        case .sync(let scope): snapshot(scope, request.ref, connection)
        case .drawn(let surface, let epoch, let seq):
            guard epoch == self.epoch else { return }
            sessions[connection]!.drawn[surface] = max(sessions[connection]!.drawn[surface] ?? 0, seq)
        default: faults.append("the model of the service does not know \(request.body)")
        }
    }

    private func step(_ input: Input, _ sender: Int?, _ ref: [UInt8], at now: Milliseconds) {
        var effects: [Effect] = []
        core.step(input, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .publish(let message):
                changed.insert(message.surface)
                publish(.stream(message))
                for (connection, session) in sessions.sorted(by: { $0.value.number < $1.value.number })
                where session.scopes.contains(where: { $0.contains(message.surface) }) {
                    sessions[connection]?.positions[message.surface] = message.seq
                    sessions[connection]?.unreported.insert(message.surface)
                    if sessions[connection]?.needsSnapshot == false { deliver(.stream(message), to: connection) }
                }
            case .receipt(let receipt, let owners):
                for owner in owners {
                    guard let connection = sessions.first(where: { $0.value.number == owner })?.key else { continue }
                    deliver(.event(receipt), to: connection)
                }
            case .reply(let reply):
                if case .accepted(let accepted) = reply { instances[accepted.key, default: []].insert(accepted.instance) }
                if let sender { deliver(.reply(ref: ref, reply, watchers: nil), to: sender) }
            case .load, .unload: break
            }
        }
    }

    /// In small parts, so that parts are what is tested.
    private func snapshot(_ scope: SurfaceScope, _ ref: [UInt8], _ connection: Int) {
        let all = core.snapshots(in: scope)
        var start = 0
        repeat {
            let end = min(start + 2, all.count)
            let part = SnapshotPart(
                ref: ref, scope: scope, epoch: epoch, surfaces: Array(all[start..<end]), last: end == all.count)
            deliver(.snapshot(part), to: connection)
            // The rest of a snapshot whose beginning was dropped must not arrive: it would look like a whole one.
            guard let session = sessions[connection], !session.needsSnapshot else { return }
            start = end
        } while start < all.count
        for snapshot in all where sessions[connection]?.scopes.isEmpty == false {
            sessions[connection]?.positions[snapshot.surface] = snapshot.seq
        }
    }

    private func deliver(_ message: ServerMessage, to connection: Int) {
        guard sessions[connection] != nil, !send(connection, message) else { return }
        dropBacklog(connection)
        if sessions[connection]!.scopes.isEmpty {
            sessions[connection] = nil
        } else {
            sessions[connection]!.needsSnapshot = true
        }
    }
}
