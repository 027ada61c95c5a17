import Testing
import ZeroMQ

@Suite struct RouterTests {
    let context: Context
    let router: RouterSocket
    let endpoint: Endpoint

    init() throws {
        context = try Context()
        router = try RouterSocket(context)
        endpoint = try router.bindAnywhere()
    }

    @Test func answersADealer() throws {
        let dealer = try DealerSocket(context)
        try dealer.connect(endpoint)
        try dealer.send("question")
        var body = Message()
        guard case .message(let peer, false) = try router.next(into: &body) else {
            Issue.record("not a plain message")
            return
        }
        #expect(body.text == "question")
        #expect(body.peerAddress == "127.0.0.1")
        #expect(try router.send(to: peer, Array("answer".utf8)) == .sent)
        #expect(try dealer.text() == "answer")
        #expect(try router.tryReceive(into: &body) == nil)
    }

    @Test func answersARequestWithItsDelimiter() throws {
        let request = try RequestSocket(context)
        try request.connect(endpoint)
        try request.send("question")
        var body = Message()
        guard case .message(let peer, true) = try router.next(into: &body) else {
            Issue.record("no delimiter seen")
            return
        }
        var answer = try Message("answer")
        #expect(try router.send(to: peer, delimited: true, &answer) == .sent)
        #expect(answer.isEmpty == true)
        #expect(try request.text() == "answer")
    }

    @Test func tellsThatAPeerIsUnknownAndKeepsTheMessage() throws {
        var body = try Message("for nobody")
        #expect(try router.send(to: RoutingID(rawValue: 1), &body) == .unreachable)
        #expect(body.text == "for nobody")
        #expect(try router.send(to: RoutingID(rawValue: 1), Array("x".utf8)) == .unreachable)
    }

    @Test func aPeerThatLeavesBecomesUnreachable() throws {
        let dealer = try DealerSocket(context)
        try dealer.connect(endpoint)
        try dealer.send("hello")
        var body = Message()
        guard case .message(let peer, _) = try router.next(into: &body) else {
            Issue.record("no message")
            return
        }
        dealer.close()
        #expect(try eventually { try router.send(to: peer, []) == .unreachable })
    }

    @Test func aFullPeerWouldBlockAndLosesNothing() throws {
        let small = try RouterSocket(context)
        try small.setSendHighWaterMark(5)
        try small.bind(.inproc(name: "full"))
        let dealer = try DealerSocket(context)
        try dealer.setReceiveHighWaterMark(5)
        try dealer.connect(.inproc(name: "full"))
        try dealer.send("hello")
        var body = Message()
        guard case .message(let peer, _) = try small.next(into: &body) else {
            Issue.record("no message")
            return
        }
        var sent = 0
        var result = RouterSendResult.sent
        while result == .sent && sent < 1_000 {
            result = try small.send(to: peer, delimited: true, Array("\(sent)".utf8))
            if result == .sent { sent += 1 }
        }
        #expect(result == .wouldBlock)
        #expect(sent == 10)
        for number in 0..<sent {
            #expect(try dealer.text() == "")
            #expect(try dealer.text() == "\(number)")
        }
        #expect(try dealer.tryReceive(into: &body) == false)
        #expect(try eventually { try small.send(to: peer, Array("more".utf8)) == .sent })
    }

    @Test func twoDealersNeverShareAnID() throws {
        let dealers = try (0..<50).map { _ in try DealerSocket(context) }
        for dealer in dealers {
            try dealer.connect(endpoint)
            try dealer.send("hello")
        }
        var peers: Set<RoutingID> = []
        var body = Message()
        for _ in dealers {
            guard case .message(let peer, _) = try router.next(into: &body) else { continue }
            peers.insert(peer)
        }
        #expect(peers.count == dealers.count)
    }

    @Test func dropsAMessageOfTooManyFramesWholeAndGoesOn() throws {
        let dealer = try DealerSocket(context)
        try dealer.connect(endpoint)
        for frames in [["a", "b"], ["", "a", "b", "c"], ["", ""]] {
            for (index, frame) in frames.enumerated() { try dealer.send(frame, more: index < frames.count - 1) }
        }
        try dealer.send("good")
        var body = Message()
        guard case .tooManyFrames(let peer, 2) = try router.next(into: &body) else {
            Issue.record("two frames without a delimiter were taken")
            return
        }
        #expect(try router.next(into: &body) == .tooManyFrames(from: peer, count: 4))
        #expect(try router.next(into: &body) == .message(from: peer, delimited: true))
        #expect(try router.next(into: &body) == .message(from: peer, delimited: false))
        #expect(body.text == "good")
    }

    @Test func oneMessageGoesToManyPeersWithoutACopy() throws {
        let dealers = try (0..<3).map { _ in try DealerSocket(context) }
        var peers: [RoutingID] = []
        var body = Message()
        for dealer in dealers {
            try dealer.connect(endpoint)
            try dealer.send("hello")
            guard case .message(let peer, _) = try router.next(into: &body) else { continue }
            peers.append(peer)
        }
        let text = String(repeating: "alert ", count: 100)
        var shared = try SharedBytes(Array(text.utf8)).message()
        for peer in peers { #expect(try router.send(to: peer, sharing: &shared) == .sent) }
        #expect(shared.text == text)
        for dealer in dealers { #expect(try dealer.text() == text) }
    }

    @Test func reportsARoutingIDThatAPeerClaimed() throws {
        // A raw ZMTP 3.0 handshake, NULL mechanism, with an identity of its own and one message.
        let client = try RawClient(endpoint)
        try client.greetAndClaim("me")
        var body = Message()
        #expect(try router.next(into: &body) == .foreignRoutingID(Array("me".utf8)))
        #expect(try router.tryReceive(into: &body) == nil)
        // Closing early, with bytes unread, would reset the connection and lose the message.
        withExtendedLifetime(client) {}
    }

    @Test func aFrameOverTheLimitEndsTheConnection() throws {
        let limited = try RouterSocket(context)
        try limited.setMaxMessageSize(bytes: 100)
        let dealer = try DealerSocket(context)
        let monitor = try Monitor(of: dealer)
        try dealer.connect(try limited.bindAnywhere())
        try dealer.send([UInt8](repeating: 1, count: 101))
        let heard = try monitor.events { $0 == .disconnected }
        #expect(heard.contains(.handshakeSucceeded))
        var body = Message()
        #expect(try limited.tryReceive(into: &body) == nil)
    }
}
