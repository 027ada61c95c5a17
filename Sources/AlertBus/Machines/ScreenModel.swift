import AlertBusModel

/// What is shown on every surface that a client follows, and where their streams stand.
package struct ScreenModel: Sendable {
    package struct Surface: Equatable, Sendable {
        package var epoch: UInt64
        package var seq: UInt64 = 0
        package var shown: [ShownAlert] = []
        /// The position of the last difference that the program was told.
        package var toldSeq: UInt64 = 0
    }

    package enum Verdict: Equatable, Sendable {
        case applied
        /// It is contained in what is there already.
        case old
        case hole
        case newEpoch
    }

    package private(set) var surfaces: [String: Surface] = [:]

    package init() {}

    /// The next message of a stream.
    /// - Parameter epoch: where a surface begins that was not heard of before.
    package mutating func apply(
        _ message: StreamMessage, epoch: UInt64, into events: inout [ScreenEvent]
    ) -> Verdict {
        var surface = surfaces[message.surface] ?? Surface(epoch: epoch)
        if message.epoch > surface.epoch { return .newEpoch }
        if message.epoch < surface.epoch || message.seq <= surface.seq { return .old }
        if message.seq != surface.seq + 1 { return .hole }
        surface.seq = message.seq
        let count = events.count
        switch message.change {
        case .show(let alert):
            surface.shown.append(alert)
            events.append(.show(surface: message.surface, alert, message.reason))
        case .update(let alert):
            guard let place = surface.shown.firstIndex(where: { $0.instance == alert.instance }) else { return .hole }
            surface.shown[place] = alert
            events.append(.update(surface: message.surface, alert, message.reason))
        case .hide(_, let instance):
            guard let place = surface.shown.firstIndex(where: { $0.instance == instance }) else { return .hole }
            let alert = surface.shown.remove(at: place)
            events.append(.hide(surface: message.surface, alert, message.reason))
        }
        if events.count > count { surface.toldSeq = surface.seq }
        surfaces[message.surface] = surface
        return .applied
    }

    /// The whole state of a scope: what it does not name has nothing shown. Only the differences are told.
    package mutating func replace(
        _ scope: SurfaceScope, epoch: UInt64, with snapshots: [SurfaceSnapshot], into events: inout [ScreenEvent]
    ) {
        let named = Set(snapshots.map(\.surface))
        // A dictionary's order differs from run to run; what the program is told must not.
        let gone = surfaces.keys.filter { scope.contains($0) && !named.contains($0) }.sorted()
        for path in gone {
            set(path, Surface(epoch: epoch), into: &events)
            surfaces[path] = nil
        }
        for snapshot in snapshots where scope.contains(snapshot.surface) {
            set(
                snapshot.surface, Surface(epoch: epoch, seq: snapshot.seq, shown: snapshot.shown), into: &events)
        }
    }

    private mutating func set(_ path: String, _ new: Surface, into events: inout [ScreenEvent]) {
        var new = new
        let old = surfaces[path] ?? Surface(epoch: new.epoch)
        let count = events.count
        ScreenDifference.append(on: path, from: old.shown, to: new.shown, to: &events)
        // A position of another epoch means nothing in this one.
        new.toldSeq = events.count > count ? new.seq : old.epoch == new.epoch ? min(old.toldSeq, new.seq) : 0
        surfaces[path] = new
    }

    /// Sorted by surface.
    package func screens() -> [Screen] {
        surfaces.sorted { $0.key < $1.key }.map {
            Screen(surface: $0.key, epoch: $0.value.epoch, seq: $0.value.seq, shown: $0.value.shown)
        }
    }
}

/// The shortest way from one stack to another one, when a show can only put on top.
package enum ScreenDifference {
    package static func append(
        on surface: String, from old: [ShownAlert], to new: [ShownAlert], to events: inout [ScreenEvent]
    ) {
        // What can stay is a beginning of the new stack that lies in the old one in the same order.
        var stays = 0
        var kept = [Bool](repeating: false, count: old.count)
        var place = 0
        while stays < new.count {
            guard let found = old[place...].firstIndex(where: { isSame($0, new[stays]) }) else { break }
            kept[found] = true
            place = found + 1
            stays += 1
        }
        for index in old.indices.reversed() where !kept[index] {
            events.append(.hide(surface: surface, old[index], nil))
        }
        var next = 0
        for index in old.indices where kept[index] {
            if differs(old[index], new[next]) { events.append(.update(surface: surface, new[next], nil)) }
            next += 1
        }
        for alert in new[stays...] { events.append(.show(surface: surface, alert, nil)) }
    }

    /// An arbiter that forgot everything numbers its alerts anew, so the number alone does not tell.
    private static func isSame(_ a: ShownAlert, _ b: ShownAlert) -> Bool {
        a.instance == b.instance && a.key == b.key && a.producer == b.producer
    }

    /// The time that is left on screen is always another one, and no difference.
    private static func differs(_ a: ShownAlert, _ b: ShownAlert) -> Bool {
        var a = a
        a.displayLeft = b.displayLeft
        return a != b
    }
}
