import CZeroMQ

// Options that bound what is queued and what a peer may send.
extension TransportSocket {
    /// How long closing may go on sending what is queued, in milliseconds. Starts at 0.
    ///
    /// For ever is not offered: libzmq's own default of -1 makes a process hang at its end when a peer is gone.
    public final func setLinger(milliseconds: Int) throws(ZMQError) {
        try set(ZMQ_LINGER, milliseconds, atLeast: 0, "ZMQ_LINGER")
    }

    /// Whole messages queued per peer before a send would block, or is dropped by PUB and XPUB. 0 is without limit.
    ///
    /// Subscribers set it to 0: subscriptions travel as messages, and the publisher never sees those past the mark.
    /// Servers keep it bounded, so that a stalled peer cannot fill the memory.
    public final func setSendHighWaterMark(_ messages: Int) throws(ZMQError) {
        try set(ZMQ_SNDHWM, messages, atLeast: 0, "ZMQ_SNDHWM")
    }

    /// Whole messages queued per peer before reading from it stops. 0 is without limit.
    ///
    /// Must be 0 on a connecting socket that has heartbeats: once the mark is reached libzmq 4.3.4 aborts the process.
    public final func setReceiveHighWaterMark(_ messages: Int) throws(ZMQError) {
        try set(ZMQ_RCVHWM, messages, atLeast: 0, "ZMQ_RCVHWM")
    }

    /// Bytes that the system holds of one connection before the peer has to wait; 0 leaves it to the system, which grows it to megabytes.
    ///
    /// A reader that is slow on purpose sets it, or the system reads for it.
    public final func setReceiveBuffer(bytes: Int) throws(ZMQError) {
        try set(ZMQ_RCVBUF, bytes == 0 ? -1 : bytes, atLeast: -1, "ZMQ_RCVBUF")
    }

    /// Bytes of one frame; a peer that sends more is disconnected. -1 is without limit.
    ///
    /// The limit is per frame, and the high-water mark counts whole messages: a peer that sends frame after frame and
    /// never ends its message is bounded by neither. Only CURVE keeps such a peer out.
    public final func setMaxMessageSize(bytes: Int64) throws(ZMQError) {
        guard bytes >= -1 else { throw .refused("ZMQ_MAXMSGSIZE \(bytes)") }
        try set64(ZMQ_MAXMSGSIZE, bytes, "ZMQ_MAXMSGSIZE")
    }

    /// Queues only for connections that exist; without one a send would block.
    ///
    /// Otherwise sends to a dead endpoint are accepted up to the high-water mark, and lost.
    public final func setImmediate(_ on: Bool) throws(ZMQError) {
        try set(ZMQ_IMMEDIATE, on, "ZMQ_IMMEDIATE")
    }

    /// Connections that may wait to be accepted. The system caps it at net.core.somaxconn.
    ///
    /// libzmq's 100 is too few when thousands of clients come back at once.
    public final func setBacklog(_ connections: Int) throws(ZMQError) {
        try set(ZMQ_BACKLOG, connections, atLeast: 1, "ZMQ_BACKLOG")
    }
}
