import Testing
import ZeroMQ

@Suite(.enabled(if: CurveKeyPair.isAvailable)) struct CurveTests {
    let context: Context
    let serverKeys: CurveKeyPair
    let clientKeys: CurveKeyPair

    init() throws {
        context = try Context()
        serverKeys = try CurveKeyPair.generate()
        clientKeys = try CurveKeyPair.generate()
    }

    func server() throws -> RouterSocket {
        let router = try RouterSocket(context)
        try router.setCurveServer(secretKey: serverKeys.secretKey)
        try router.setZAPDomain("bus")
        try router.setZAPEnforceDomain(true)
        return router
    }

    func client(serverKey: CurvePublicKey) throws -> DealerSocket {
        let dealer = try DealerSocket(context)
        try dealer.setCurveClient(keys: clientKeys, serverKey: serverKey)
        return dealer
    }

    /// Serves the handler until the monitor has heard something that fits.
    func hear(
        _ monitor: Monitor, _ handler: ZAPHandler?, _ decision: ZAPDecision, until last: (MonitorEvent.Kind) -> Bool
    ) throws -> [ZAPRequest] {
        var requests: [ZAPRequest] = []
        var heard: [MonitorEvent.Kind] = []
        let found = try eventually {
            _ = try handler?.answerPending {
                requests.append($0)
                return decision
            }
            try monitor.drain { heard.append($0.kind) }
            return heard.contains(where: last)
        }
        #expect(found, "heard \(heard)")
        return requests
    }

    @Test func aKnownKeyIsAdmittedAndNamed() throws {
        let handler = try ZAPHandler(context)
        let router = try server()
        let endpoint = try router.bindAnywhere()
        let dealer = try client(serverKey: serverKeys.publicKey)
        let monitor = try Monitor(of: dealer)
        try dealer.connect(endpoint)
        let requests = try hear(monitor, handler, .admit(userID: "gate-7")) { $0 == .handshakeSucceeded }
        #expect(
            requests == [
                ZAPRequest(domain: "bus", address: "127.0.0.1", mechanism: "CURVE", publicKey: clientKeys.publicKey)
            ])
        try dealer.send("hello")
        var body = Message()
        _ = try router.next(into: &body)
        #expect(body.userID == "gate-7")
    }

    @Test func aRefusalIsHeardAsStatus400() throws {
        let handler = try ZAPHandler(context)
        let router = try server()
        let endpoint = try router.bindAnywhere()
        let dealer = try client(serverKey: serverKeys.publicKey)
        let monitor = try Monitor(of: dealer)
        try dealer.connect(endpoint)
        let requests = try hear(monitor, handler, .refuse("not listed")) { $0 == .authenticationFailed(status: 400) }
        #expect(requests.count == 1)
    }

    @Test func aWrongServerKeyIsHeard() throws {
        let handler = try ZAPHandler(context)
        let router = try server()
        let serverMonitor = try Monitor(of: router)
        let endpoint = try router.bindAnywhere()
        let dealer = try client(serverKey: clientKeys.publicKey)
        let monitor = try Monitor(of: dealer)
        try dealer.connect(endpoint)
        let requests = try hear(monitor, handler, .admit(userID: "x")) {
            switch $0 {
            case .handshakeFailed, .handshakeProtocolError: true
            default: false
            }
        }
        #expect(requests.isEmpty)
        _ = try serverMonitor.events { $0 == .handshakeProtocolError(.cryptographic) }
    }

    @Test func withoutAHandlerTheEnforcedDomainRefuses() throws {
        let router = try server()
        let serverMonitor = try Monitor(of: router)
        let endpoint = try router.bindAnywhere()
        let dealer = try client(serverKey: serverKeys.publicKey)
        try dealer.connect(endpoint)
        let heard = try serverMonitor.events {
            switch $0 {
            case .handshakeFailed, .handshakeProtocolError, .authenticationFailed, .handshakeSucceeded: true
            default: false
            }
        }
        #expect(!heard.contains(.handshakeSucceeded))
    }

    @Test func aClientWithoutCurveIsRefused() throws {
        let handler = try ZAPHandler(context)
        let router = try server()
        let endpoint = try router.bindAnywhere()
        let dealer = try DealerSocket(context)
        let monitor = try Monitor(of: dealer)
        try dealer.connect(endpoint)
        _ = try hear(monitor, handler, .admit(userID: "x")) {
            switch $0 {
            case .handshakeFailed, .handshakeProtocolError: true
            default: false
            }
        }
        var body = Message()
        #expect(try router.tryReceive(into: &body) == nil)
    }

    @Test func keysGoThroughTheirTextForm() throws {
        #expect(CurvePublicKey(z85: clientKeys.publicKey.z85) == clientKeys.publicKey)
        #expect(CurveSecretKey(bytes: clientKeys.secretKey.bytes) == clientKeys.secretKey)
        #expect(try CurveKeyPair(secretKey: clientKeys.secretKey) == clientKeys)
        #expect(clientKeys.publicKey != serverKeys.publicKey)
    }

    @Test func aSecretIsNotPrinted() {
        let secret = clientKeys.secretKey
        var dumped = ""
        dump(clientKeys, to: &dumped)
        for text in ["\(secret)", "\(clientKeys)", String(reflecting: secret), dumped] {
            #expect(!text.contains(secret.z85))
            #expect(!text.contains("\(secret.bytes[0]), \(secret.bytes[1])"))
        }
    }

    @Test(arguments: [
        "", "short", String(repeating: "a", count: 41), String(repeating: "\"", count: 40),
        "#####" + String(repeating: "a", count: 35), String(repeating: "é", count: 20),
    ])
    func textThatIsNoKeyIsRefused(text: String) {
        #expect(CurvePublicKey(z85: text) == nil)
        #expect(CurveSecretKey(z85: text) == nil)
    }

    @Test func z85FollowsItsSpecification() {
        #expect(Z85.encode([0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b]) == "HelloWorld")
        #expect(Z85.decode("HelloWorld") == [0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b])
        #expect(Z85.encode([1, 2, 3]) == nil)
        #expect(Z85.encode([]) == nil)
    }
}
