import Testing
import ZeroMQ

@Suite struct OptionTests {
    let context: Context
    let dealer: DealerSocket

    init() throws {
        context = try Context()
        dealer = try DealerSocket(context)
    }

    @Test func allAreAcceptedByTheLibrary() throws {
        try dealer.setLinger(milliseconds: 0)
        try dealer.setSendHighWaterMark(0)
        try dealer.setReceiveHighWaterMark(0)
        try dealer.setMaxMessageSize(bytes: -1)
        try dealer.setMaxMessageSize(bytes: 1 << 40)
        try dealer.setImmediate(true)
        try dealer.setBacklog(4_096)
        try dealer.setHandshakeInterval(milliseconds: 5_000)
        try dealer.setReconnectInterval(milliseconds: 500, maximum: 30_000)
        try dealer.setConnectTimeout(milliseconds: 2_000)
        try dealer.setTCPKeepalive(idle: 10, interval: 5, count: 3)
        try dealer.setHeartbeat(interval: 1_000, timeout: 3_000, ttl: 65_000)
        try dealer.setIPv6(true)
        let reply = try ReplySocket(context)
        try dealer.connect(try reply.bindAnywhere())
        // A DEALER plays the part of a REQ by hand.
        try dealer.send("", more: true)
        try dealer.send("works")
        #expect(try reply.text() == "works")
        try reply.setZAPDomain("bus")
        try reply.setZAPEnforceDomain(true)
    }

    @Test func valuesThatDoNotFitAreErrors() throws {
        #expect(throws: ZMQError.invalidArgument) { try dealer.setLinger(milliseconds: -1) }
        #expect(throws: ZMQError.invalidArgument) { try dealer.setSendHighWaterMark(1 << 40) }
        #expect(throws: ZMQError.invalidArgument) { try dealer.setHeartbeat(interval: 1, timeout: 1, ttl: 65_536) }
        #expect(throws: ZMQError.invalidArgument) { try dealer.setReconnectInterval(milliseconds: 0) }
        #expect(throws: ZMQError.invalidArgument) { try dealer.setMaxMessageSize(bytes: -2) }
    }

    @Test func anErrorSaysTheCallTheSubjectAndTheCause() throws {
        let router = try RouterSocket(context)
        let endpoint = try router.bindAnywhere()
        let second = try RouterSocket(context)
        do {
            try second.bind(endpoint)
            Issue.record("two sockets on one port")
        } catch {
            guard case .library(let error) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error == .addressInUse)
            #expect(error.call == "zmq_bind")
            #expect(error.subject == endpoint.description)
            #expect(error.description.hasPrefix("zmq_bind \(endpoint): Address already in use (errno 98); another"))
        }
        #expect(
            ZMQError.terminated.description == "Context was terminated (errno 156384765); the context was shut down")
        #expect(ZMQError.wrongState.message == "Operation cannot be accomplished in current state")
        #expect(ZMQError(rawValue: 5) == ZMQError(rawValue: 5))
    }

    @Test func unbindAndDisconnect() throws {
        let router = try RouterSocket(context)
        let endpoint = try router.bindAnywhere()
        try dealer.connect(endpoint)
        try dealer.disconnect(endpoint)
        #expect(throws: ZMQError.noSuchFile) { try dealer.disconnect(endpoint) }
        try router.unbind(endpoint)
        let next = try RouterSocket(context)
        #expect(
            try eventually {
                do {
                    try next.bind(endpoint)
                    return true
                } catch {
                    if error as? BindError == .library(.addressInUse) { return false }
                    throw error
                }
            })
    }
}
