import AlertBusModel

/// Watches effects from the outside, as subscribers and producers do, and says what must not be.
struct StreamRules {
    private(set) var faults: [String] = []
    private var seq: [String: UInt64] = [:]
    private var screens: [String: [ShownAlert]] = [:]
    private var epoch: UInt64 = 1
    private var shownInstances: Set<UInt64> = []
    private var living: Set<UInt64> = []
    private var ended: Set<UInt64> = []

    mutating func take(_ input: Input, _ effects: [Effect]) {
        if case .started(let epoch) = input {
            self.epoch = epoch
            seq = [:]
        }
        for effect in effects {
            switch effect {
            case .publish(let message): take(message)
            case .receipt(let receipt, let sessions): take(receipt, sessions)
            case .reply(.accepted(let accepted)): take(accepted)
            case .reply, .load, .unload: break
            }
        }
        if let place = effects.firstIndex(where: { if case .reply = $0 { true } else { false } }), place != effects.count - 1 {
            faults.append("something follows the reply")
        }
    }

    /// The state at a position, and what followed it, must be the state.
    mutating func compare(with snapshots: [SurfaceSnapshot], living: Int) {
        for snapshot in snapshots {
            if snapshot.epoch != epoch { faults.append("\(snapshot.surface): epoch \(snapshot.epoch), not \(epoch)") }
            let streamed = seq[snapshot.surface, default: 0]
            if snapshot.seq != streamed {
                faults.append("\(snapshot.surface): the snapshot is at \(snapshot.seq), the stream at \(streamed)")
            }
            let screen = screens[snapshot.surface] ?? []
            if snapshot.shown.map(\.withoutClocks) != screen.map(\.withoutClocks) {
                faults.append("\(snapshot.surface): \(snapshot.shown.map(\.key)) is shown, the stream says \(screen.map(\.key))")
            }
        }
        if living != self.living.count { faults.append("\(living) live, \(self.living.count) were accepted and have not ended") }
    }

    private mutating func take(_ message: StreamMessage) {
        let surface = message.surface
        if message.epoch != epoch { faults.append("\(surface): a message of epoch \(message.epoch)") }
        if message.seq != seq[surface, default: 0] + 1 {
            faults.append("\(surface): seq \(message.seq) after \(seq[surface, default: 0])")
        }
        seq[surface] = message.seq
        switch message.change {
        case .show(let alert):
            if ended.contains(alert.instance) { faults.append("\(alert.instance) is shown after it ended") }
            if !shownInstances.insert(alert.instance).inserted { faults.append("\(alert.instance) is shown twice") }
            screens[surface, default: []].append(alert)
        case .update(let alert):
            guard let place = screens[surface]?.firstIndex(where: { $0.instance == alert.instance }) else {
                faults.append("\(alert.instance) is updated and not shown")
                return
            }
            screens[surface]![place] = alert
        case .hide(let key, let instance):
            if shownInstances.remove(instance) == nil { faults.append("\(key) \(instance) is hidden and not shown") }
            screens[surface]?.removeAll { $0.instance == instance }
        }
    }

    private mutating func take(_ accepted: Accepted) {
        // A repeated acceptance, perhaps of one that has ended, tells nothing new.
        if !ended.contains(accepted.instance) { living.insert(accepted.instance) }
    }

    private mutating func take(_ receipt: Receipt, _ sessions: [UInt64]) {
        if ended.contains(receipt.instance) { faults.append("\(receipt.instance) is \(receipt.event) after it ended") }
        if Set(sessions).count != sessions.count { faults.append("\(receipt.instance) is told twice to one session") }
        guard receipt.event == .ended else { return }
        ended.insert(receipt.instance)
        living.remove(receipt.instance)
        if shownInstances.contains(receipt.instance) { faults.append("\(receipt.instance) ended and was not hidden") }
    }
}

extension ShownAlert {
    /// What a screen counts down by itself.
    fileprivate var withoutClocks: ShownAlert {
        var alert = self
        alert.displayLeft = nil
        return alert
    }
}
