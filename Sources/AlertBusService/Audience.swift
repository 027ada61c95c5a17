import AlertBusCore
import AlertBusModel

/// Who listens to which surface. Kept up to date in both directions, so that publishing only looks up a list.
struct Audience {
    /// A surface as the bus knows it.
    struct Surface {
        let path: String
        /// What the feed sends as first frame: the path and a slash.
        let topic: [UInt8]
        var listeners: [Listener] = []
        var lastSeq: UInt64 = 0
        /// When its last message was published; nil when a beat has repeated it since.
        var changedAt: Milliseconds?
        var sentAt = SentTimes()
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

    subscript(index: Int) -> Surface {
        _read { yield surfaces[index] }
        _modify { yield &surfaces[index] }
    }

    var listenerCount: Int { listeners.count }
    var sessions: [Session] { listeners }

    func index(of path: String) -> Int? { indices.find(path).map(Int.init) }

    mutating func addIfMissing(_ path: String) -> Int {
        if let index = index(of: path) { return index }
        let index = surfaces.count
        var surface = Surface(path: path, topic: Array(path.utf8) + [UInt8(ascii: "/")])
        surface.listeners = listeners.filter { session in session.scopes.contains { $0.contains(path) } }.map { Listener(session: $0) }
        surfaces.append(surface)
        // Names are never given up here, so their numbers are those of the surfaces.
        _ = indices.use(path)
        return index
    }

    func watchers(of path: String) -> Int {
        if let index = index(of: path) { return surfaces[index].listeners.count }
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
    mutating func progress(_ surface: Int, listener: Int) -> ScreenProgress? {
        surfaces[surface].listeners[listener].progress ?? follow(surface, listener)
    }

    private mutating func follow(_ surface: Int, _ listener: Int) -> ScreenProgress? {
        guard tracked < Self.trackedLimit else { return nil }
        let progress = ScreenProgress(surface: surface)
        surfaces[surface].listeners[listener].progress = progress
        surfaces[surface].listeners[listener].session.screens[surface] = progress
        tracked += 1
        return progress
    }

    /// A snapshot that nobody subscribed to leaves nothing behind.
    mutating func noteSnapshot(_ session: Session, _ surface: Int, _ seq: UInt64, at now: Milliseconds) {
        guard let listener = surfaces[surface].listeners.firstIndex(where: { $0.session === session }) else { return }
        progress(surface, listener: listener)?.snapshotSent(seq, at: now)
    }

    /// The state went back: positions are told anew.
    mutating func restart() {
        for index in surfaces.indices { surfaces[index].lastSeq = 0 }
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
