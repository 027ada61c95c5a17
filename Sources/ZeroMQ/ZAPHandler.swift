import CZeroMQ

/// What libzmq asks before it admits a connection.
public struct ZAPRequest: Equatable, Sendable {
    public var domain: String
    /// The address of the peer; empty for ipc.
    public var address: String
    /// `NULL`, `PLAIN` or `CURVE`.
    public var mechanism: String
    /// For CURVE.
    public var publicKey: CurvePublicKey?

    public init(domain: String, address: String, mechanism: String, publicKey: CurvePublicKey?) {
        self.domain = domain
        self.address = address
        self.mechanism = mechanism
        self.publicKey = publicKey
    }
}

public enum ZAPDecision: Equatable, Sendable {
    /// The peer's messages carry this as `Message.userID`.
    case admit(userID: String)
    /// Final: the client hears 400 once and does not come back by itself.
    case refuse(String)
}

/// Decides which connections of a context are admitted (RFC 27). One per context; make it before any bind.
///
/// The handshake runs in libzmq's I/O threads, so the thread that serves this socket may serve others as well; while
/// nobody calls `answerPending` handshakes wait, up to the handshake interval.
public final class ZAPHandler {
    /// For a poller.
    public let socket: ReplySocket
    private var frame = Message()

    public init(_ context: Context) throws(BindError) {
        do throws(ZMQError) { socket = try ReplySocket(context) } catch { throw .library(error) }
        try socket.bind(.inproc(name: "zeromq.zap.01"))
    }

    /// Answers every request that waits; returns how many.
    public func answerPending(_ decide: (ZAPRequest) -> ZAPDecision) throws(ZMQError) -> Int {
        var count = 0
        while let frames = try receiveFrames() {
            try answer(frames, decide)
            count += 1
        }
        return count
    }

    /// Version, request id, domain, address, routing id, mechanism, credentials: libzmq's own, but checked.
    private func answer(_ frames: [[UInt8]], _ decide: (ZAPRequest) -> ZAPDecision) throws(ZMQError) {
        let version = Array("1.0".utf8)
        let requestID = frames.count > 1 ? frames[1] : []
        guard frames.count >= 6, frames[0] == version else {
            return try reply([version, requestID, Array("500".utf8), Array("malformed ZAP request".utf8), [], []])
        }
        let request = ZAPRequest(
            domain: String(decoding: frames[2], as: UTF8.self), address: String(decoding: frames[3], as: UTF8.self),
            mechanism: String(decoding: frames[5], as: UTF8.self),
            publicKey: frames.count > 6 ? CurvePublicKey(bytes: frames[6]) : nil)
        switch decide(request) {
        case .admit(let userID):
            try reply([version, requestID, Array("200".utf8), Array("OK".utf8), Array(userID.utf8), []])
        case .refuse(let text):
            // A status text longer than 255 bytes makes libzmq call the reply malformed.
            try reply([version, requestID, Array("400".utf8), Array(text.utf8.prefix(255)), [], []])
        }
    }

    private func receiveFrames() throws(ZMQError) -> [[UInt8]]? {
        guard try socket.tryReceive(into: &frame) else { return nil }
        var frames = [frame.bytes]
        while frame.more {
            guard try socket.tryReceive(into: &frame) else { break }
            frames.append(frame.bytes)
        }
        return frames
    }

    private func reply(_ frames: [[UInt8]]) throws(ZMQError) {
        for (index, bytes) in frames.enumerated() { try socket.send(bytes, more: index < frames.count - 1) }
    }
}

@available(*, unavailable, message: "a handler belongs to the thread of its socket")
extension ZAPHandler: Sendable {}
