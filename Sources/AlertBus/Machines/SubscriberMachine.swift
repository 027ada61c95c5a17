import AlertBusModel
import AlertBusWire

/// The client side of a screen: follows streams, notices whatever is lost, and repairs it in one way: subscribe again,
/// take the snapshot, and tell the program the differences.
package struct SubscriberMachine: ClientMachine {
    package enum Order: Sendable {
        /// The program has drawn what it was told of a surface, up to this position.
        case drawn(surface: String, epoch: UInt64, seq: UInt64)
        /// What a person did.
        case command(CommandOrder)
    }

    package typealias Notice = ScreenNotice

    package private(set) var model = ScreenModel()
    package private(set) var repairs = RepairCounts()
    package private(set) var link = LinkState.reconnecting
    package var heartbeat: Heartbeat
    var scopes: [ScopeTracker]
    var outbox: CommandOutbox
    var drawn = DrawnConfirmations()
    var actions: [ClientAction<Notice>] = []
    private var nextRef: UInt64 = 1
    private var cause: RepairCause?
    private var wasConnected = false

    /// After this a repair is worth telling: the screen may be old.
    static let staleAfter: Milliseconds = 1000
    /// After this a snapshot is asked for again.
    static let snapshotTimeout: Milliseconds = 5000

    /// - Parameter token: unique for this start of the process.
    package init(
        _ scopes: [SurfaceScope], token: String, options: CommandOutbox.Options = .init(), pingInterval: Milliseconds = 1000
    ) {
        self.scopes = SurfaceScope.disjoint(scopes).map { ScopeTracker($0) }
        heartbeat = Heartbeat(interval: pingInterval)
        outbox = CommandOutbox(token: token, options: options)
    }

    package mutating func takeActions() -> [ClientAction<Notice>] {
        defer { actions = [] }
        return actions
    }

    package var nextDeadline: Milliseconds {
        var next = min(heartbeat.nextDeadline, outbox.nextDeadline)
        guard heartbeat.isConnected else { return next }
        next = min(next, drawn.nextDeadline)
        for scope in scopes {
            guard case .awaiting(_, let since) = scope.phase else { continue }
            next = min(next, since + (link == .connected ? Self.staleAfter : Self.snapshotTimeout))
        }
        return next
    }

    // MARK: The connection

    package mutating func connected(at now: Milliseconds) {
        heartbeat.connected(at: now)
        if wasConnected {
            repairs[cause ?? .reconnected] += 1
            notify(.repairs(repairs))
        }
        cause = nil
        wasConnected = true
        drawn.forgetSent()
        for index in scopes.indices { subscribe(index, at: now) }
        outbox.connected(at: now)
        flush()
        timePassed(to: now)
    }

    package mutating func disconnected(at now: Milliseconds) {
        heartbeat.disconnected()
        for index in scopes.indices { scopes[index].reset() }
        outbox.disconnected()
        setLink(.reconnecting)
    }

    package mutating func turnedAway(_ error: ClientError, at now: Milliseconds) {
        outbox.failAll(error)
        flush()
        notify(.failed(error))
    }

    package mutating func ordered(_ order: Order, at now: Milliseconds) {
        switch order {
        case .drawn(let surface, let epoch, let seq): confirm(surface, epoch, seq, at: now)
        case .command(let command):
            outbox.ordered(command, at: now)
            flush()
        }
    }

    // MARK: What the arbiter says

    package mutating func received(_ message: ServerMessage, at now: Milliseconds) {
        guard heartbeat.isConnected else { return }
        heartbeat.heard()
        switch message {
        case .stream(let message): streamed(message, at: now)
        case .snapshot(let part) where part.ref.isEmpty || scopes.contains { $0.isAwaiting(part.ref) }:
            snapshotArrived(part, at: now)
        case .pong(let pong): ponged(pong, at: now)
        case .reply(let ref, .refused(let refusal), _) where scopes.contains { $0.isAwaiting(ref) }:
            notify(.failed(.refused(refusal)))
        default:
            outbox.received(message, at: now)
            flush()
        }
        setLinkByState(at: now)
    }

    private mutating func streamed(_ message: StreamMessage, at now: Milliseconds) {
        guard let index = scopes.firstIndex(where: { $0.scope.contains(message.surface) }) else { return }
        switch scopes[index].phase {
        case .idle: break
        case .awaiting: scopes[index].keep(message)
        case .live where scopes[index].pushedParts != nil: scopes[index].keep(message)
        case .live: apply(message, scope: index, at: now)
        }
    }

    private mutating func apply(_ message: StreamMessage, scope index: Int, at now: Milliseconds) {
        var events: [ScreenEvent] = []
        switch model.apply(message, epoch: scopes[index].epoch, into: &events) {
        case .applied: tell(events, surfaces: [message.surface])
        case .old: break
        case .hole: repair(index, .hole, at: now)
        case .newEpoch: repair(index, .newEpoch, at: now)
        }
    }

    private mutating func ponged(_ pong: Pong, at now: Milliseconds) {
        let discovery = heartbeat.pong(pong)
        guard pong.session != 0 else { return }
        switch discovery {
        case .lostSession:
            drawn.forgetSent()
            repairAll(.lostSession, at: now)
        // The snapshot of a new epoch may have come before its first pong.
        case .newEpoch, nil:
            for index in scopes.indices where scopes[index].phase == .live && scopes[index].epoch != pong.epoch {
                repair(index, .newEpoch, at: now)
            }
            for position in pong.surfaces {
                guard let index = scopes.firstIndex(where: { $0.scope.contains(position.surface) }),
                    scopes[index].phase == .live, position.seq > model.surfaces[position.surface]?.seq ?? 0
                else { continue }
                repair(index, .lostTail, at: now)
            }
        }
    }

    // MARK: Repair

    private mutating func repairAll(_ cause: RepairCause, at now: Milliseconds) {
        repairs[cause] += 1
        notify(.repairs(repairs))
        for index in scopes.indices { subscribe(index, at: now) }
    }

    mutating func repair(_ index: Int, _ cause: RepairCause, at now: Milliseconds) {
        repairs[cause] += 1
        notify(.repairs(repairs))
        subscribe(index, at: now)
    }

    private mutating func subscribe(_ index: Int, at now: Milliseconds) {
        let ref = nextRef
        nextRef += 1
        scopes[index].await(ref: ref, at: now)
        actions.append(.send(Request(.subscribe(scopes[index].scope), ref: ScopeTracker.text(ref))))
    }

    private mutating func snapshotArrived(_ part: SnapshotPart, at now: Milliseconds) {
        guard
            let index = scopes.firstIndex(where: {
                $0.scope == part.scope && $0.phase != .idle && (part.ref.isEmpty || $0.isAwaiting(part.ref))
            })
        else { return }
        guard let surfaces = scopes[index].add(part) else { return }
        if part.ref.isEmpty {
            repairs[.pushed] += 1
            notify(.repairs(repairs))
        }
        let early = scopes[index].early
        scopes[index].phase = .live
        scopes[index].epoch = part.epoch
        scopes[index].hasSnapshot = true
        scopes[index].early = []
        var events: [ScreenEvent] = []
        var touched = Set(surfaces.map(\.surface))
        touched.formUnion(model.surfaces.keys.filter { scopes[index].scope.contains($0) })
        model.replace(scopes[index].scope, epoch: part.epoch, with: surfaces, into: &events)
        tell(events, surfaces: touched.sorted())
        let differing = Set(events.compactMap(\.surface))
        for path in differing { drawn.forget(path) }
        for path in surfaces.map(\.surface) where !differing.contains(path) { confirmWithoutDifference(path, at: now) }
        for message in early where scopes[index].phase == .live { apply(message, scope: index, at: now) }
    }

    // MARK: Time

    package mutating func timePassed(to now: Milliseconds) {
        switch heartbeat.timePassed(to: now) {
        case .nothing: break
        case .ping(let request): actions.append(.send(request))
        case .silence:
            cause = .silence
            setLink(.stale)
            actions.append(.reopen)
            disconnected(at: now)
            return
        }
        for index in scopes.indices {
            guard case .awaiting(_, let since) = scopes[index].phase, now - since >= Self.snapshotTimeout else { continue }
            repair(index, .unanswered, at: now)
        }
        outbox.timePassed(to: now)
        flush()
        sendDrawn(at: now)
        setLinkByState(at: now)
    }

    private mutating func setLinkByState(at now: Milliseconds) {
        guard heartbeat.isConnected else { return setLink(.reconnecting) }
        if scopes.allSatisfy({ $0.phase == .live }) && heartbeat.missed < Heartbeat.limit { return setLink(.connected) }
        // A repair takes a moment; it is worth telling when it takes longer, and after a reconnect until it is done.
        let waits = scopes.contains { scope in
            guard case .awaiting(_, let since) = scope.phase else { return false }
            return now - since >= Self.staleAfter
        }
        if link == .connected && (waits || heartbeat.missed >= Heartbeat.limit) { setLink(.stale) }
    }

    private mutating func setLink(_ state: LinkState) {
        guard state != link else { return }
        link = state
        notify(.link(state))
    }

    // MARK: Telling the program

    mutating func notify(_ notice: Notice) { actions.append(.notify(notice)) }

    private mutating func tell(_ events: [ScreenEvent], surfaces: [String]) {
        let positions = surfaces.map { path in
            let surface = model.surfaces[path] ?? ScreenModel.Surface(epoch: 0)
            return ScreenPosition(surface: path, epoch: surface.epoch, seq: surface.seq)
        }
        notify(.changed(events, positions))
    }

    private mutating func flush() {
        for item in outbox.takeItems() {
            switch item {
            case .send(let request): actions.append(.send(request))
            case .notify(let notice): notify(.command(notice))
            }
        }
    }
}

extension ScopeTracker {
    /// Refs of subscriptions and of commands come from two counters; the letter keeps them apart.
    static func text(_ ref: UInt64) -> [UInt8] { Array("\"s\(ref)\"".utf8) }

    func isAwaiting(_ ref: [UInt8]) -> Bool {
        guard case .awaiting(let awaited, _) = phase else { return false }
        return ref == Self.text(awaited)
    }
}
