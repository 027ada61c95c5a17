import CZeroMQ
import Glibc

/// What became of a message to one peer.
public enum RouterSendResult: Equatable, Sendable {
    case sent
    /// The peer has as much queued as its high-water mark allows. The message was not taken.
    case wouldBlock
    /// No such connection any more. The message was not taken.
    case unreachable
}

/// What a ROUTER received.
public enum RouterArrival: Equatable, Sendable {
    /// One body. `delimited`: an empty frame stood before it, as REQ sends, and must stand before the reply.
    case message(from: RoutingID, delimited: Bool)
    /// A message of more frames than a delimiter and a body; dropped whole. `count` is without the routing id.
    case tooManyFrames(from: RoutingID, count: Int)
    /// The peer claimed a routing id of its own; dropped whole, and cannot be answered by `RoutingID`.
    case foreignRoutingID([UInt8])
}

/// A server for many peers, each addressed by its `RoutingID`.
///
/// Never blocks: a blocking send to a full peer that dies would hang for ever. Sends to an unknown peer are told, not
/// dropped (`ZMQ_ROUTER_MANDATORY`), and a claimed id never takes over a connection (no `ZMQ_ROUTER_HANDOVER`).
public final class RouterSocket: TransportSocket {
    @exclusivity(unchecked) private var scratch = Message()

    public init(_ context: Context) throws(ZMQError) {
        try super.init(context, type: ZMQ_ROUTER, name: "ROUTER")
        try set(ZMQ_ROUTER_MANDATORY, true, "ZMQ_ROUTER_MANDATORY")
    }

    /// Takes one message if one is there; nil when nothing waits. `body` gets its body; after any other arrival what it
    /// holds means nothing.
    public func tryReceive(into body: inout Message) throws(ZMQError) -> RouterArrival? {
        guard try receiveIfPresent(into: &scratch) else { return nil }
        guard let peer = scratch.withUnsafeBytes({ RoutingID($0) }) else {
            let claimed = scratch.bytes
            _ = try dropRest()
            return .foreignRoutingID(claimed)
        }
        // The frames of one message arrive together, so what follows is there.
        _ = try receiveIfPresent(into: &body)
        if !body.more { return .message(from: peer, delimited: false) }
        guard body.isEmpty else { return .tooManyFrames(from: peer, count: 1 + (try dropRest())) }
        _ = try receiveIfPresent(into: &body)
        if !body.more { return .message(from: peer, delimited: true) }
        return .tooManyFrames(from: peer, count: 2 + (try dropRest()))
    }

    /// Sends one body to one peer, whole or not at all. On `.sent` the body is empty, otherwise as it was.
    public func send(to peer: RoutingID, delimited: Bool = false, _ body: inout Message) throws(ZMQError)
        -> RouterSendResult
    {
        let opened = try open(peer, delimited)
        if opened == .sent { _ = try sendFrame(&body, flags: ZMQ_DONTWAIT) }
        return opened
    }

    /// Sends a copy of the bytes to one peer, whole or not at all.
    public func send(to peer: RoutingID, delimited: Bool = false, _ body: UnsafeRawBufferPointer) throws(ZMQError)
        -> RouterSendResult
    {
        let opened = try open(peer, delimited)
        if opened == .sent { _ = try sendFrame(body, flags: ZMQ_DONTWAIT) }
        return opened
    }

    public func send(to peer: RoutingID, delimited: Bool = false, _ body: [UInt8]) throws(ZMQError) -> RouterSendResult {
        try body.span.bytes.withUnsafeBytes { buffer throws(ZMQError) in
            try send(to: peer, delimited: delimited, buffer)
        }
    }

    /// Sends the message and keeps it, for the next peer: its bytes are shared, and nothing is copied for a peer that
    /// cannot take it.
    public func send(to peer: RoutingID, delimited: Bool = false, sharing body: inout Message) throws(ZMQError)
        -> RouterSendResult
    {
        let opened = try open(peer, delimited)
        if opened == .sent {
            var copy = body.copy()
            _ = try sendFrame(&copy, flags: ZMQ_DONTWAIT)
        }
        return opened
    }

    /// Queues the address and the delimiter. libzmq decides with the first frame whether the whole message fits, and
    /// takes the rest without waiting; if the peer dies between two frames it drops the message whole.
    @inline(__always)
    private func open(_ peer: RoutingID, _ delimited: Bool) throws(ZMQError) -> RouterSendResult {
        var frame = peer.frame
        let flags = ZMQ_DONTWAIT | ZMQ_SNDMORE
        if retryingInterrupts({ zmq_send(handle, &frame, 5, flags) }) < 0 {
            switch zmq_errno() {
            case EAGAIN: return .wouldBlock
            case EHOSTUNREACH: return .unreachable
            default: throw .last("zmq_send", "routing id \(peer)")
            }
        }
        if delimited { _ = try sendFrame(UnsafeRawBufferPointer(start: nil, count: 0), flags: flags) }
        return .sent
    }

    /// Drops the frames that are left of the current message; returns how many.
    private func dropRest() throws(ZMQError) -> Int {
        var count = 0
        repeat {
            guard try receiveIfPresent(into: &scratch) else { return count }
            count += 1
        } while scratch.more
        return count
    }
}
