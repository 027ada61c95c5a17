import AlertBus
import Dispatch
import Synchronization
import Testing

/// The library as programs use it, against an arbiter in this process.
@Suite(.serialized, .timeLimit(.minutes(1))) struct InterfaceTests {
    @Test func theExampleOfThePopUpManager() async throws {
        let arbiter = try TestArbiter()
        let manager = try AlertManager(surface: "lobby/modal", requests: arbiter.requests)
        let log = Journal()
        manager.show(AlertConfig(identifier: "B", priority: 3)) { _ in
            log.add("show B")
        } onDismiss: { _ in
            log.add("hide B")
        }
        try await eventually("B") { log.lines == ["show B"] }
        try await manager.dismiss()
        try await eventually("the end of B") { log.lines == ["show B", "hide B"] }
        try arbiter.stop()
    }

    @Test func momentsTellCoveredFromFinished() async throws {
        let arbiter = try TestArbiter { configuration in
            configuration.policies.fallback.covered = .hide
            configuration.policies.fallback.activationDelay = 20
        }
        let manager = try AlertManager(surface: "lobby/modal", requests: arbiter.requests)
        let log = Journal()
        let a = Task {
            for await moment in manager.moments(of: AlertConfig(identifier: "A")) { log.add("A \(Self.name(moment))") }
        }
        try await eventually("A") { log.lines == ["A show"] }
        var urgent = AlertConfig(identifier: "B")
        urgent.isIntercept = false
        let b = Task { [urgent] in
            for await moment in manager.moments(of: urgent) { log.add("B \(Self.name(moment))") }
        }
        try await eventually("B over A") { log.lines.count == 3 }
        #expect(Set(log.lines) == ["A show", "A covered", "B show"])
        // A second one of that name is refused by the show closure.
        manager.show(AlertConfig(identifier: "B")) { result in
            if case .failure(let error) = result { log.add("B again \(error.reason?.rawValue ?? "")") }
        }
        try await eventually("the refusal") { log.lines.last == "B again duplicate" }
        try await manager.dismiss("B")
        try await eventually("A again") { log.lines.suffix(2) == ["B finished dismissed", "A show"] }
        let cleared = try await manager.clearCache()
        #expect(cleared == 1)
        try await eventually("the end") { log.lines.last == "A finished cleared" }
        await a.value
        await b.value
        try arbiter.stop()
    }

    private static func name(_ moment: AlertManager.Moment) -> String {
        switch moment {
        case .show: "show"
        case .covered: "covered"
        case .finished(let outcome): "finished \(outcome.reason.rawValue)"
        case .refused(let error): "refused \(error.reason?.rawValue ?? "\(error)")"
        }
    }

    @Test func anAlertThatIsNotKeptIsRefused() async throws {
        let arbiter = try TestArbiter()
        let producer = try Producer(requests: arbiter.requests, name: "p")
        _ = try await producer.raise("lobby/a", "first")
        let error = await #expect(throws: ClientError.self) {
            try await producer.raise("lobby/a", "second", AlertConfig(isActivate: false))
        }
        #expect(error?.reason == .intercepted)
        try arbiter.stop()
    }

    @Test func closuresAreCalledInOrderOnTheQueueOfChoice() async throws {
        let arbiter = try TestArbiter()
        var options = ClientOptions()
        let mark = DispatchSpecificKey<Int>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: mark, value: 42)
        options.callbackQueue = queue
        let producer = try Producer(requests: arbiter.requests, name: "p", options: options)
        let log = Journal()
        producer.raise("lobby/a", "door", AlertConfig(lifetime: .milliseconds(50))) { receipt in
            log.add("\(receipt.event.rawValue) \(DispatchQueue.getSpecific(key: mark) ?? 0)")
        } onCompletion: { result in
            log.add("\((try? result.get())?.reason.rawValue ?? "failed")")
        }
        try await eventually("the end") { log.lines == ["shown 42", "ended 42", "expired"] }
        producer.raise("lobby//a", "door") { log.add("\($0)".contains("empty segment") ? "bad name" : "?") }
        try await eventually("the fault") { log.lines.last == "bad name" }
        try arbiter.stop()
    }

    @Test func updateWithdrawAndStatus() async throws {
        let arbiter = try TestArbiter()
        let producer = try Producer(requests: arbiter.requests, name: "p")
        let screen = try Subscriber(requests: arbiter.requests, "lobby/")
        try await eventually("the screen") { screen.link == .connected }
        let alert = try await producer.raise("lobby/a", "door", AlertConfig(title: "one"))
        let done = try await alert.update(AlertChange(params: ["title": "two"]), revision: 1)
        #expect(done.revision == 2)
        try await eventually("the update") { screen.shown(on: "lobby/a").first?.title == "two" }
        let stale = await #expect(throws: ClientError.self) {
            try await producer.update("lobby/a", "door", AlertChange(priority: 2), revision: 1)
        }
        #expect(stale?.reason == .stale)
        let status = try await producer.status("lobby/a", .key("door"))
        #expect(status.event == .shown)
        try await alert.withdraw()
        let outcome = try await within(5, "the outcome") { try await alert.outcome }
        #expect(outcome.reason == .withdrawn)
        try arbiter.stop()
    }

    @Test func anOperatorLooksAndIntervenes() async throws {
        let arbiter = try TestArbiter()
        let producer = try Producer(requests: arbiter.requests, name: "p")
        let operating = try Operator(requests: arbiter.requests)
        let unwatched = try await producer.raise("lobby/a", "door")
        #expect(unwatched.watchers == 0)
        _ = try await producer.raise("lobby/a", "tea")
        let list = try await operating.list("lobby/")
        #expect(list.map(\.key) == ["door", "tea"])
        let why = try await operating.why("lobby/a", .key("tea"))
        #expect(why.state == .deferred)
        let held = try await operating.hold("lobby/")
        #expect(held == 1)
        try await operating.dismiss("lobby/a")
        let status = try await operating.status("lobby/a", .key("tea"))
        #expect(status.event == .deferred)
        try await operating.release("lobby/")
        try await eventually("tea") { try await operating.sync("lobby/").first?.shown.map(\.key) == ["tea"] }
        let count = try await operating.clear("/", shown: true)
        #expect(count == 1)
        let empty = await #expect(throws: ClientError.self) { try await operating.dismiss("lobby/a") }
        #expect(empty?.reason == .unknownAlert)
        try arbiter.stop()
    }

    @Test func aFilterAsksForItsDataAndReturnsTheChoice() async throws {
        let arbiter = try TestArbiter()
        let regions = try Provider(requests: arbiter.requests, name: "regions") { request in
            #expect(request?["country"]?.string == "se")
            return [["id": 1, "name": "North"], ["id": 2, "name": "South"]]
        }
        let houses = try Provider(requests: arbiter.requests, name: "houses") { _ in [["id": "h7"]] }
        let screen = try Subscriber(requests: arbiter.requests, "lobby/")
        try await eventually("everybody") { screen.link == .connected && regions.link == .connected && houses.link == .connected }
        let producer = try Producer(requests: arbiter.requests, name: "page")
        let choice = Task {
            try await producer.ask(
                "lobby/a", "filter", sources: [DataSource("regions", request: ["country": "se"], selected: [2]), "houses"])
        }
        try await eventually("the filter") { screen.shown(on: "lobby/a").count == 1 }
        let alert = screen.shown(on: "lobby/a")[0]
        #expect(alert.rows(of: "regions").map(\.isSelected) == [false, true])
        try await screen.answer(alert, on: "lobby/a", ["selected": ["regions": [1, 2], "houses": ["h7"]]])
        let selection = try await within(5, "the choice") { try await choice.value }
        #expect(selection["regions"] == [1, 2])
        #expect(selection["houses"] == ["h7"])
        #expect(selection["departments"] == [])
        try arbiter.stop()
    }

    @Test func aProviderThatFailsSaysWhy() async throws {
        struct Broken: Error, CustomStringConvertible { var description: String { "the registry is closed" } }
        let arbiter = try TestArbiter()
        let provider = try Provider(requests: arbiter.requests, name: "regions") { _ in throw Broken() }
        let producer = try Producer(requests: arbiter.requests, name: "page")
        try await eventually("the provider") { provider.link == .connected }
        let error = await #expect(throws: ClientError.self) {
            try await producer.ask("lobby/a", "filter", sources: ["regions"])
        }
        #expect(error?.reason == .loadFailed)
        #expect("\(error!)".contains("the registry is closed"))
        try arbiter.stop()
    }

    @Test func aLoadThatNobodyWaitsForIsCancelled() async throws {
        let arbiter = try TestArbiter()
        let log = Journal()
        let provider = try Provider(requests: arbiter.requests, name: "slow") { _ in
            log.add("begins")
            do { try await Task.sleep(for: .seconds(60)) } catch { log.add("cancelled") }
            return []
        }
        let producer = try Producer(requests: arbiter.requests, name: "page")
        try await eventually("the provider") { provider.link == .connected }
        let alert = try await producer.raise("lobby/a", "filter", AlertConfig(sources: ["slow"]))
        #expect(alert.accepted.state == .loading)
        try await eventually("the load") { log.lines == ["begins"] }
        try await alert.withdraw()
        try await eventually("the cancellation") { log.lines == ["begins", "cancelled"] }
        try arbiter.stop()
    }

    @Test func anObserverFollowsTheFeed() async throws {
        let arbiter = try TestArbiter(feed: "tcp://127.0.0.1:*")
        let feed = try #require(arbiter.feed)
        let observer = try Observer(feed: feed, requests: arbiter.requests, scopes: ["lobby/"])
        let producer = try Producer(requests: arbiter.requests, name: "p")
        try await eventually("the feed") { observer.link == .connected }
        for number in 0..<30 {
            var config = AlertConfig()
            config.isIntercept = false
            _ = try await producer.raise("lobby/a", "k\(number)", config)
            if number % 3 == 0 { try await producer.withdraw("lobby/a", "k\(number)") }
        }
        try await eventually("the same screen") { observer.shown(on: "lobby/a").count == 20 }
        try arbiter.stop()
    }

    @Test func eventsBeginWithTheStateOfNow() async throws {
        let arbiter = try TestArbiter()
        let screen = try Subscriber(requests: arbiter.requests, "lobby/")
        let producer = try Producer(requests: arbiter.requests, name: "p")
        _ = try await producer.raise("lobby/a", "door")
        try await eventually("the alert") { screen.link == .connected && screen.shown(on: "lobby/a").count == 1 }
        let events = screen.events.makeAsyncIterator()
        #expect(await events.next() == .link(.connected))
        guard case .show("lobby/a", let alert, nil)? = await events.next() else { throw TimeoutError(what: "the show") }
        #expect(alert.key == "door")
        try await producer.withdraw("lobby/a", "door")
        #expect(await events.next() == .hide(surface: "lobby/a", alert, .withdrawn))
        screen.close()
        try arbiter.stop()
    }

    @Test func whatWaitsWhenAClientIsClosedHearsSo() async throws {
        let producer = try Producer(requests: "tcp://127.0.0.1:1")
        let log = Journal()
        producer.raise("lobby/a", "door") { log.add($0 == .failure(.closed) ? "closed" : "?") }
        producer.close()
        try await eventually("the news") { log.lines == ["closed"] }
        let late = await #expect(throws: ClientError.self) { try await producer.raise("lobby/a", "door") }
        #expect(late == .closed)
    }
}

/// Lines that closures of any queue write.
final class Journal: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
}
