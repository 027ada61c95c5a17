import AlertBus
import Testing
import ZeroMQ

/// Who is not let in hears it soon, instead of waiting for nothing.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AuthorisationTests {
    /// A bare ROUTER with CURVE that admits the keys it is told.
    private final class Gate: Sendable {
        let endpoint: String
        let serverKey: CurvePublicKey
        private let stop = TestArbiter.Ended()
        private let ended = TestArbiter.Ended()

        init(admitting key: CurvePublicKey?) throws {
            let keys = try CurveKeyPair.generate()
            serverKey = keys.publicKey
            let (stop, ended) = (stop, ended)
            let started = Journal()
            startThread {
                do {
                    let context = try Context()
                    let handler = try ZAPHandler(context)
                    let router = try RouterSocket(context)
                    try router.setCurveServer(secretKey: keys.secretKey)
                    try router.setZAPDomain("bus")
                    try router.bind(.tcp(host: "127.0.0.1", port: 0))
                    started.add(try router.lastEndpoint())
                    let poller = Poller()
                    _ = poller.add(handler.socket)
                    while !stop.isSet {
                        _ = try poller.wait(milliseconds: 20)
                        _ = try handler.answerPending { $0.publicKey == key ? .admit(userID: "x") : .refuse("not listed") }
                    }
                } catch { Issue.record("the gate failed: \(error)") }
                ended.set()
            }
            try poll("the gate") { !started.lines.isEmpty }
            endpoint = started.lines[0]
        }

        func close() throws {
            stop.set()
            try poll("the gate to close") { ended.isSet }
        }
    }

    private func expectTurnedAway(_ endpoint: String, _ security: Security?) async throws {
        var options = ClientOptions()
        options.security = security
        options.timeout = .seconds(30)
        let producer = try Producer(requests: endpoint, options: options)
        let start = milliseconds()
        let error = await #expect(throws: ClientError.self) { try await producer.raise("lobby/a", "door") }
        guard case .notAuthorised(endpoint, _)? = error else {
            Issue.record("expected not authorised, got \(error.map { "\($0)" } ?? "nothing")")
            return
        }
        #expect(milliseconds() - start < 2000)
    }

    @Test func aKeyThatIsNotListed() async throws {
        let gate = try Gate(admitting: nil)
        try await expectTurnedAway(gate.endpoint, Security(keys: try .generate(), serverKey: gate.serverKey))
        try gate.close()
    }

    @Test func aWrongServerKey() async throws {
        let gate = try Gate(admitting: nil)
        try await expectTurnedAway(gate.endpoint, Security(keys: try .generate(), serverKey: CurveKeyPair.generate().publicKey))
        try gate.close()
    }

    @Test func noKeyAtAll() async throws {
        let gate = try Gate(admitting: nil)
        try await expectTurnedAway(gate.endpoint, nil)
        try gate.close()
    }

    @Test func aKeyThatIsListedConnects() async throws {
        let keys = try CurveKeyPair.generate()
        let gate = try Gate(admitting: keys.publicKey)
        var options = ClientOptions()
        options.security = Security(keys: keys, serverKey: gate.serverKey)
        let producer = try Producer(requests: gate.endpoint, options: options)
        try await eventually("the connection") { producer.link == .connected }
        try gate.close()
    }
}
