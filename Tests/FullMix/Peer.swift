import AlertBusModel
import AlertBusWire
import ZeroMQ

/// Whoever has a connection. It acts, the arbiter serves, and it takes what came.
class Peer {
    let line = Line()
    var dice: Dice
    /// When it connects, if it has no connection.
    private(set) var connectAt: Milliseconds = 0

    init(seed: UInt64, _ name: String) { dice = Dice(seed: seed, name) }

    final func step(_ context: Context, at now: Milliseconds) throws {
        if !line.isOpen {
            guard now >= connectAt else { return }
            try line.open(context)
            try connected(at: now)
        }
        try act(at: now)
    }

    /// - Throws: `MixFault` when a request stays without its reply although everything was served.
    func take(at now: Milliseconds) throws {
        try line.receive { try took($0, at: now) }
        if !line.awaited.isEmpty { throw MixFault("\(type(of: self)): \(line.awaited.count) requests were not answered") }
    }

    /// Ends the connection, and comes back.
    final func leave(for time: Milliseconds, at now: Milliseconds) throws {
        try line.close()
        connectAt = now + time
        disconnected(at: now)
    }

    /// The arbiter is gone; everybody comes back at another moment.
    final func lost(at now: Milliseconds, until back: Milliseconds) {
        line.drop()
        connectAt = back + dice.time(0...3000)
        disconnected(at: now)
    }

    // What each kind of peer is.
    func connected(at now: Milliseconds) throws {}
    func disconnected(at now: Milliseconds) {}
    func act(at now: Milliseconds) throws {}
    func took(_ message: ServerMessage, at now: Milliseconds) throws {}
}
