import Testing
import ZeroMQ

@Suite struct RoleTests {
    let context: Context

    init() throws { context = try Context() }

    @Test func requestAndReply() throws {
        let reply = try ReplySocket(context)
        let request = try RequestSocket(context)
        try request.connect(try reply.bindAnywhere())
        try request.send("question")
        #expect(try reply.text() == "question")
        try reply.send("answer")
        #expect(try request.text() == "answer")
    }

    @Test func aSecondRequestBeforeTheReplyIsRefusedUnlessRelaxed() throws {
        let reply = try ReplySocket(context)
        let endpoint = try reply.bindAnywhere()
        let strict = try RequestSocket(context)
        try strict.connect(endpoint)
        try strict.send("1")
        #expect(throws: ZMQError.wrongState) { try strict.send("2") }
        let relaxed = try RequestSocket(context)
        try relaxed.setRelaxed(true)
        try relaxed.connect(endpoint)
        try relaxed.send("1")
        try relaxed.send("2")
        #expect(try reply.text() == "1")
    }

    @Test func pairOverInproc() throws {
        let left = try PairSocket(context)
        try left.bind(.inproc(name: "pair"))
        let right = try PairSocket(context)
        try right.connect(.inproc(name: "pair"))
        var message = try Message("there")
        try left.sendMore(&message)
        try left.send("and back")
        let first = try right.receive()
        #expect(first.text == "there")
        #expect(first.more == true)
        let second = try right.receive()
        #expect(second.text == "and back")
        #expect(second.more == false)
    }

    @Test func aDealerWithoutAPeerWouldBlock() throws {
        let dealer = try DealerSocket(context)
        var message = try Message("kept")
        #expect(try dealer.trySend(&message) == false)
        #expect(message.text == "kept")
        #expect(try dealer.trySend(Array("x".utf8)) == false)
        #expect(try dealer.tryReceive(into: &message) == false)
    }

    @Test func aDealerWithADeadEndpointWouldBlockOnlyWhenImmediate() throws {
        let gone = try RouterSocket(context)
        let endpoint = try gone.bindAnywhere()
        gone.close()
        let careless = try DealerSocket(context)
        try careless.connect(endpoint)
        #expect(try careless.trySend(Array("lost".utf8)))
        let careful = try DealerSocket(context)
        try careful.setImmediate(true)
        try careful.connect(endpoint)
        #expect(try careful.trySend(Array("kept".utf8)) == false)
    }

    @Test func aDealerStopsAtTheHighWaterMark() throws {
        let dealer = try DealerSocket(context)
        try dealer.setSendHighWaterMark(7)
        try dealer.connect(.tcp(host: "127.0.0.1", port: 1))
        var sent = 0
        while sent < 100, try dealer.trySend(Array("x".utf8)) { sent += 1 }
        #expect(sent == 7)
    }

    @Test func aProbeAnnouncesTheConnection() throws {
        let router = try RouterSocket(context)
        let dealer = try DealerSocket(context)
        try dealer.setProbeRouter(true)
        try dealer.connect(try router.bindAnywhere())
        var body = Message()
        guard case .message(_, delimited: false) = try router.next(into: &body) else {
            Issue.record("no probe")
            return
        }
        #expect(body.isEmpty == true)
    }

    @Test func subscribersGetTheirTopics() throws {
        let publisher = try XPublisherSocket(context)
        let endpoint = try publisher.bindAnywhere()
        let subscriber = try SubscriberSocket(context)
        try subscriber.connect(endpoint)
        try subscriber.subscribe("lobby/")
        var change: SubscriptionChange?
        #expect(
            try eventually {
                change = try publisher.tryReceiveSubscription()
                return change != nil
            })
        #expect(change == .subscribed(topic: Array("lobby/".utf8)))
        #expect(try publisher.publish(topic: Array("cellar/x/".utf8), Array("no".utf8)))
        #expect(try publisher.publish(topic: Array("lobby/x/".utf8), Array("yes".utf8)))
        #expect(try subscriber.text() == "lobby/x/")
        #expect(try subscriber.text() == "yes")
        try subscriber.unsubscribe("lobby/")
        #expect(
            try eventually {
                change = try publisher.tryReceiveSubscription()
                return change != nil
            })
        #expect(change == .unsubscribed(topic: Array("lobby/".utf8)))
    }

    @Test func aPublisherServesAPlainSubscription() throws {
        let publisher = try PublisherSocket(context)
        let endpoint = try publisher.bindAnywhere()
        let subscriber = try SubscriberSocket(context)
        try subscriber.subscribe("")
        try subscriber.connect(endpoint)
        // The subscription travels: publish until it has arrived.
        var message = Message()
        #expect(
            try eventually {
                _ = try publisher.publish(topic: Array("t".utf8), Array("b".utf8))
                return try subscriber.tryReceive(into: &message)
            })
        #expect(message.text == "t")
    }

    @Test func everySubscriptionOfManyArrives() throws {
        let publisher = try XPublisherSocket(context)
        let endpoint = try publisher.bindAnywhere()
        let subscriber = try SubscriberSocket(context)
        for number in 0..<3_000 { try subscriber.subscribe("topic/\(number)/") }
        try subscriber.connect(endpoint)
        var topics: Set<[UInt8]> = []
        #expect(
            try eventually {
                while case .subscribed(let topic)? = try publisher.tryReceiveSubscription() { topics.insert(topic) }
                return topics.count == 3_000
            })
    }

    @Test func verboseTellsRepeatedSubscriptions() throws {
        let publisher = try XPublisherSocket(context)
        try publisher.setVerbose(true)
        let endpoint = try publisher.bindAnywhere()
        let subscribers = try (0..<2).map { _ in try SubscriberSocket(context) }
        for subscriber in subscribers {
            try subscriber.subscribe("same")
            try subscriber.connect(endpoint)
        }
        var count = 0
        #expect(
            try eventually {
                while try publisher.tryReceiveSubscription() != nil { count += 1 }
                return count == 2
            })
    }

    @Test func withoutDropAFullSubscriberIsTold() throws {
        let publisher = try XPublisherSocket(context)
        try publisher.setSendHighWaterMark(3)
        try publisher.setNoDrop(true)
        try publisher.bind(.inproc(name: "feed"))
        let subscriber = try SubscriberSocket(context)
        try subscriber.setReceiveHighWaterMark(3)
        try subscriber.subscribe("")
        try subscriber.connect(.inproc(name: "feed"))
        #expect(try eventually { try publisher.tryReceiveSubscription() != nil })
        var sent = 0
        while sent < 100, try publisher.publish(topic: Array("t".utf8), Array("\(sent)".utf8)) { sent += 1 }
        #expect(sent == 6)
        for number in 0..<sent {
            #expect(try subscriber.text() == "t")
            #expect(try subscriber.text() == "\(number)")
        }
        var rest = Message()
        #expect(try subscriber.tryReceive(into: &rest) == false)
    }
}
