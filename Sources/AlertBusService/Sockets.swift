import AlertBusConfiguration
import ZeroMQ

/// The options of the service's sockets, each with its reason.
enum Sockets {
    /// The most messages that libzmq takes from one peer before they are read.
    static let receiveLimit = 1000

    static func prepare(_ socket: TransportSocket, _ configuration: Configuration) throws(ZMQError) {
        // Ending must not wait for peers that never come back.
        try socket.setLinger(milliseconds: 500)
        // Beyond the limit libzmq cuts the connection without a word; a message somewhat over ours is refused with a reason.
        try socket.setMaxMessageSize(bytes: Int64(configuration.peerLimits.messageBytes) * 4)
        // A handshake that is never finished holds a descriptor.
        try socket.setHandshakeInterval(milliseconds: 10_000)
        // A host that vanished is found by the kernel where heartbeats do not reach (a peer without them).
        try socket.setTCPKeepalive(idle: 30, interval: 10, count: 3)
        // A peer that vanished without closing is found and its queue freed. Below the overflow at 65,535 ms.
        try socket.setHeartbeat(interval: 5000, timeout: 15_000, ttl: 30_000)
        // A start of many clients at once must not be refused by the kernel.
        try socket.setBacklog(1024)
        try socket.setReceiveHighWaterMark(receiveLimit)
    }

    static func prepare(_ router: RouterSocket, _ configuration: Configuration) throws(ZMQError) {
        try prepare(router as TransportSocket, configuration)
        // What a peer does not take is bounded here in messages and behind it in bytes, per peer.
        try router.setSendHighWaterMark(1000)
    }

    static func prepare(_ feed: XPublisherSocket, _ configuration: Configuration) throws(ZMQError) {
        try prepare(feed as TransportSocket, configuration)
        // Observers send nothing but topics, and libzmq keeps each of them. A handshake is smaller, too.
        try feed.setMaxMessageSize(bytes: 1024)
        // The feed may lose for a slow observer; it sees that by the numbers and asks for a snapshot.
        try feed.setSendHighWaterMark(10_000)
    }
}
