import AlertBusModel

/// Decides which alert is on which screen, and when: the whole state, and the step from one state to the next.
///
/// Pure and deterministic: the same inputs with the same times give the same effects in the same order. It reads no clock,
/// draws no random numbers and does no input or output. A step is O(log n) in the number of waiting alerts.
///
/// The rules themselves are in the page "The rules of a surface"; each file of the folder `Rules` has one part of them.
///
/// What changing rules only ask is inlined: otherwise the compiler copies this whole value to the stack for each such call.
public struct Arbiter: Sendable {
    public internal(set) var policies: PolicySet
    public internal(set) var limits: Limits
    public internal(set) var epoch: UInt64
    /// The time of the newest input. Time never runs backwards here: an earlier input counts as now.
    public internal(set) var now: Milliseconds = 0

    var alerts = AlertTable()
    var surfaces = Chunked<Surface>()
    var surfaceNames = NameTable()
    var producers = NameTable()
    var lastInstance: UInt64 = 0
    var bytes = 0

    var alertDeadlines = DeadlineHeap()
    var surfaceDeadlines = DeadlineHeap()

    /// While clocks of alerts run out; their surfaces come to rest after them.
    var defersSettling = false

    var ended = EndedMemory()
    var once = OnceMemory()
    /// Further sessions that hear of an alert, by instance; most alerts have one.
    var coOwners: [UInt64: [UInt64]] = [:]
    /// The alerts that end when their last session is lost, by session.
    var closers: [UInt64: CloserList] = [:]
    /// What `hold` and `release` said last, by scope.
    var holds: [HoldOverride] = []

    var loading: [UInt64: LoadingState] = [:]
    var loads: [UInt64: LoadTicket] = [:]
    var lastLoad: UInt64 = 0

    public init(policies: PolicySet = PolicySet(), limits: Limits = Limits(), epoch: UInt64 = 1) {
        self.policies = policies
        self.limits = limits
        self.epoch = epoch
    }

    /// Takes one input at a time. What must happen because of it is appended to `effects`, in order: first what the passing
    /// of time up to `now` brought, then what the input brought, the reply last.
    public mutating func step(_ input: Input, at now: Milliseconds, into effects: inout [Effect]) {
        let now = max(now, self.now)
        if case .started(let epoch) = input {
            started(epoch: epoch, at: now, &effects)
            return
        }
        passTime(to: now, &effects)
        switch input {
        case .tick, .started: break
        case .command(let command, let requester): commanded(command, by: requester, &effects)
        case .configured(let policies, let limits): configured(policies, limits, &effects)
        case .ownerLost(let session): ownerLost(session, &effects)
        case .loaded(let load, let rows): loaded(load, rows, &effects)
        case .loadFailed(let load, let message): loadFailed(load, message, &effects)
        }
    }

    /// The same as `step(.command(command, from: requester), …)`, without making one value of both: the way of nearly all inputs.
    public mutating func step(
        _ command: Command, from requester: Requester, at now: Milliseconds, into effects: inout [Effect]
    ) {
        passTime(to: max(now, self.now), &effects)
        commanded(command, by: requester, &effects)
    }

    /// The same for the most frequent command, without making one value of it and the others.
    public mutating func step(
        _ raise: Raise, from requester: Requester, at now: Milliseconds, into effects: inout [Effect]
    ) {
        passTime(to: max(now, self.now), &effects)
        answer(requester, &effects) { (arbiter, effects) throws(Refusal) in
            .accepted(try arbiter.raised(raise, by: requester, &effects))
        }
    }

    /// When the next clock runs out: a `tick` is due then. Nil when nothing waits for the time.
    public var nextDeadline: Milliseconds? {
        switch (alertDeadlines.first?.time, surfaceDeadlines.first?.time) {
        case (nil, let b): b
        case (let a, nil): a
        case (let a?, let b?): min(a, b)
        }
    }

    /// The same for a caller that keeps the arbiter in an object: it is asked there, where a getter is given a copy.
    public mutating func deadlineInPlace() -> Milliseconds? { nextDeadline }

    /// What providers have been asked and have not answered, in the order in which it was asked.
    public var pendingLoads: [Load] {
        loads.keys.sorted().compactMap { load in
            guard let ticket = loads[load], let slot = alerts.find(instance: ticket.instance),
                let part = loading[ticket.instance]?.parts.first(where: { $0.load == load })
            else { return nil }
            return Load(
                load: load, name: alerts[slot].content.sources[ticket.source].name, request: part.request,
                deadline: part.deadline)
        }
    }

    /// Alerts that have not ended.
    public var alertCount: Int { alerts.count }
    public var surfaceCount: Int { surfaces.count }
    /// The number of the occurrence that was accepted last; 0 before the first.
    public var newestInstance: UInt64 { lastInstance }

    // MARK: Commands

    private mutating func commanded(_ command: Command, by requester: Requester, _ effects: inout [Effect]) {
        answer(requester, &effects) { (arbiter, effects) throws(Refusal) in
            try arbiter.carryOut(command, by: requester, &effects)
        }
    }

    /// What was answered under its token before is answered again; otherwise it is carried out.
    @inline(__always)
    private mutating func answer(
        _ requester: Requester, _ effects: inout [Effect],
        _ carryOut: (inout Arbiter, inout [Effect]) throws(Refusal) -> Reply
    ) {
        if let token = requester.once, let first = once.find(producer: requester.producer, token: token) {
            if case .accepted(let accepted) = first, let slot = alerts.find(instance: accepted.instance) {
                attach(requester.session, to: slot)
            }
            effects.append(.reply(first))
            return
        }
        let reply: Reply
        do throws(Refusal) {
            reply = try carryOut(&self, &effects)
        } catch {
            reply = .refused(error)
        }
        if let token = requester.once {
            once.remember(.init(producer: requester.producer, token: token, reply: reply), limit: limits.memory)
        }
        effects.append(.reply(reply))
    }

    private mutating func carryOut(
        _ command: Command, by requester: Requester, _ effects: inout [Effect]
    ) throws(Refusal) -> Reply {
        switch command {
        case .raise(let raise):
            .accepted(try raised(raise, by: requester, &effects))
        case .update(let update):
            .done(try updated(update, by: requester, &effects))
        case .withdraw(let surface, let key, let revision):
            .done(try withdrawn(surface, key, revision, by: requester, &effects))
        case .dismiss(let surface, let target, let revision):
            .done(try dismissed(surface, target, revision, answer: nil, &effects))
        case .answer(let surface, let target, let revision, let answer):
            .done(try dismissed(surface, target, revision, answer: answer, &effects))
        case .clear(let scope, let shown):
            .done(cleared(scope, shown: shown, &effects))
        case .hold(let scope):
            .done(try holdChanged(scope, isHeld: true, &effects))
        case .release(let scope):
            .done(try holdChanged(scope, isHeld: false, &effects))
        case .status(let surface, let target):
            .event(try status(surface, target, by: requester))
        case .refresh(let surface, let target, let source, let request):
            .done(try refreshed(surface, target, source, request, &effects))
        }
    }

    // MARK: Time

    mutating func passTime(to time: Milliseconds, _ effects: inout [Effect]) {
        while true {
            let alert = alertDeadlines.first
            let surface = surfaceDeadlines.first
            if let alert, alert.time <= time, alert.time <= surface?.time ?? never {
                now = max(now, alert.time)
                // All that ends at one moment ends before anything follows from it.
                defersSettling = true
                alertClockRanOut(alert.slot, &effects)
                defersSettling = false
            } else if let surface, surface.time <= time {
                now = max(now, surface.time)
                settle(surface.slot, &effects)
            } else {
                break
            }
        }
        now = time
    }
}
