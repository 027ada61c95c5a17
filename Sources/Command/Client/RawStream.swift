import AlertBus
import AlertBusModel
import AlertBusWire
import ZeroMQ

/// The messages of a subscription as they come over the wire, for programs that read them.
///
/// It repairs as every client does: whatever was lost, the arbiter is asked for a snapshot, which is one of the messages.
final class RawStream {
    private let endpoint: Endpoint
    private let scope: SurfaceScope
    private let context: Context
    private let socket: DealerSocket
    private let door: Door
    private let decoder = ServerMessageDecoder()
    private var received = Message()
    private var positions = StreamPositions()

    private var session: UInt64?
    private var lastRef = 0
    /// The subscription that is being waited for, and since when.
    private var pending: (ref: [UInt8], since: Milliseconds)?
    private var isSubscribed = false
    private var isLost = false
    private var lastHeard: Milliseconds
    private var nextPing: Milliseconds

    private static let pingInterval: Milliseconds = 1000
    private static let silence: Milliseconds = 3000

    init(_ endpoint: Endpoint, _ scope: SurfaceScope, _ security: Security?) throws(ZMQError) {
        self.endpoint = endpoint
        self.scope = scope
        context = try Context()
        socket = try DealerSocket(context)
        // Queues nothing for an arbiter that is not there: an old ping says nothing.
        try socket.setImmediate(true)
        try socket.setReceiveHighWaterMark(0)
        try socket.setReconnectInterval(milliseconds: 200, maximum: 2000)
        door = try Door(socket, endpoint, security)
        lastHeard = SystemClock.monotonic()
        nextPing = lastHeard
    }

    enum Notice {
        case message([UInt8])
        case refused(Refusal)
        case lost
        case back
    }

    /// Follows for ever. Returns only when `deadline` has passed and nothing was ever heard.
    func follow(until deadline: Milliseconds?, _ tell: (Notice) throws(CommandFailure) -> Void) throws(CommandFailure) {
        var deadline = deadline
        do {
            while true {
                let now = SystemClock.monotonic()
                if let deadline, now >= deadline { return }
                try beat(now, tell)
                let wait = min(nextPing - now, deadline.map { $0 - now } ?? .max)
                guard try door.waitToReceive(milliseconds: Int(max(0, wait))) else { continue }
                while try socket.tryReceive(into: &received) {
                    deadline = nil
                    try heard(received.bytes, tell)
                }
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .refused("the connection to \(endpoint) failed: \(error)")
        }
    }

    /// Once a second: is it still there, and does it still know us?
    private func beat(_ now: Milliseconds, _ tell: (Notice) throws(CommandFailure) -> Void) throws {
        guard now >= nextPing else { return }
        nextPing = now + Self.pingInterval
        if now - lastHeard >= Self.silence && !isLost {
            isLost = true
            isSubscribed = false
            pending = nil
            try tell(.lost)
        }
        guard try send(.ping) != nil else {
            // No connection yet: the first message goes out as soon as there is one.
            nextPing = now + 100
            return
        }
        if !isSubscribed, pending.map({ now - $0.since >= Self.silence }) ?? true { try subscribe() }
    }

    private func subscribe() throws(ZMQError) {
        let request = try send(.subscribe(scope))
        pending = request.map { ($0, SystemClock.monotonic()) }
    }

    /// - Returns: the ref, or nil when there is no connection.
    private func send(_ body: Request.Body) throws(ZMQError) -> [UInt8]? {
        lastRef += 1
        let ref = Array("\(lastRef)".utf8)
        var writer = MessageWriter(capacity: 256)
        writer.request(Request(body, ref: ref))
        return try socket.trySend(writer.bytes) ? ref : nil
    }

    private func heard(_ json: [UInt8], _ tell: (Notice) throws(CommandFailure) -> Void) throws {
        lastHeard = SystemClock.monotonic()
        guard let message = try? decoder.decode(json) else { return }
        switch message {
        case .pong(let pong):
            let isStranger = session != nil && session != pong.session
            session = pong.session == 0 ? session : pong.session
            if isStranger || (isSubscribed && positions.isBehind(pong)) { try subscribeAgain() }
        case .snapshot(let part):
            positions.take(part)
            try tell(.message(json))
            if part.last {
                isSubscribed = isSubscribed || part.ref == pending?.ref
                if part.ref == pending?.ref { pending = nil }
                if isLost { try tell(.back) }
                isLost = false
            }
            for surface in part.surfaces { confirm(surface.surface, surface.epoch, surface.seq) }
        case .stream(let change):
            guard positions.follows(change) else { return try subscribeAgain() }
            try tell(.message(json))
            confirm(change.surface, change.epoch, change.seq)
        case .reply(let ref, .refused(let refusal), _) where ref == pending?.ref: try tell(.refused(refusal))
        case .reply, .event, .alerts, .subscribers, .counters, .beat, .load, .unload, .explanation, .unknown: break
        }
    }

    private func subscribeAgain() throws(ZMQError) {
        guard pending == nil else { return }
        isSubscribed = false
        try subscribe()
    }

    /// What was handed on counts as drawn; there is no reply, and nothing depends on it.
    private func confirm(_ surface: String, _ epoch: UInt64, _ seq: UInt64) {
        var writer = MessageWriter(capacity: 256)
        writer.request(Request(.drawn(surface: surface, epoch: epoch, seq: seq)))
        _ = try? socket.trySend(writer.bytes)
    }
}
