import AlertBus
import AlertBusCore
import AlertBusModel
import AlertBusWire

/// A screen with the client's own logic. It draws what it is told; sometimes it stops reading, and sometimes it is gone.
final class ScreenPeer: Peer {
    private let scopes: [SurfaceScope]
    private var machine: SubscriberMachine
    private var shown: [String: [ShownAlert]] = [:]
    private let stalls: Bool
    private var stalledUntil: Milliseconds = 0
    private var stallAt: Milliseconds
    private var vanishAt: Milliseconds
    /// Since when nothing disturbs it.
    private var calmSince: Milliseconds = 0
    private let name: String

    /// After a disturbance a screen is right again within this.
    private static let recovery: Milliseconds = 6000

    /// - Parameter stalls: it stops reading now and then.
    init(_ name: String, _ scopes: [String], stalls: Bool = false, seed: UInt64, at now: Milliseconds) throws {
        self.name = name
        self.scopes = try scopes.map { try SurfaceScope($0) }
        self.stalls = stalls
        machine = SubscriberMachine(self.scopes, token: name)
        stallAt = now + 10_000
        vanishAt = now + 20_000
        super.init(seed: seed, name)
        vanishAt += dice.pause(every: 90_000)
    }

    override func connected(at now: Milliseconds) throws {
        calmSince = now
        machine.connected(at: now)
        try follow(at: now)
    }

    override func disconnected(at now: Milliseconds) {
        calmSince = now
        machine.disconnected(at: now)
    }

    override func act(at now: Milliseconds) throws {
        if now >= vanishAt {
            vanishAt = now + dice.pause(every: 180_000)
            return try leave(for: dice.time(50...8000), at: now)
        }
        if stalls && now >= stallAt {
            stalledUntil = now + dice.time(10_000...60_000)
            stallAt = stalledUntil + dice.pause(every: 60_000)
        }
        if now < stalledUntil {
            calmSince = now
            return
        }
        machine.timePassed(to: now)
        try follow(at: now)
    }

    override func take(at now: Milliseconds) throws {
        guard now >= stalledUntil else { return }
        try line.receive { machine.received($0, at: now) }
        try follow(at: now)
    }

    private func follow(at now: Milliseconds) throws {
        var actions = machine.takeActions()
        while !actions.isEmpty {
            for action in actions {
                switch action {
                case .send(let request): try line.send(request)
                case .reopen:
                    try leave(for: 100, at: now)
                case .notify(.changed(let events, let positions)):
                    for event in events { try draw(event) }
                    for position in positions {
                        machine.ordered(.drawn(surface: position.surface, epoch: position.epoch, seq: position.seq), at: now)
                    }
                case .notify(.failed(let error)): throw MixFault("\(name): \(error)")
                case .notify: break
                }
            }
            actions = machine.takeActions()
        }
    }

    /// Nothing is shown twice, and nothing is taken away that was not there.
    private func draw(_ event: ScreenEvent) throws {
        switch event {
        case .show(let surface, let alert, _) where shown[surface, default: []].contains { $0.instance == alert.instance }:
            throw MixFault("\(name): \(surface) shows instance \(alert.instance) twice")
        case .update(let surface, let alert, _), .hide(let surface, let alert, _):
            guard shown[surface, default: []].contains(where: { $0.instance == alert.instance }) else {
                throw MixFault("\(name): instance \(alert.instance) is not on \(surface), and is changed or hidden there")
            }
        case .show, .link: break
        }
        event.apply(to: &shown)
    }

    /// - Returns: whether there was something to compare.
    /// - Throws: `MixFault` when it shows something else than it should although nothing disturbs it.
    func compare(_ state: Arbiter, at now: Milliseconds) throws -> Bool {
        guard line.isOpen, machine.link == .connected, now - calmSince > Self.recovery else { return false }
        for scope in scopes {
            for snapshot in state.snapshots(in: scope) {
                let here = shown[snapshot.surface, default: []].map { [$0.instance, UInt64($0.revision)] }
                let there = snapshot.shown.map { [$0.instance, UInt64($0.revision)] }
                if here != there { throw MixFault("\(name) shows \(here) on \(snapshot.surface), and should show \(there)") }
            }
        }
        return true
    }

    /// How often it had to repair, by cause.
    var repairs: RepairCounts { machine.repairs }
}
