import AlertBus
import AlertBusModel
import AlertBusWire

/// A provider with the client's own logic, which is quick, slow, faulty, or gone.
final class ProviderPeer: Peer {
    private var machine: ProviderMachine
    private var work: [(load: UInt64, at: Milliseconds)] = []
    private var vanishAt: Milliseconds

    init(_ name: String, _ names: [String], seed: UInt64, at now: Milliseconds) {
        machine = ProviderMachine(names: names)
        vanishAt = now + 15_000
        super.init(seed: seed, name)
        vanishAt += dice.pause(every: 60_000)
    }

    override func connected(at now: Milliseconds) throws {
        machine.connected(at: now)
        try follow(at: now)
    }

    override func disconnected(at now: Milliseconds) {
        machine.disconnected(at: now)
        work = []
    }

    override func act(at now: Milliseconds) throws {
        if now >= vanishAt {
            vanishAt = now + dice.pause(every: 120_000)
            return try leave(for: dice.time(100...10_000), at: now)
        }
        while let place = work.firstIndex(where: { $0.at <= now }) {
            let load = work.remove(at: place).load
            if dice.happens(10) {
                machine.ordered(.failed(load: load, message: "the registry is closed"), at: now)
            } else if !dice.happens(3) {
                machine.ordered(.loaded(load: load, rows: rows()), at: now)
            }
        }
        machine.timePassed(to: now)
        try follow(at: now)
    }

    override func take(at now: Milliseconds) throws {
        try line.receive { machine.received($0, at: now) }
        try follow(at: now)
    }

    private func follow(at now: Milliseconds) throws {
        for action in machine.takeActions() {
            switch action {
            case .send(let request): try line.send(request)
            case .reopen: try leave(for: 100, at: now)
            case .notify(.load(let request)): work.append((request.load, now + dice.time(5...3000)))
            case .notify(.drop(let load)): work.removeAll { $0.load == load }
            case .notify(.failed(let error)): throw MixFault("a provider: \(error)")
            case .notify(.link): break
            }
        }
    }

    /// Sometimes more than one source may bring.
    private func rows() -> [Row] {
        let count = dice.happens(3) ? 60 : dice.number(0...8)
        return (0..<count).map { Row(id: Array("\($0)".utf8), json: Array(#"{"id":\#($0),"name":"row \#($0)"}"#.utf8)) }
    }
}
