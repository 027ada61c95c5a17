import AlertBusCore
import AlertBusModel

/// Who listens to which surface. Kept up to date in both directions, so that publishing only looks up a list.
struct Audience {
    /// A surface as the bus knows it.
    final class Surface {
        let index: Int
        let path: String
        /// What the feed sends as first frame: the path and a slash.
        let topic: [UInt8]
        @exclusivity(unchecked) var listeners: [Listener] = []
        @exclusivity(unchecked) var lastSeq: UInt64 = 0
        /// When its last message was published; nil when a beat has repeated it since.
        var changedAt: Milliseconds?
        @exclusivity(unchecked) var sentAt = SentTimes()

        init(index: Int, path: String) {
            self.index = index
            self.path = path
            topic = Array(path.utf8) + [UInt8(ascii: "/")]
        }
    }

    /// One that listens to a surface.
    struct Listener {
        let session: Session
        /// Nil until something is sent to it, and where there are too many to follow.
        var progress: ScreenProgress?
    }

    private(set) var surfaces: [Surface] = []
    private var indices = NameTable()
    private var listeners: [Session] = []
    /// Pairs of a session and a surface whose progress is followed.
    private(set) var tracked = 0

    /// About a hundred bytes each. Above it a new pair gets its messages all the same, but its progress is not followed:
    /// it is in no list of subscribers, and its confirmations are ignored.
    static let trackedLimit = 1 << 20

    /// The one that was asked for last: what a command brings mostly concerns one surface.
    private var recent: Surface?

    subscript(index: Int) -> Surface { surfaces[index] }

    var listenerCount: Int { listeners.count }
    var sessions: [Session] { listeners }

    mutating func find(_ path: String) -> Surface? {
        if let recent, sameName(recent.path, path) { return recent }
        guard let index = indices.find(path) else { return nil }
        recent = surfaces[Int(index)]
        return recent
    }

    mutating func add(_ path: String) -> Surface {
        let surface = Surface(index: surfaces.count, path: path)
        surface.listeners = listeners.filter { session in session.scopes.contains { $0.contains(path) } }.map {
            Listener(session: $0)
        }
        surfaces.append(surface)
        // Names are never given up here, so their numbers are those of the surfaces.
        _ = indices.use(path)
        return surface
    }

    mutating func watchers(of path: String) -> Int {
        if let surface = find(path) { return surface.listeners.count }
        return listeners.reduce(0) { $0 + ($1.scopes.contains { $0.contains(path) } ? 1 : 0) }
    }

    mutating func subscribe(_ session: Session, to scope: SurfaceScope) {
        if session.scopes.contains(scope) { return }
        if session.scopes.isEmpty { listeners.append(session) }
        for index in surfaces.indices where scope.contains(surfaces[index].path) {
            // By another scope it is there already.
            if session.scopes.contains(where: { $0.contains(surfaces[index].path) }) { continue }
            surfaces[index].listeners.append(Listener(session: session))
        }
        session.scopes.append(scope)
    }

    mutating func unsubscribe(_ session: Session, from scope: SurfaceScope) {
        guard let place = session.scopes.firstIndex(of: scope) else { return }
        session.scopes.remove(at: place)
        for index in surfaces.indices where scope.contains(surfaces[index].path) {
            if session.scopes.contains(where: { $0.contains(surfaces[index].path) }) { continue }
            surfaces[index].listeners.removeAll { $0.session === session }
            if session.screens.removeValue(forKey: index) != nil { tracked -= 1 }
            session.unreported.removeAll { $0.surface == index }
        }
        if session.scopes.isEmpty { listeners.removeAll { $0 === session } }
    }

    /// How far a listener is; begins to follow it, unless there are too many.
    @inline(__always)
    mutating func progress(_ surface: Surface, listener: Int) -> ScreenProgress? {
        surface.listeners[listener].progress ?? follow(surface, listener)
    }

    private mutating func follow(_ surface: Surface, _ listener: Int) -> ScreenProgress? {
        guard tracked < Self.trackedLimit else { return nil }
        let progress = ScreenProgress(surface: surface.index)
        surface.listeners[listener].progress = progress
        surface.listeners[listener].session.screens[surface.index] = progress
        tracked += 1
        return progress
    }

    /// A snapshot that nobody subscribed to leaves nothing behind.
    mutating func noteSnapshot(_ session: Session, _ surface: Surface, _ seq: UInt64, at now: Milliseconds) {
        guard let listener = surface.listeners.firstIndex(where: { $0.session === session }) else { return }
        progress(surface, listener: listener)?.snapshotSent(seq, at: now)
    }

    /// The state went back: positions are told anew.
    func restart() {
        for surface in surfaces { surface.lastSeq = 0 }
    }

    mutating func remove(_ session: Session) {
        for scope in session.scopes { unsubscribe(session, from: scope) }
    }
}

/// When the last messages of a stream were sent, so that the time until a screen has drawn them can be measured.
struct SentTimes {
    private static let room = 64
    private var times: [Int64] = []

    mutating func note(_ seq: UInt64, _ microseconds: Int64) {
        if times.isEmpty { times = [Int64](repeating: 0, count: Self.room) }
        times[Int(seq % UInt64(Self.room))] = microseconds
    }

    func time(of seq: UInt64, newest: UInt64) -> Int64? {
        guard !times.isEmpty, seq <= newest, newest - seq < UInt64(Self.room) else { return nil }
        let time = times[Int(seq % UInt64(Self.room))]
        return time == 0 ? nil : time
    }
}
