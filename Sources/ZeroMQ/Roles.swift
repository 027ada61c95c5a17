import CZeroMQ

/// An asynchronous client of a ROUTER: sends and receives in any order.
///
/// It has no setter for a routing id on purpose: a second peer that claims an id in use sends into nothing.
public final class DealerSocket: MessageSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_DEALER, name: "DEALER") }

    /// Sends an empty message at every connect, so that a ROUTER hears of the connection before the client speaks.
    public func setProbeRouter(_ on: Bool) throws(ZMQError) { try set(ZMQ_PROBE_ROUTER, on, "ZMQ_PROBE_ROUTER") }
}

/// A client that sends one request and then receives its one reply. Frames the body with an empty delimiter.
public final class RequestSocket: MessageSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_REQ, name: "REQ") }

    /// Allows a new request before the reply has come, and drops a reply that comes late: otherwise one lost reply
    /// blocks the socket for good. The request then carries a number before the delimiter, so it needs a REP peer or
    /// a ROUTER that sends all leading frames back.
    public func setRelaxed(_ on: Bool) throws(ZMQError) {
        try set(ZMQ_REQ_CORRELATE, on, "ZMQ_REQ_CORRELATE")
        try set(ZMQ_REQ_RELAXED, on, "ZMQ_REQ_RELAXED")
    }
}

/// A server that receives one request and then sends its reply, for small services such as a ZAP handler.
public final class ReplySocket: MessageSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_REP, name: "REP") }
}

/// One end of a connection of exactly two, usually between threads by inproc.
public final class PairSocket: MessageSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_PAIR, name: "PAIR") }
}
