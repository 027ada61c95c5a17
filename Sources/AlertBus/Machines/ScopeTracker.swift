import AlertBusModel
import AlertBusWire

/// One scope whose stream a client follows: live, or waiting for the snapshot from which it goes on.
package struct ScopeTracker: Sendable {
    package enum Phase: Equatable, Sendable {
        /// There is no connection, or it was not asked yet.
        case idle
        /// A snapshot with this ref was asked for at this time.
        case awaiting(ref: UInt64, since: Milliseconds)
        /// The snapshot has come; messages are applied as they come.
        case live
    }

    package let scope: SurfaceScope
    package var phase = Phase.idle
    /// Of the last snapshot: where surfaces begin that it did not name.
    package var epoch: UInt64 = 0
    package var hasSnapshot = false
    /// Parts of the snapshot that was asked for, and of one that the arbiter sends of itself.
    package var parts: [SurfaceSnapshot] = []
    package var pushedParts: [SurfaceSnapshot]?
    /// Stream messages that came while a snapshot is on its way.
    package var early: [StreamMessage] = []

    /// Messages kept while waiting. What a connection delivers before a snapshot is contained in it, so
    /// that hardly any of them is needed.
    package static let earlyLimit = 1024

    package init(_ scope: SurfaceScope) { self.scope = scope }

    package mutating func await(ref: UInt64, at now: Milliseconds) {
        phase = .awaiting(ref: ref, since: now)
        parts = []
        early = []
    }

    package mutating func reset() {
        phase = .idle
        parts = []
        pushedParts = nil
        early = []
    }

    package mutating func keep(_ message: StreamMessage) {
        if early.count >= Self.earlyLimit {
            early.removeFirst(early.count / 2)
        }
        early.append(message)
    }

    /// Collects one part.
    /// - Returns: the whole snapshot when it was the last one of it.
    package mutating func add(_ part: SnapshotPart) -> [SurfaceSnapshot]? {
        if part.ref.isEmpty {
            pushedParts = (pushedParts ?? []) + part.surfaces
            guard part.last else { return nil }
            defer { pushedParts = nil }
            return Self.newest(pushedParts ?? [])
        }
        parts += part.surfaces
        guard part.last else { return nil }
        defer { parts = [] }
        return Self.newest(parts)
    }

    /// A snapshot that was broken off is followed by a whole one: of two states of a surface the later one counts.
    private static func newest(_ parts: [SurfaceSnapshot]) -> [SurfaceSnapshot] {
        var places: [String: Int] = [:]
        var result: [SurfaceSnapshot] = []
        for part in parts {
            if let place = places[part.surface] {
                result[place] = part
            } else {
                places[part.surface] = result.count
                result.append(part)
            }
        }
        return result
    }
}

extension SurfaceScope {
    /// The same surfaces by scopes of which none lies in another one.
    package static func disjoint(_ scopes: [SurfaceScope]) -> [SurfaceScope] {
        var result: [SurfaceScope] = []
        for scope in scopes where !result.contains(where: { $0.contains(scope) }) {
            result.removeAll { scope.contains($0) }
            result.append(scope)
        }
        return result
    }
}
