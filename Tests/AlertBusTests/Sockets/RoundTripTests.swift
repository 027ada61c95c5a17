import AlertBus
import Testing

@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
    @Test func aProducerASubscriberAndAnAnswer() async throws {
        let arbiter = try TestArbiter()
        let screen = try Subscriber(requests: arbiter.requests, "lobby/")
        try await eventually("the screen to connect") { screen.link == .connected }
        let producer = try Producer(requests: arbiter.requests, name: "gate")
        let handle = try await producer.raise("lobby/a", "door", AlertConfig(title: "Door open", priority: 3))
        #expect(handle.accepted.state == .shown)
        #expect(handle.watchers == 1)
        try await eventually("the alert on the screen") { screen.shown(on: "lobby/a").count == 1 }
        let alert = try #require(screen.shown(on: "lobby/a").first)
        #expect(alert.title == "Door open")
        try await screen.answer(alert, on: "lobby/a", ["button": "open"])
        let outcome = try await within(5, "the outcome") { try await handle.outcome }
        #expect(outcome.reason == .answered)
        #expect(outcome.answer?["button"]?.string == "open")
        try await eventually("the empty screen") { screen.shown(on: "lobby/a").isEmpty }
        #expect(screen.repairs.total == 0)
        try arbiter.stop()
    }

    @Test func nobodyAnswers() async throws {
        var options = ClientOptions()
        options.timeout = .milliseconds(300)
        let producer = try Producer(requests: "tcp://127.0.0.1:1", options: options)
        await #expect(throws: ClientError.noArbiter(endpoint: "tcp://127.0.0.1:1", after: 300)) {
            try await producer.raise("lobby/a", "door")
        }
    }
}
