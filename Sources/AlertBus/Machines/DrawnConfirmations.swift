import AlertBusModel
import AlertBusWire

/// Confirmations that wait to be sent: only the newest for each surface, and not more often than every 50 ms.
struct DrawnConfirmations: Sendable {
    private var pending: [String: (epoch: UInt64, seq: UInt64)] = [:]
    private var sent: [String: (epoch: UInt64, seq: UInt64)] = [:]
    /// What the program has drawn, whether a session was told of it or not.
    private var drawn: [String: (epoch: UInt64, seq: UInt64)] = [:]
    private var due: Milliseconds = .max
    private var lastSent: Milliseconds = .min / 2

    static let interval: Milliseconds = 50

    var nextDeadline: Milliseconds { due }

    mutating func add(_ surface: String, epoch: UInt64, seq: UInt64, at now: Milliseconds) {
        if let last = drawn[surface], last.epoch == epoch {
            drawn[surface]!.seq = max(last.seq, seq)
        } else {
            drawn[surface] = (epoch, seq)
        }
        if let last = sent[surface], last.epoch == epoch, last.seq >= seq { return }
        if let waiting = pending[surface], waiting.epoch == epoch, waiting.seq >= seq { return }
        pending[surface] = (epoch, seq)
        if due == .max { due = max(now, lastSent + Self.interval) }
    }

    /// What is due, sorted by surface.
    mutating func take(at now: Milliseconds) -> [Request] {
        guard now >= due else { return [] }
        due = .max
        lastSent = now
        defer { pending = [:] }
        return pending.sorted { $0.key < $1.key }.map { surface, position in
            sent[surface] = position
            return Request(.drawn(surface: surface, epoch: position.epoch, seq: position.seq))
        }
    }

    func covers(_ surface: String, epoch: UInt64, seq: UInt64) -> Bool {
        if seq == 0 { return true }
        guard let last = drawn[surface] else { return false }
        return last.epoch == epoch && last.seq >= seq
    }

    /// There is something to draw that the program has not seen, whatever the numbers say.
    mutating func forget(_ surface: String) {
        drawn[surface] = nil
        sent[surface] = nil
        pending[surface] = nil
    }

    /// The arbiter forgets with the session what was confirmed.
    mutating func forgetSent() { sent = [:] }
}

extension SubscriberMachine {
    mutating func confirm(_ path: String, _ epoch: UInt64, _ seq: UInt64, at now: Milliseconds) {
        guard let surface = model.surfaces[path], surface.epoch == epoch, surface.seq > 0 else { return }
        // What came after it made no difference to the screen, so it is drawn as well.
        let position = seq >= surface.toldSeq ? surface.seq : seq
        drawn.add(path, epoch: epoch, seq: position, at: now)
        sendDrawn(at: now)
    }

    /// After a snapshot that changed nothing the program has nothing to draw, but the arbiter waits to hear so.
    mutating func confirmWithoutDifference(_ path: String, at now: Milliseconds) {
        guard let surface = model.surfaces[path], surface.seq > 0 else { return }
        if drawn.covers(path, epoch: surface.epoch, seq: surface.toldSeq) {
            drawn.add(path, epoch: surface.epoch, seq: surface.seq, at: now)
            sendDrawn(at: now)
        }
    }

    mutating func sendDrawn(at now: Milliseconds) {
        guard heartbeat.isConnected else { return }
        for request in drawn.take(at: now) { actions.append(.send(request)) }
    }
}
