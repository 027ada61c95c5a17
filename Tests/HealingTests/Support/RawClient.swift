import AlertBusModel
import AlertBusWire
import TestSupport
import ZeroMQ

/// A DEALER that says exactly what it is told, for what a well-behaved client never does, and for floods.
final class RawClient {
    private let socket: DealerSocket
    private let decoder = ServerMessageDecoder()
    private var pings = 0

    // One for all clients of the test process.
    private static let context = Result { () throws(ZMQError) in try Context() }

    init(_ requests: String) throws {
        socket = try DealerSocket(try Self.context.get())
        try socket.setSendHighWaterMark(0)
        try socket.setReceiveHighWaterMark(0)
        try socket.connect(try Endpoint(requests))
    }

    func send(_ message: String) throws { try socket.send(message) }

    /// What has come so far.
    func take() throws -> [ServerMessage] {
        var messages: [ServerMessage] = []
        while let message = try socket.tryReceive() { messages.append(try decoder.decode(message.bytes)) }
        return messages
    }

    /// Everything that was sent before the answer to a ping that is asked now, with that answer.
    func settle(seconds: Int = 60) async throws -> [ServerMessage] {
        pings += 1
        let ref = Array("\(pings)".utf8)
        try send(#"{"v":1,"op":"ping","ref":\#(pings)}"#)
        var messages: [ServerMessage] = []
        try await poll(seconds: seconds, "a pong") {
            messages += try take()
            return messages.contains { if case .pong(let pong) = $0 { pong.ref == ref } else { false } }
        }
        return messages
    }

    /// Sends many requests that have one reply each, some at a time. What is not accepted or done is an error.
    func flood(_ count: Int, window: Int = 512, _ request: (Int) -> String) async throws {
        var sent = 0
        var answered = 0
        while answered < count {
            while sent < count, sent - answered < window {
                try send(request(sent))
                sent += 1
            }
            try await poll(seconds: 60, "replies to a flood (\(answered) of \(count))") {
                answered += try takeAnswers()
                return sent - answered < window / 2 || answered == count
            }
        }
    }
}

extension RawClient {
    /// Counts `accepted` and `done` without reading more of them than needed: a flood has very many.
    private func takeAnswers() throws -> Int {
        var count = 0
        while let message = try socket.tryReceive() {
            switch message.withUnsafeBytes({ $0.count > 13 ? $0[13] : 0 }) {
            case UInt8(ascii: "a"), UInt8(ascii: "d"): count += 1
            case UInt8(ascii: "r"): throw Failure("refused: \(message.text)")
            default: break
            }
        }
        return count
    }
}

/// The state of a scope as the arbiter tells it.
func wanted(_ requests: String, _ scope: String = "/") async throws -> [SurfaceSnapshot] {
    let client = try RawClient(requests)
    try client.send(#"{"v":1,"op":"sync","ref":"w","surface":"\#(scope)"}"#)
    var surfaces: [SurfaceSnapshot] = []
    try await poll(seconds: 30, "a snapshot of \(scope)") {
        for case .snapshot(let part) in try client.take() {
            surfaces += part.surfaces
            if part.last { return true }
        }
        return false
    }
    return surfaces
}
