import AlertBusModel
import AlertBusWire
import ZeroMQ

/// One end of a connection inside the process; what goes over it is the protocol, byte for byte.
final class Line {
    private var socket: DealerSocket?
    private let endpoint = Endpoint.inproc(name: Line.name)
    private let decoder = ServerMessageDecoder()
    private var message = Message()
    private var lastRef: UInt64 = 0
    /// Requests whose reply has not come.
    private(set) var awaited: Set<[UInt8]> = []
    private(set) var sent = 0

    static let name = "full-mix"

    var isOpen: Bool { socket != nil }

    func open(_ context: Context) throws {
        let socket = try DealerSocket(context)
        try socket.setSendHighWaterMark(0)
        // One that does not read must be noticed: the service's own bound counts, and this adds little to it.
        try socket.setReceiveHighWaterMark(1)
        try socket.connect(endpoint)
        self.socket = socket
    }

    /// The other end hears of it before anything else happens.
    func close() throws {
        try socket?.disconnect(endpoint)
        socket = nil
        awaited = []
    }

    /// The process at the other end is gone, and with it the context.
    func drop() {
        socket = nil
        awaited = []
    }

    func send(_ request: Request) throws {
        var writer = MessageWriter(capacity: 512)
        writer.request(request)
        try send(writer.bytes)
    }

    func send(_ bytes: [UInt8]) throws {
        guard let socket else { return }
        sent += 1
        guard try socket.trySend(bytes) else { throw MixFault("a message could not be sent") }
    }

    /// Sends a command under a number of its own; its reply is awaited.
    @discardableResult
    func ask(_ body: Request.Body, once: String? = nil, producer: String? = nil) throws -> [UInt8] {
        lastRef += 1
        let ref = Array("\(lastRef)".utf8)
        awaited.insert(ref)
        try send(Request(body, ref: ref, once: once, producer: producer))
        return ref
    }

    /// Takes what has come.
    func receive(_ take: (ServerMessage) throws -> Void) throws {
        while let socket, try socket.tryReceive(into: &message) {
            let decoded: ServerMessage
            do throws(WireFault) {
                decoded = try message.withUnsafeBytes { bytes throws(WireFault) in try decoder.decode(bytes) }
            } catch {
                throw MixFault("the arbiter sent what cannot be read: \(error)")
            }
            if let ref = decoded.answered { awaited.remove(ref) }
            try take(decoded)
        }
    }
}

/// Something that must not happen did.
package struct MixFault: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

extension ServerMessage {
    /// The request that this answers wholly.
    fileprivate var answered: [UInt8]? {
        switch self {
        case .reply(let ref, _, _), .explanation(let ref, _): ref
        case .snapshot(let part): part.last ? part.ref : nil
        case .alerts(let part): part.last ? part.ref : nil
        case .subscribers(let part): part.last ? part.ref : nil
        case .counters(let report): report.ref
        case .pong(let pong): pong.ref
        case .event, .stream, .beat, .load, .unload, .unknown: nil
        }
    }
}
