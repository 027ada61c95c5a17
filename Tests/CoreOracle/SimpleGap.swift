import AlertBusModel

extension SimpleArbiter {
    /// Draws the consequences after something changed on a surface.
    mutating func settle(_ name: String) {
        arrange(name)
        if defersSettling {
            self[surface: name].isUnsettled = true
            return
        }
        showUrgent(name)
        runGap(name)
        self[surface: name].settledAt = now
    }

    /// As many as there are slots are on top, those shown last; with `covered: hide` everything is.
    private mutating func arrange(_ name: String) {
        let policy = self[surface: name].policy
        let stack = stack(of: name)
        for (index, alert) in stack.enumerated() {
            let isTop = policy.covered == .hide || index >= stack.count - policy.slots
            if isTop && !alert.onTop { self[alert.instance].becomeTop(at: now) }
            if !isTop && alert.onTop { self[alert.instance].leaveTop(at: now) }
        }
    }

    /// The best urgent one takes its place as soon as it may, and then the next.
    private mutating func showUrgent(_ name: String) {
        while true {
            guard let best = electable(on: name).first(where: \.urgent) else { return }
            switch interception(by: best) {
            case .show: show(best.instance, .raised)
            case .cover(let victim):
                cover(victim)
                show(best.instance, .raised)
            case .wait: return
            // What it would have preempted is gone: it waits for the election like any other.
            case .refuse, nil: self[best.instance].urgent = false
            }
        }
    }

    /// Starts, keeps or cancels the gap; one that is over already elects at once.
    private mutating func runGap(_ name: String) {
        let surface = self[surface: name]
        guard surface.stack.count < surface.policy.slots, !electable(on: name).isEmpty else {
            self[surface: name].gapEnd = nil
            return
        }
        if surface.gapEnd != nil { return }
        if let removal = surface.lastRemoval, removal + surface.policy.activationDelay > now {
            self[surface: name].gapEnd = removal + surface.policy.activationDelay
        } else {
            elect(on: name)
        }
    }

    /// One election: the best take places until they are full or nothing is left.
    mutating func elect(on name: String) {
        self[surface: name].gapEnd = nil
        while self[surface: name].stack.count < self[surface: name].policy.slots,
            let best = electable(on: name).first
        {
            show(best.instance, best.state == .covered ? .resumed : .dequeued)
        }
    }

    // MARK: - Hold

    func isHeld(_ surface: String) -> Bool {
        holds.last { $0.scope.contains(surface) }?.held ?? policies.policy(for: surface).hold
    }

    /// Returns how many surfaces lie in the scope.
    mutating func setHold(_ scope: SurfaceScope, _ held: Bool) -> Int {
        holds.removeAll { scope.contains($0.scope) }
        holds.append((scope, held))
        let names = surfaces.map(\.name).filter(scope.contains)
        for name in names { refreshHold(name) }
        return names.count
    }

    private mutating func refreshHold(_ name: String) {
        let held = isHeld(name)
        if held && !self[surface: name].held { self[surface: name].gapEnd = nil }
        self[surface: name].held = held
        settle(name)
    }

    // MARK: - New rules, a new epoch

    mutating func configure(_ policies: PolicySet, _ limits: Limits) {
        self.policies = policies
        self.limits = limits
        for name in surfaces.map(\.name) {
            let before = stack(of: name).map { priority(of: $0) }
            self[surface: name].policy = policies.policy(for: name)
            for (alert, old) in zip(stack(of: name), before) where priority(of: alert) != old {
                publish(name, .updated, .update(picture(of: alert)))
            }
            self[surface: name].gapEnd = nil
            refreshHold(name)
        }
    }

    /// Streams begin again, nobody is attached any more, and what was being loaded is asked for again. Nobody watched since
    /// the last input: the time on screen stood still, and everything that fell due happens now, afterwards.
    mutating func begin(_ epoch: UInt64, at time: Milliseconds) {
        self.epoch = epoch
        for index in alerts.indices where alerts[index].onTop {
            alerts[index].displayLeft = alerts[index].displayLeft(at: now)
            alerts[index].topSince = time
        }
        now = time
        for index in surfaces.indices { surfaces[index].seq = 0 }
        for index in alerts.indices {
            alerts[index].sessions = []
            if alerts[index].content.closesOnOwnerLoss { alerts[index].graceEnd = now + limits.ownerGrace }
        }
        for alert in surfaces.flatMap({ alerts(on: $0.name) }) {
            self[alert.instance].loads = []
            for load in alert.loads { ask(for: load.source, of: alert.instance, isRefresh: load.isRefresh) }
        }
    }
}
