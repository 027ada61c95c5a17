import AlertBus
import AlertBusModel
import AlertBusWire
import ZeroMQ

/// One request and its reply, for commands that ask once and end. Sends again what was not answered.
final class RequestClient {
    /// A message of the arbiter, read and as it came.
    struct Answer {
        var message: ServerMessage
        var json: [UInt8]
    }

    private let endpoint: Endpoint
    private let timeout: Milliseconds
    private let context: Context
    private let socket: DealerSocket
    private let door: Door
    private let decoder = ServerMessageDecoder()
    private var received = Message()
    private var lastRef = 0

    static let standardTimeout: Milliseconds = 5000
    /// How long to wait before a request is sent again; doubles each time.
    private static let firstPause: Milliseconds = 1000

    convenience init(_ arguments: Arguments) throws(CommandFailure) {
        let timeout = try arguments.duration("timeout") ?? Self.standardTimeout
        try self.init(try BusAddress.endpoint(arguments), timeout: timeout, try ClientKeys.security(arguments))
    }

    init(_ endpoint: Endpoint, timeout: Milliseconds, _ security: Security?) throws(CommandFailure) {
        self.endpoint = endpoint
        self.timeout = timeout
        do throws(ZMQError) {
            context = try Context()
            socket = try DealerSocket(context)
            // Queues nothing for an arbiter that is not there, so that a send that succeeds means a connection.
            try socket.setImmediate(true)
            try socket.setReceiveHighWaterMark(0)
            try socket.setReconnectInterval(milliseconds: 100, maximum: 1000)
            door = try Door(socket, endpoint, security)
        } catch {
            throw .refused("cannot connect to \(endpoint): \(error)")
        }
    }

    /// Sends a request and waits for everything that answers it; a list comes in parts.
    /// - Throws: `noArbiter` when nothing answers within the timeout.
    func ask(_ body: Request.Body, producer: String? = nil) throws(CommandFailure) -> [Answer] {
        var request = Request(body, producer: producer)
        // Sent again, a command must not be carried out twice; a question may be.
        if case .command = body { request.once = Self.token() }
        do {
            if let answers = try exchange(&request) { return answers }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .refused("the connection to \(endpoint) failed: \(error)")
        }
        throw .noArbiter(endpoint, timeout)
    }

    /// Nil when the time is over.
    private func exchange(_ request: inout Request) throws -> [Answer]? {
        let deadline = SystemClock.monotonic() + timeout
        var nextSend = SystemClock.monotonic()
        var pause = Self.firstPause
        // Each time it is sent it has another ref, so that the parts of two replies do not mix.
        var parts: [[UInt8]: [Answer]] = [:]
        while true {
            let now = SystemClock.monotonic()
            if now >= deadline { return nil }
            var isConnecting = false
            if now >= nextSend {
                request.ref = Array("\(lastRef + 1)".utf8)
                if try socket.trySend(Self.encoded(request)) {
                    lastRef += 1
                    parts[request.ref] = []
                    nextSend = now + pause
                    pause *= 2
                } else {
                    isConnecting = true
                }
            }
            let end = isConnecting ? deadline : min(deadline, nextSend)
            _ = try door.wait(milliseconds: Int(end - now), alsoToSend: isConnecting)
            if let complete = try receive(into: &parts) { return complete }
        }
    }

    private func receive(into parts: inout [[UInt8]: [Answer]]) throws(ZMQError) -> [Answer]? {
        while try socket.tryReceive(into: &received) {
            let json = received.bytes
            // What is no message of this protocol cannot be ours.
            guard let message = try? decoder.decode(json), parts[message.ref] != nil else { continue }
            parts[message.ref]?.append(Answer(message: message, json: json))
            if message.isLast { return parts[message.ref] }
        }
        return nil
    }

    private static func encoded(_ request: Request) -> [UInt8] {
        var writer = MessageWriter(capacity: 512)
        writer.request(request)
        return writer.bytes
    }

    private static func token() -> String {
        String(UInt64.random(in: 0...UInt64.max), radix: 16) + String(UInt64.random(in: 0...UInt64.max), radix: 16)
    }
}

extension ServerMessage {
    /// What it answers; empty for what nobody asked for.
    fileprivate var ref: [UInt8] {
        switch self {
        case .reply(let ref, _, _), .explanation(let ref, _): ref
        case .snapshot(let part): part.ref
        case .alerts(let part): part.ref
        case .subscribers(let part): part.ref
        case .counters(let report): report.ref
        case .pong(let pong): pong.ref
        case .event, .stream, .beat, .load, .unload, .unknown: []
        }
    }

    /// Whether nothing more of the same reply follows.
    fileprivate var isLast: Bool {
        switch self {
        case .snapshot(let part): part.last
        case .alerts(let part): part.last
        case .subscribers(let part): part.last
        case .reply, .explanation, .counters, .pong, .event, .stream, .beat, .load, .unload, .unknown: true
        }
    }
}
