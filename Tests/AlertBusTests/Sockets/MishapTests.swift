import AlertBus
import Synchronization
import Testing

/// Real sockets: connections that are cut, replies that are lost, arbiters that go and come.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MishapTests {
    /// Quick to come back, and patient.
    private var patient: ClientOptions {
        var options = ClientOptions()
        options.timeout = .seconds(30)
        options.reconnect = .milliseconds(50)
        return options
    }

    @Test func lostRepliesLeadToOneInstance() async throws {
        let arbiter = try TestArbiter()
        let proxy = try Proxy(to: arbiter.requests)
        defer { proxy.close() }
        let producer = try Producer(requests: proxy.endpoint, name: "p", options: patient)
        let operating = try Operator(requests: arbiter.requests)
        try await eventually("the connection") { producer.link == .connected }
        proxy.loseReplies(true)
        let handle = Task { try await producer.raise("lobby/a", "door") }
        try await eventually("the alert at the arbiter") { try await operating.list().count == 1 }
        proxy.cut()
        proxy.loseReplies(false)
        let alert = try await within(20, "the acceptance") { try await handle.value }
        let list = try await operating.list()
        #expect(list.map(\.instance) == [alert.instance])
        try await operating.dismiss("lobby/a")
        let outcome = try await within(5, "the outcome") { try await alert.outcome }
        #expect(outcome.reason == .dismissed)
        try arbiter.stop()
    }

    @Test func anOutcomeThatCameWhileNobodyWasThere() async throws {
        let arbiter = try TestArbiter()
        let proxy = try Proxy(to: arbiter.requests)
        defer { proxy.close() }
        let producer = try Producer(requests: proxy.endpoint, name: "p", options: patient)
        let operating = try Operator(requests: arbiter.requests)
        let alert = try await producer.raise("lobby/a", "door")
        proxy.refuse(true)
        proxy.cut()
        try await eventually("the loss") { producer.link == .reconnecting }
        try await operating.answer("lobby/a", with: ["ok": true])
        proxy.refuse(false)
        let outcome = try await within(20, "the outcome") { try await alert.outcome }
        #expect(outcome.reason == .answered)
        #expect(outcome.answer?["ok"]?.boolean == true)
        var events: [Receipt.Event] = []
        for await receipt in alert.receipts { events.append(receipt.event) }
        #expect(events == [.shown, .ended])
        try arbiter.stop()
    }

    @Test func aScreenThatIsCutOffEndsRight() async throws {
        let arbiter = try TestArbiter()
        let proxy = try Proxy(to: arbiter.requests)
        defer { proxy.close() }
        let faults = ScreenChecker()
        let screen = try Subscriber(requests: proxy.endpoint, scopes: ["lobby/"], options: patient) { faults.draw($0) }
        let producer = try Producer(requests: arbiter.requests, name: "p", options: patient)
        try await eventually("the screen") { screen.link == .connected }
        for round in 0..<6 {
            if round % 2 == 1 { proxy.cut() }
            proxy.delay(milliseconds: round == 4 ? 20 : 0)
            for number in 0..<20 {
                var config = AlertConfig()
                config.isIntercept = false
                _ = try await producer.raise("lobby/\(number % 3)", "k\(round)-\(number)", config)
                if number % 4 == 3 { try await producer.withdraw("lobby/\(number % 3)", "k\(round)-\(number)") }
            }
        }
        let operating = try Operator(requests: arbiter.requests)
        try await eventually("the right screen", within: 20_000) {
            let wanted = try await operating.sync("lobby/")
            return screen.link == .connected
                && wanted.allSatisfy { screen.shown(on: $0.surface) == $0.shown && faults.shown(on: $0.surface) == $0.shown }
        }
        #expect(faults.faults == [])
        #expect(screen.repairs[.reconnected] >= 1)
        try await eventually("the confirmation of what is drawn") {
            let screens = try await operating.listSubscribers("lobby/").last?.screens ?? []
            return !screens.isEmpty && screens.allSatisfy { $0.drawn == $0.sent }
        }
        try arbiter.stop()
    }

    @Test func theArbiterIsStoppedAndAnotherOneStarts() async throws {
        let first = try TestArbiter()
        let faults = ScreenChecker()
        let screen = try Subscriber(requests: first.requests, scopes: ["lobby/"], options: patient) { faults.draw($0) }
        let producer = try Producer(requests: first.requests, name: "p", options: patient)
        try await eventually("the screen") { screen.link == .connected }
        let alert = try await producer.raise("lobby/a", "door", AlertConfig(title: "old"))
        try await eventually("the alert") { screen.shown(on: "lobby/a").count == 1 }
        try first.stop()
        try await eventually("the loss") { screen.link == .reconnecting && producer.link == .reconnecting }
        // The screen stays as it is while there is nobody to say otherwise.
        #expect(screen.shown(on: "lobby/a").count == 1)
        let waiting = Task { try await producer.raise("lobby/b", "bell", AlertConfig(title: "new")) }
        let second = try TestArbiter(requests: first.requests)
        let bell = try await within(20, "the acceptance") { try await waiting.value }
        #expect(bell.accepted.state == .shown)
        // Its journal was memory: the alert is gone, and its producer hears of it.
        let outcome = try await within(20, "the outcome") { try await alert.outcome }
        #expect(outcome.reason == .unknownAlert)
        try await eventually("the new screen", within: 20_000) {
            screen.shown(on: "lobby/a").isEmpty && screen.shown(on: "lobby/b").map(\.title) == ["new"]
                && faults.shown(on: "lobby/b").count == 1
        }
        #expect(faults.faults == [])
        try second.stop()
    }

    @Test func aRelayWithNobodyBehindItIsWaitedFor() async throws {
        let arbiter = try TestArbiter()
        let proxy = try Proxy(to: arbiter.requests)
        defer { proxy.close() }
        proxy.refuse(true)
        let producer = try Producer(requests: proxy.endpoint, name: "p", options: patient)
        let waiting = Task { try await producer.raise("lobby/a", "door") }
        try await eventually("some attempts") { proxy.refused >= 6 }
        proxy.refuse(false)
        let alert = try await within(20, "the acceptance") { try await waiting.value }
        #expect(alert.accepted.state == .shown)
        try arbiter.stop()
    }

    @Test func anArbiterThatFallsSilentIsGivenUp() async throws {
        let arbiter = try TestArbiter()
        let proxy = try Proxy(to: arbiter.requests)
        defer { proxy.close() }
        let screen = try Subscriber(requests: proxy.endpoint, scopes: ["lobby/"], options: patient)
        try await eventually("the screen") { screen.link == .connected }
        proxy.black(true)
        try await eventually("the silence") { screen.link == .reconnecting }
        proxy.black(false)
        // The new connection was made in the dark; its handshake is given up after 5 s.
        proxy.cut()
        try await eventually("the connection", within: 15_000) { screen.link == .connected }
        #expect(screen.repairs[.silence] == 1)
        try arbiter.stop()
    }
}

/// Draws what it is told, and notes what is wrong with it.
final class ScreenChecker: Sendable {
    private struct State {
        var shown: [String: [ShownAlert]] = [:]
        var faults: [String] = []
    }

    private let state = Mutex(State())

    var faults: [String] { state.withLock { $0.faults } }
    func shown(on surface: String) -> [ShownAlert] { state.withLock { $0.shown[surface] ?? [] } }

    func draw(_ event: ScreenEvent) {
        state.withLock { state in
            switch event {
            case .show(let surface, let alert, _):
                if state.shown[surface]?.contains(where: { $0.instance == alert.instance }) == true {
                    state.faults.append("\(alert.key) twice on \(surface)")
                }
            case .update(let surface, let alert, _), .hide(let surface, let alert, _):
                if state.shown[surface]?.contains(where: { $0.instance == alert.instance }) != true {
                    state.faults.append("\(alert.key) is not on \(surface)")
                }
            case .link: break
            }
            event.apply(to: &state.shown)
        }
    }
}
