import CZeroMQ

// Options about how connections begin, are kept alive, and come back.
extension TransportSocket {
    /// How long a connection may take to finish its handshake, in milliseconds; 0 is without limit. libzmq's own is 30 s.
    ///
    /// A peer that connects and says nothing holds a file descriptor for so long, and so does a client whose ZAP
    /// request is never answered: make it short.
    public final func setHandshakeInterval(milliseconds: Int) throws(ZMQError) {
        try set(ZMQ_HANDSHAKE_IVL, milliseconds, atLeast: 0, "ZMQ_HANDSHAKE_IVL")
    }

    /// The wait before a connection is tried again, in milliseconds, and the bound to which it doubles (0: no doubling).
    ///
    /// The default of 100 ms makes a storm when a server comes back. The back-off starts again at every TCP connect,
    /// so a refused handshake is tried at the base interval: choose the base with that in mind, 500 ms or more, and
    /// add jitter of your own; libzmq adds little.
    public final func setReconnectInterval(milliseconds: Int, maximum: Int = 0) throws(ZMQError) {
        try set(ZMQ_RECONNECT_IVL, milliseconds, atLeast: 1, "ZMQ_RECONNECT_IVL")
        try set(ZMQ_RECONNECT_IVL_MAX, maximum, atLeast: 0, "ZMQ_RECONNECT_IVL_MAX")
    }

    /// Gives up one attempt to connect by TCP after so long, in milliseconds; 0 leaves it to the system (minutes).
    public final func setConnectTimeout(milliseconds: Int) throws(ZMQError) {
        try set(ZMQ_CONNECT_TIMEOUT, milliseconds, atLeast: 0, "ZMQ_CONNECT_TIMEOUT")
    }

    /// Lets the system find half-open TCP connections: after `idle` seconds of silence it probes every `interval`
    /// seconds, and gives up after `count` probes.
    ///
    /// A peer whose host vanished sends no end; without this its connection stays for ever.
    public final func setTCPKeepalive(idle: Int, interval: Int, count: Int) throws(ZMQError) {
        try set(ZMQ_TCP_KEEPALIVE, 1, "ZMQ_TCP_KEEPALIVE")
        try set(ZMQ_TCP_KEEPALIVE_IDLE, idle, atLeast: 1, "ZMQ_TCP_KEEPALIVE_IDLE")
        try set(ZMQ_TCP_KEEPALIVE_INTVL, interval, atLeast: 1, "ZMQ_TCP_KEEPALIVE_INTVL")
        try set(ZMQ_TCP_KEEPALIVE_CNT, count, atLeast: 1, "ZMQ_TCP_KEEPALIVE_CNT")
    }

    /// ZMTP heartbeats: a ping every `interval` milliseconds, the connection ends when none is answered in `timeout`,
    /// and the peer is told to end it after `ttl` of silence (0: not told). They also find a peer whose process hangs.
    ///
    /// Two traps: a connecting socket whose receive high-water mark is reached aborts the process (set the mark to 0
    /// there, or do without), and one very big message can outlast the timeout.
    ///
    /// - Throws: `invalidArgument` for a ttl over 65,535 ms: libzmq would wrap it to something short.
    public final func setHeartbeat(interval: Int, timeout: Int, ttl: Int = 0) throws(ZMQError) {
        guard ttl <= 65_535 else { throw .refused("ZMQ_HEARTBEAT_TTL \(ttl)") }
        try set(ZMQ_HEARTBEAT_TTL, ttl, atLeast: 0, "ZMQ_HEARTBEAT_TTL")
        try set(ZMQ_HEARTBEAT_TIMEOUT, timeout, atLeast: 0, "ZMQ_HEARTBEAT_TIMEOUT")
        try set(ZMQ_HEARTBEAT_IVL, interval, atLeast: 0, "ZMQ_HEARTBEAT_IVL")
    }

    /// Allows IPv6 addresses; IPv4 still works. Off in libzmq unless set, even for a bind to `[::1]`.
    public final func setIPv6(_ on: Bool) throws(ZMQError) {
        try set(ZMQ_IPV6, on, "ZMQ_IPV6")
    }
}
