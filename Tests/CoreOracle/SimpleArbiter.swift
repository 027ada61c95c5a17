import AlertBusModel

/// A second, deliberately simple model of the core: plain arrays and linear scans, written from the rules alone.
///
/// It says what must happen; it does not care how long that takes.
package struct SimpleArbiter {
    var policies: PolicySet
    var limits: Limits
    var epoch: UInt64
    var now: Milliseconds = .min
    /// While the clock of an alert rings; surfaces come to rest afterwards.
    var defersSettling = false

    /// The living alerts, in the order of their instances.
    package internal(set) var alerts: [SimpleAlert] = []
    /// In the order of creation.
    package internal(set) var surfaces: [SimpleSurface] = []
    /// Holds and releases, the newest last.
    var holds: [(scope: SurfaceScope, held: Bool)] = []
    /// The newest last.
    var outcomes: [SimpleOutcome] = []
    var tokens: [(producer: String, token: String, reply: Reply)] = []
    var lastInstance: UInt64 = 0
    var lastLoad: UInt64 = 0

    /// What happened in this step so far.
    var effects: [Effect] = []
    /// The alert that this step accepted: its reply tells what its receipts would.
    var accepting: UInt64 = 0

    package init(policies: PolicySet, limits: Limits, epoch: UInt64) {
        self.policies = policies
        self.limits = limits
        self.epoch = epoch
    }

    /// Takes what is due, each at its own time, then the input. A time before the last one counts as the last one.
    package mutating func step(_ input: Input, at time: Milliseconds) -> [Effect] {
        effects = []
        accepting = 0
        let time = max(now, time)
        if case .started(let epoch) = input {
            begin(epoch, at: time)
            pass(to: time)
            return effects
        }
        pass(to: time)
        now = time
        switch input {
        case .command(let command, let requester): effects.append(.reply(reply(to: command, from: requester)))
        case .tick: break
        case .started: break
        case .configured(let policies, let limits): configure(policies, limits)
        case .ownerLost(let session): loseOwner(session)
        case .loaded(let load, let rows): finish(load, rows)
        case .loadFailed(let load, let message): fail(load, message)
        }
        return effects
    }

    private mutating func pass(to time: Milliseconds) {
        while let clock = nextClock(), clock.time <= time {
            now = max(now, clock.time)
            ring(clock)
        }
    }

    /// The earliest moment at which something may happen by itself.
    package var nextDeadline: Milliseconds? { nextClock()?.time }

    // MARK: - Looking up

    subscript(instance: UInt64) -> SimpleAlert {
        get { alerts.first { $0.instance == instance }! }
        set { alerts[alerts.firstIndex { $0.instance == instance }!] = newValue }
    }

    subscript(surface name: String) -> SimpleSurface {
        get { surfaces.first { $0.name == name }! }
        set { surfaces[surfaces.firstIndex { $0.name == name }!] = newValue }
    }

    /// Those of a surface, in the order of arrival.
    func alerts(on surface: String) -> [SimpleAlert] { alerts.filter { $0.surface == surface } }

    /// The stack, from the bottom to the top.
    func stack(of surface: String) -> [SimpleAlert] { self[surface: surface].stack.map { self[$0] } }

    /// Everything that an election may choose from, the best first. On a held surface only what breaks through counts.
    func electable(on surface: String) -> [SimpleAlert] {
        let held = self[surface: surface].held
        return ranked(alerts(on: surface).filter { $0.waits && (!held || $0.breaksThrough) })
    }

    // MARK: - Rank

    /// The priority that counts: the policy's range first, then what the sender was granted.
    func priority(of alert: SimpleAlert) -> UInt8 {
        min(self[surface: alert.surface].policy.effective(alert.content.priority), max(1, alert.topPriority))
    }

    func isBetter(_ a: SimpleAlert, _ b: SimpleAlert) -> Bool {
        if self[surface: a.surface].policy.order == .priority {
            let (x, y) = (priority(of: a), priority(of: b))
            if x != y { return x > y }
        }
        return a.instance < b.instance
    }

    func ranked(_ alerts: [SimpleAlert]) -> [SimpleAlert] { alerts.sorted(by: isBetter) }

    /// 1 is next; 0 for an alert that does not wait.
    func position(of alert: SimpleAlert) -> Int {
        guard alert.waits else { return 0 }
        return 1 + alerts(on: alert.surface).count { $0.waits && isBetter($0, alert) }
    }

    // MARK: - Telling

    mutating func publish(_ surface: String, _ reason: Reason, _ change: StreamMessage.Change) {
        self[surface: surface].seq += 1
        let seq = self[surface: surface].seq
        effects.append(
            .publish(StreamMessage(surface: surface, epoch: epoch, seq: seq, reason: reason, change: change)))
    }

    mutating func tell(
        _ alert: SimpleAlert, _ event: Receipt.Event, _ reason: Reason, answer: [UInt8] = [], detail: String = ""
    ) {
        let receipt = Receipt(
            surface: alert.surface, key: alert.key, instance: alert.instance, revision: alert.revision, event: event,
            reason: reason, answer: answer, detail: detail)
        if event == .ended { remember(SimpleOutcome(producer: alert.producer, receipt: receipt)) }
        if alert.instance == accepting && [.shown, .deferred, .loading].contains(event) { return }
        effects.append(.receipt(receipt, to: alert.sessions))
    }

    private mutating func remember(_ outcome: SimpleOutcome) {
        outcomes.append(outcome)
        while outcomes.count > limits.memory { outcomes.removeFirst() }
    }

    func picture(of alert: SimpleAlert) -> ShownAlert {
        ShownAlert(
            key: alert.key, producer: alert.producer, instance: alert.instance, revision: alert.revision,
            priority: priority(of: alert), presentation: alert.content.presentation, params: alert.content.params,
            data: alert.data, displayLeft: alert.displayLeft(at: now), expiresAt: alert.expiresAt)
    }
}
