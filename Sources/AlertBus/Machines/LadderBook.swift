import AlertBusModel

/// The receipts of every alert that a client raised: each rung is told once, in the order of the ladder.
///
/// Receipts come by themselves and as replies to questions, so the same rung may come twice.
struct LadderBook: Sendable {
    private struct Ladder: Sendable {
        let surface: String
        let key: String
        /// The commands that raised it; several when the same alert was raised again.
        var ids: [UInt64]
        var last: Receipt
        var heardAt: Milliseconds
    }

    private struct Name: Hashable {
        let surface: String
        let key: String
    }

    typealias Told = [(id: UInt64, receipt: Receipt)]

    private var ladders: [UInt64: Ladder] = [:]
    private var pending: [UInt64: Name] = [:]
    private var pendingCounts: [Name: Int] = [:]
    /// Receipts that overtook the reply by which the number of the alert is learnt.
    private var early: [Name: [Receipt]] = [:]

    private static let earlyLimit = 64

    var count: Int { ladders.count }
    var instances: [UInt64] { ladders.keys.sorted() }

    func surface(of instance: UInt64) -> String? { ladders[instance]?.surface }

    func quiet(since time: Milliseconds) -> [UInt64] {
        ladders.filter { $0.value.heardAt <= time }.keys.sorted()
    }

    // MARK: Events

    mutating func raised(_ id: UInt64, _ surface: String, _ key: String) {
        let name = Name(surface: surface, key: key)
        pending[id] = name
        pendingCounts[name, default: 0] += 1
    }

    mutating func failed(_ id: UInt64) { settle(id) }

    mutating func accepted(_ id: UInt64, _ accepted: Accepted, at now: Milliseconds) -> Told {
        let name = Name(surface: accepted.surface, key: accepted.key)
        let receipts = early[name]?.filter { $0.instance == accepted.instance } ?? []
        settle(id)
        if let known = ladders[accepted.instance], known.surface == accepted.surface, known.key == accepted.key {
            ladders[accepted.instance]!.ids.append(id)
            return [(id, known.last)]
        }
        // An arbiter that forgot everything gives out its numbers anew.
        let replaced = forgotten(accepted.instance)
        let rung = Receipt(
            surface: accepted.surface, key: accepted.key, instance: accepted.instance, revision: accepted.revision,
            event: accepted.state.event, reason: accepted.state.firstReason)
        // Receipts that came before the reply belong to the same step or to an earlier sending, so they are newer.
        let rungs = receipts.isEmpty ? [rung] : receipts
        let ladder = Ladder(
            surface: accepted.surface, key: accepted.key, ids: [id], last: rungs.last ?? rung, heardAt: now)
        if ladder.last.event != .ended { ladders[accepted.instance] = ladder }
        return replaced + rungs.map { (id, $0) }
    }

    /// A receipt came by itself.
    mutating func happened(_ receipt: Receipt, at now: Milliseconds) -> Told {
        if let ladder = ladders[receipt.instance], ladder.surface == receipt.surface, ladder.key == receipt.key {
            return climb(receipt, at: now)
        }
        let name = Name(surface: receipt.surface, key: receipt.key)
        if pendingCounts[name] != nil, early[name, default: []].count < Self.earlyLimit {
            early[name, default: []].append(receipt)
        }
        return []
    }

    /// The reply to a question. One about another alert of the same number means that the arbiter forgot this one.
    mutating func told(_ receipt: Receipt, about instance: UInt64, at now: Milliseconds) -> Told {
        guard let ladder = ladders[instance] else { return [] }
        guard receipt.instance == instance, receipt.surface == ladder.surface, receipt.key == ladder.key else {
            return forgotten(instance)
        }
        return climb(receipt, at: now)
    }

    /// The arbiter does not know the alert any more, so nobody will ever learn how it ended.
    mutating func forgotten(_ instance: UInt64) -> Told {
        guard let ladder = ladders.removeValue(forKey: instance) else { return [] }
        let receipt = Receipt(
            surface: ladder.surface, key: ladder.key, instance: instance, revision: ladder.last.revision, event: .ended,
            reason: .unknownAlert,
            detail:
                "the arbiter does not know the alert any more; it was started again without its journal, or the end lies too far back"
        )
        return ladder.ids.map { ($0, receipt) }
    }

    private mutating func climb(_ receipt: Receipt, at now: Milliseconds) -> Told {
        guard var ladder = ladders[receipt.instance] else { return [] }
        ladder.heardAt = now
        let isNew = ladder.last.event != receipt.event
        if isNew { ladder.last = receipt }
        ladders[receipt.instance] = receipt.event == .ended ? nil : ladder
        return isNew ? ladder.ids.map { ($0, receipt) } : []
    }

    private mutating func settle(_ id: UInt64) {
        guard let name = pending.removeValue(forKey: id) else { return }
        let left = pendingCounts[name, default: 1] - 1
        pendingCounts[name] = left > 0 ? left : nil
        if left <= 0 { early[name] = nil }
    }
}

extension PresentationState {
    /// The rung of the ladder that a reply with this state stands for.
    var event: Receipt.Event {
        switch self {
        case .loading: .loading
        case .deferred: .deferred
        case .shown: .shown
        case .covered: .covered
        case .ended: .ended
        }
    }

    /// Why an alert is there when it has just been accepted.
    fileprivate var firstReason: Reason {
        switch self {
        case .loading, .shown: .raised
        case .deferred: .intercepted
        case .covered: .covered
        case .ended: .expired
        }
    }
}
