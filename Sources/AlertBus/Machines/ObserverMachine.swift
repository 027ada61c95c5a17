import AlertBusModel
import AlertBusWire

/// Follows the feed: it may lose messages, which shows in the numbers and in the beats, and is repaired by `sync` over
/// the request port. The two are separate connections, so a snapshot may be ahead of the feed or behind it.
package struct ObserverMachine: ClientMachine {
    package enum Order: Sendable {}

    package typealias Notice = ScreenNotice

    package private(set) var model = ScreenModel()
    package private(set) var repairs = RepairCounts()
    package private(set) var link = LinkState.reconnecting
    private var heartbeat: Heartbeat
    private let scopes: [SurfaceScope]
    /// Where surfaces begin that no snapshot named; nil before the first one.
    private var epochs: [UInt64?]
    /// Snapshots on their way: of a whole scope, or of one surface.
    private var pending: [ScopeTracker] = []
    private var nextRef: UInt64 = 1
    private var isFeedConnected = false
    private var feedWasConnected = false
    private var wasConnected = false
    private var feedHeardAt: Milliseconds = 0
    private var actions: [ClientAction<Notice>] = []

    /// Beats of quiet surfaces come within 30 s.
    private static let feedPatience: Milliseconds = 45_000
    private static let snapshotTimeout: Milliseconds = 5000

    package init(_ scopes: [SurfaceScope], pingInterval: Milliseconds = 1000) {
        self.scopes = SurfaceScope.disjoint(scopes)
        epochs = self.scopes.map { _ in nil }
        heartbeat = Heartbeat(interval: pingInterval)
    }

    package var nextDeadline: Milliseconds {
        guard heartbeat.isConnected else { return .max }
        return min(heartbeat.nextDeadline, pending.compactMap(\.since).map { $0 + Self.snapshotTimeout }.min() ?? .max)
    }

    package mutating func takeActions() -> [ClientAction<Notice>] {
        defer { actions = [] }
        return actions
    }

    package mutating func ordered(_ order: Order, at now: Milliseconds) {}

    // MARK: The connections

    package mutating func connected(at now: Milliseconds) {
        heartbeat.connected(at: now)
        feedHeardAt = now
        if wasConnected { count(.reconnected) }
        wasConnected = true
        pending = []
        for index in scopes.indices { sync(scopes[index], at: now) }
        timePassed(to: now)
    }

    package mutating func disconnected(at now: Milliseconds) {
        heartbeat.disconnected()
        setLink(.reconnecting)
    }

    package mutating func feedConnected(at now: Milliseconds) {
        isFeedConnected = true
        feedHeardAt = now
        defer { feedWasConnected = true }
        guard feedWasConnected && heartbeat.isConnected else { return setLinkByState() }
        count(.reconnected)
        for scope in scopes { sync(scope, at: now) }
    }

    package mutating func turnedAway(_ error: ClientError, at now: Milliseconds) {
        actions.append(.notify(.failed(error)))
    }

    // MARK: Messages

    package mutating func receivedFromFeed(_ message: ServerMessage, at now: Milliseconds) {
        feedHeardAt = now
        switch message {
        case .stream(let message): streamed(message, at: now)
        case .beat(let beat): heard(beat, at: now)
        default: break
        }
    }

    package mutating func received(_ message: ServerMessage, at now: Milliseconds) {
        guard heartbeat.isConnected else { return }
        heartbeat.heard()
        switch message {
        case .pong(let pong):
            _ = heartbeat.pong(pong)
            guard pong.session != 0 else { return }
            for index in scopes.indices where epochs[index] != nil && epochs[index] != pong.epoch {
                repair(scopes[index], .newEpoch, at: now)
            }
        case .snapshot(let part): arrived(part, at: now)
        case .reply(let ref, .refused(let refusal), _) where pending.contains { $0.isAwaiting(ref) }:
            actions.append(.notify(.failed(.refused(refusal))))
        default: break
        }
        setLinkByState()
    }

    private mutating func streamed(_ message: StreamMessage, at now: Milliseconds) {
        // A topic is a prefix, so surfaces below the one that is followed come too.
        guard let index = scopes.firstIndex(where: { $0.contains(message.surface) }) else { return }
        if let place = pending.firstIndex(where: { $0.scope.contains(message.surface) }) {
            return pending[place].keep(message)
        }
        // Before the first connection to the request port there is nothing to begin with.
        guard let epoch = epochs[index] else { return }
        apply(message, index, epoch, at: now)
    }

    private mutating func apply(_ message: StreamMessage, _ index: Int, _ epoch: UInt64, at now: Milliseconds) {
        var events: [ScreenEvent] = []
        switch model.apply(message, epoch: epoch, into: &events) {
        case .applied: tell(events, [message.surface])
        case .old: break
        case .newEpoch: repair(scopes[index], .newEpoch, at: now)
        case .hole:
            guard let surface = try? SurfaceScope(message.surface) else { return }
            repair(surface, .hole, at: now)
        }
    }

    private mutating func heard(_ beat: Beat, at now: Milliseconds) {
        guard let index = scopes.firstIndex(where: { $0.contains(beat.surface) }), let epoch = epochs[index],
            !pending.contains(where: { $0.scope.contains(beat.surface) }), let scope = try? SurfaceScope(beat.surface)
        else { return }
        let known = model.surfaces[beat.surface] ?? ScreenModel.Surface(epoch: epoch)
        if beat.epoch > known.epoch { return repair(scopes[index], .newEpoch, at: now) }
        guard beat.epoch == known.epoch else { return }
        if beat.seq > known.seq { return repair(scope, .lostTail, at: now) }
        if beat.seq == known.seq && beat.digest != ScreenDigest(of: known.shown).text { repair(scope, .hole, at: now) }
    }

    // MARK: Repair

    private mutating func repair(_ scope: SurfaceScope, _ cause: RepairCause, at now: Milliseconds) {
        // One that is on its way began before what is missing now, or will show it; beats and numbers tell.
        if pending.contains(where: { $0.scope.contains(scope) }) { return }
        count(cause)
        sync(scope, at: now)
    }

    private mutating func sync(_ scope: SurfaceScope, at now: Milliseconds) {
        var tracker = ScopeTracker(scope)
        // What was kept for a narrower repair follows the wider one as well.
        let early = pending.filter { scope.contains($0.scope) }.flatMap(\.early)
        pending.removeAll { scope.contains($0.scope) }
        let ref = nextRef
        nextRef += 1
        tracker.await(ref: ref, at: now)
        for message in early { tracker.keep(message) }
        pending.append(tracker)
        guard heartbeat.isConnected else { return }
        actions.append(.send(Request(.sync(scope), ref: ScopeTracker.text(ref))))
    }

    private mutating func arrived(_ part: SnapshotPart, at now: Milliseconds) {
        guard let place = pending.firstIndex(where: { $0.isAwaiting(part.ref) }),
            let surfaces = pending[place].add(part)
        else { return }
        let tracker = pending.remove(at: place)
        if let index = scopes.firstIndex(of: tracker.scope) { epochs[index] = part.epoch }
        var events: [ScreenEvent] = []
        let touched = Set(surfaces.map(\.surface)).union(model.surfaces.keys.filter { tracker.scope.contains($0) })
        model.replace(tracker.scope, epoch: part.epoch, with: surfaces, into: &events)
        tell(events, touched.sorted())
        for message in tracker.early { streamed(message, at: now) }
    }

    // MARK: Time

    package mutating func timePassed(to now: Milliseconds) {
        switch heartbeat.timePassed(to: now) {
        case .nothing: break
        case .ping(let request): actions.append(.send(request))
        case .silence: return giveUp(at: now)
        }
        guard heartbeat.isConnected else { return }
        if !model.surfaces.isEmpty && now - feedHeardAt >= Self.feedPatience { return giveUp(at: now) }
        for tracker in pending where tracker.since.map({ now - $0 >= Self.snapshotTimeout }) ?? false {
            count(.unanswered)
            sync(tracker.scope, at: now)
        }
        setLinkByState()
    }

    private mutating func giveUp(at now: Milliseconds) {
        count(.silence)
        setLink(.stale)
        actions.append(.reopen)
        isFeedConnected = false
        disconnected(at: now)
    }

    private mutating func setLinkByState() {
        guard heartbeat.isConnected else { return setLink(.reconnecting) }
        let isComplete = pending.isEmpty && epochs.allSatisfy { $0 != nil } && isFeedConnected
        if isComplete && heartbeat.missed < Heartbeat.limit { return setLink(.connected) }
        if link == .connected && heartbeat.missed >= Heartbeat.limit { setLink(.stale) }
    }

    // MARK: Telling the program

    private mutating func count(_ cause: RepairCause) {
        repairs[cause] += 1
        actions.append(.notify(.repairs(repairs)))
    }

    private mutating func tell(_ events: [ScreenEvent], _ surfaces: [String]) {
        let positions = surfaces.map { path in
            let surface = model.surfaces[path] ?? ScreenModel.Surface(epoch: 0)
            return ScreenPosition(surface: path, epoch: surface.epoch, seq: surface.seq)
        }
        actions.append(.notify(.changed(events, positions)))
    }

    private mutating func setLink(_ state: LinkState) {
        guard state != link else { return }
        link = state
        actions.append(.notify(.link(state)))
    }
}

extension ScopeTracker {
    /// When the snapshot was asked for.
    var since: Milliseconds? {
        guard case .awaiting(_, let since) = phase else { return nil }
        return since
    }
}
