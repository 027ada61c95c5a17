import Dispatch
import Synchronization

/// The screen, and the event streams of all pages that follow it.
///
/// A stream with nothing to send is suspended inside libmicrohttpd. Only who takes the connection out of `suspended` under
/// the lock resumes it, and a suspended connection is not freed, so a resume never meets a freed one.
final class EventHub: Sendable {
    private struct Stream {
        var queue: EventQueue
        /// The connection while it is suspended.
        var suspended: Connection?
        let connection: Connection
    }

    private struct State {
        var screen: ScreenState
        var streams: [UInt64: Stream] = [:]
        var nextStream: UInt64 = 0
        var resynchronisations = 0
        var stopping = false
    }

    private let state: Mutex<State>
    private let open = DispatchGroup()
    private let backlogLimit: Int
    private let hello: [UInt8]

    init(surfaces: [String], options: KioskOptions, hello: [UInt8]) {
        state = Mutex(State(screen: ScreenState(surfaces: surfaces, slots: options.slots)))
        backlogLimit = options.backlogLimit
        self.hello = EventQueue.frame("hello", hello)
    }

    /// Milliseconds of a clock that only goes forward.
    static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

    func publish(_ message: [UInt8]) throws(KioskError) {
        let (error, woken) = state.withLock { state -> (KioskError?, [Connection]) in
            do throws(KioskError) {
                switch try state.screen.apply(message, now: Self.now()) {
                case .nothing: return (nil, [])
                case .snapshot: for id in state.streams.keys { state.streams[id]?.queue.resynchronise() }
                case .event(let json):
                    let frame = EventQueue.frame("change", json)
                    for id in state.streams.keys where state.streams[id]?.queue.append(frame) == true {
                        state.resynchronisations += 1
                    }
                }
                return (nil, Self.wake(&state))
            } catch {
                return (error, [])
            }
        }
        for connection in woken { connection.resume() }
        if let error { throw error }
    }

    func beat() {
        let frame = EventQueue.frame("beat", Array("{}".utf8))
        let woken = state.withLock { state -> [Connection] in
            for id in state.streams.keys { state.streams[id]?.queue.appendIfIdle(frame) }
            return Self.wake(&state)
        }
        for connection in woken { connection.resume() }
    }

    /// - Returns: the stream's number, or nil when the server stops.
    func openStream(on connection: Connection) -> UInt64? {
        state.withLock { state in
            if state.stopping { return nil }
            state.nextStream += 1
            state.streams[state.nextStream] = Stream(
                queue: EventQueue(limit: backlogLimit, hello: hello), connection: connection)
            open.enter()
            return state.nextStream
        }
    }

    func closeStream(_ id: UInt64) {
        let existed = state.withLock { $0.streams.removeValue(forKey: id) != nil }
        if existed { open.leave() }
    }

    /// Fills the buffer; nil when the stream is at its end; 0 when it was suspended.
    func read(_ id: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            guard !state.stopping, var stream = state.streams.removeValue(forKey: id) else { return nil }
            let now = Self.now()
            let count = stream.queue.take(into: buffer) { EventQueue.frame("snapshot", state.screen.snapshot(now: now)) }
            if count == 0 {
                stream.connection.suspend()
                stream.suspended = stream.connection
            }
            state.streams[id] = stream
            return count
        }
    }

    /// Ends all streams. Returns when all have ended, or after the given time.
    func stop(within milliseconds: Int) {
        let woken = state.withLock { state -> [Connection] in
            state.stopping = true
            return Self.wake(&state, all: true)
        }
        for connection in woken { connection.resume() }
        _ = open.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Streams that are open, bytes held for them, and how often one was given a snapshot because it was slow.
    var statistics: (streams: Int, bytes: Int, resynchronisations: Int) {
        state.withLock { state in
            (state.streams.count, state.streams.values.reduce(0) { $0 + $1.queue.byteCount }, state.resynchronisations)
        }
    }

    private static func wake(_ state: inout State, all: Bool = false) -> [Connection] {
        var woken: [Connection] = []
        for (id, stream) in state.streams where all || !stream.queue.isEmpty {
            guard let connection = stream.suspended else { continue }
            state.streams[id]?.suspended = nil
            woken.append(connection)
        }
        return woken
    }
}
