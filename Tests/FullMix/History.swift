import AlertBusModel
import AlertBusService

/// The whole run once more from its journal, watched as a screen and a producer would.
struct History {
    private var positions: [String: UInt64] = [:]
    private var shown: [String: Set<UInt64>] = [:]
    /// By instance: 0 never accepted, 1 alive, 2 ended.
    private var lives: [UInt8] = [0]
    private(set) var reasons: [Reason: Int] = [:]
    private(set) var alive = 0

    /// - Throws: `MixFault` when something was told twice, not at all, or in another order; `JournalReplay.Fault` when a digest differs.
    static func check(_ path: String) throws -> (history: History, summary: JournalReplay.Summary) {
        var history = History()
        let summary = try JournalReplay(path: path).run { try history.saw($0) }
        guard summary.first == 0 else { throw MixFault("the journal begins at \(summary.first)") }
        guard history.alive == summary.alerts else {
            throw MixFault("\(history.alive) alerts were accepted and have not ended, but there are \(summary.alerts)")
        }
        return (history, summary)
    }

    private mutating func saw(_ step: JournalReplay.Step) throws {
        // A new generation: streams begin again with what is on the screens.
        if case .started? = step.cause { positions = [:] }
        for effect in step.effects {
            switch effect {
            case .publish(let message): try saw(message)
            case .receipt(let receipt, _): try saw(receipt)
            case .reply(.accepted(let accepted)): begin(accepted.instance)
            case .reply(.refused(let refusal)): reasons[refusal.reason, default: 0] += 1
            case .reply, .load, .unload: break
            }
        }
    }

    private mutating func begin(_ instance: UInt64) {
        while lives.count <= instance { lives.append(0) }
        // An equal raise is answered like the first one, and what ended at once has ended before its reply.
        guard lives[Int(instance)] == 0 else { return }
        lives[Int(instance)] = 1
        alive += 1
    }

    private mutating func saw(_ receipt: Receipt) throws {
        if lives.count <= receipt.instance || lives[Int(receipt.instance)] == 0 { begin(receipt.instance) }
        guard lives[Int(receipt.instance)] == 1 else {
            throw MixFault("instance \(receipt.instance): \(receipt.event) (\(receipt.reason)) after its end")
        }
        reasons[receipt.reason, default: 0] += 1
        guard receipt.event == .ended else { return }
        lives[Int(receipt.instance)] = 2
        alive -= 1
    }

    private mutating func saw(_ message: StreamMessage) throws {
        guard message.seq == positions[message.surface, default: 0] + 1 else {
            throw MixFault("a hole before \(message.seq) in the stream of \(message.surface)")
        }
        positions[message.surface] = message.seq
        reasons[message.reason, default: 0] += 1
        switch message.change {
        case .show(let alert):
            if alert.instance < lives.count && lives[Int(alert.instance)] == 2 {
                throw MixFault("instance \(alert.instance) is shown after its end")
            }
            guard shown[message.surface, default: []].insert(alert.instance).inserted else {
                throw MixFault("instance \(alert.instance) is shown twice")
            }
        case .update(let alert):
            guard shown[message.surface, default: []].contains(alert.instance) else {
                throw MixFault("instance \(alert.instance) is updated on the screen but not shown")
            }
        case .hide(_, let instance):
            guard shown[message.surface, default: []].remove(instance) != nil else {
                throw MixFault("instance \(instance) is hidden but not shown")
            }
        }
    }
}
