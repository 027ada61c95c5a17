import AlertBusModel
import AlertBusWire

/// The client side of a producer and of an operator: commands that are sent until they are answered, and for each
/// accepted alert its ladder of receipts, without gaps that matter and without repetitions.
package struct ProducerMachine: ClientMachine {
    package typealias Order = CommandOrder

    package enum Notice: Sendable {
        case command(CommandNotice)
        /// A rung of the alert that this command raised. The first one tells where it was at acceptance.
        case receipt(id: UInt64, Receipt)
        case link(LinkState)
        case failed(ClientError)
    }

    package private(set) var heartbeat: Heartbeat
    package private(set) var link = LinkState.reconnecting
    package var outbox: CommandOutbox
    var ladders = LadderBook()
    private var actions: [ClientAction<Notice>] = []
    /// Alerts that have to be asked for, in order.
    private var toAsk: [UInt64] = []
    private var asked: [UInt64: UInt64] = [:]
    private var lastQuestion: UInt64 = Self.questions
    private var nextAudit: Milliseconds = .max
    private let auditInterval: Milliseconds

    /// Ids of this machine's own questions begin here.
    private static let questions: UInt64 = 1 << 63
    /// Questions on their way at a time.
    private static let questionWindow = 64

    /// - Parameters:
    ///   - token: unique for this start of the process and this client.
    ///   - auditInterval: how long nothing is heard of an alert before it is asked for.
    package init(
        token: String, options: CommandOutbox.Options = .init(), pingInterval: Milliseconds = 1000,
        auditInterval: Milliseconds = 60_000
    ) {
        heartbeat = Heartbeat(interval: pingInterval)
        outbox = CommandOutbox(token: token, options: options)
        self.auditInterval = auditInterval
    }

    /// Accepted alerts whose end is not known yet.
    package var outstanding: Int { ladders.count }

    package var nextDeadline: Milliseconds {
        min(heartbeat.nextDeadline, outbox.nextDeadline, heartbeat.isConnected ? nextAudit : .max)
    }

    package mutating func takeActions() -> [ClientAction<Notice>] {
        defer { actions = [] }
        return actions
    }

    // MARK: The connection

    package mutating func connected(at now: Milliseconds) {
        heartbeat.connected(at: now)
        setLink(.connected)
        sayAllAgain(at: now)
        timePassed(to: now)
    }

    package mutating func disconnected(at now: Milliseconds) {
        heartbeat.disconnected()
        outbox.disconnected()
        setLink(.reconnecting)
    }

    package mutating func turnedAway(_ error: ClientError, at now: Milliseconds) {
        outbox.failAll(error)
        asked = [:]
        actions.append(.notify(.failed(error)))
        flush(attempts: 1, at: now)
    }

    /// The arbiter knows this connection no more, or has forgotten what the last one said.
    private mutating func sayAllAgain(at now: Milliseconds) {
        outbox.connected(at: now)
        toAsk = ladders.instances
        askNext(at: now)
        flush(attempts: 1, at: now)
    }

    // MARK: Events

    package mutating func ordered(_ order: CommandOrder, at now: Milliseconds) {
        if case .submit(let id, .command(.raise(let raise)), _) = order { ladders.raised(id, raise.surface, raise.key) }
        outbox.ordered(order, at: now)
        flush(attempts: 1, at: now)
    }

    package mutating func received(_ message: ServerMessage, at now: Milliseconds) {
        guard heartbeat.isConnected else { return }
        heartbeat.heard()
        setLink(.connected)
        switch message {
        case .pong(let pong):
            if heartbeat.pong(pong) != nil { sayAllAgain(at: now) }
        case .event(let receipt):
            tell(ladders.happened(receipt, at: now))
        default:
            let attempts = outbox.received(message, at: now)
            flush(attempts: attempts ?? 1, at: now)
        }
    }

    package mutating func timePassed(to now: Milliseconds) {
        switch heartbeat.timePassed(to: now) {
        case .nothing: break
        case .ping(let request): actions.append(.send(request))
        case .silence:
            setLink(.stale)
            actions.append(.reopen)
            return disconnected(at: now)
        }
        outbox.timePassed(to: now)
        if heartbeat.isConnected && now >= nextAudit { audit(at: now) }
        flush(attempts: 1, at: now)
    }

    // MARK: Questions

    /// A receipt that was lost on a living connection is found by asking once in a while.
    private mutating func audit(at now: Milliseconds) {
        nextAudit = now + max(1, auditInterval / 4)
        if toAsk.isEmpty { toAsk = ladders.quiet(since: now - auditInterval) }
        askNext(at: now)
    }

    private mutating func askNext(at now: Milliseconds) {
        if ladders.count > 0 && nextAudit == .max { nextAudit = now + auditInterval }
        guard !toAsk.isEmpty else { return }
        let inFlight = Set(asked.values)
        var taken = 0
        for instance in toAsk where asked.count < Self.questionWindow {
            taken += 1
            guard let surface = ladders.surface(of: instance), !inFlight.contains(instance) else { continue }
            lastQuestion += 1
            asked[lastQuestion] = instance
            outbox.ordered(
                .submit(id: lastQuestion, .command(.status(surface: surface, .instance(instance))), timeout: nil), at: now)
        }
        toAsk.removeFirst(taken)
    }

    private mutating func answered(_ question: UInt64, _ notice: CommandNotice, at now: Milliseconds) {
        guard let instance = asked.removeValue(forKey: question) else { return }
        switch notice {
        case .answered(_, .event(let receipt)): tell(ladders.told(receipt, about: instance, at: now))
        case .failed(_, .refused(let refusal)):
            switch refusal.reason {
            case .unknownAlert, .alreadyEnded: tell(ladders.forgotten(instance))
            // Asking again at once would be refused again: the next audit does.
            default: break
            }
        case .failed, .answered: break
        }
    }

    // MARK: Telling the program

    private mutating func flush(attempts: Int, at now: Milliseconds) {
        var rounds = outbox.takeItems()
        while !rounds.isEmpty {
            for item in rounds {
                switch item {
                case .send(let request): actions.append(.send(request))
                case .notify(let notice): pass(notice, attempts, at: now)
                }
            }
            if heartbeat.isConnected { askNext(at: now) }
            rounds = outbox.takeItems()
        }
    }

    private mutating func pass(_ notice: CommandNotice, _ attempts: Int, at now: Milliseconds) {
        switch notice {
        case .answered(let id, _) where id > Self.questions: answered(id, notice, at: now)
        case .failed(let id, _) where id > Self.questions: answered(id, notice, at: now)
        case .answered(let id, .accepted(let accepted, _)):
            actions.append(.notify(.command(notice)))
            tell(ladders.accepted(id, accepted, at: now))
            // A repeated reply is the first one again; what happened since then is not in it.
            if attempts > 1 { toAsk.append(accepted.instance) }
        case .failed(let id, _):
            ladders.failed(id)
            actions.append(.notify(.command(notice)))
        case .answered: actions.append(.notify(.command(notice)))
        }
    }

    private mutating func tell(_ receipts: [(id: UInt64, receipt: Receipt)]) {
        for (id, receipt) in receipts { actions.append(.notify(.receipt(id: id, receipt))) }
    }

    private mutating func setLink(_ state: LinkState) {
        guard state != link else { return }
        link = state
        actions.append(.notify(.link(state)))
    }
}
