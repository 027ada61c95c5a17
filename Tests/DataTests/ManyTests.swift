import AlertBus
import Synchronization
import Testing

/// Many alerts with data at the same time, with the library on all sides.
@Suite("A thousand at once", .timeLimit(.minutes(5)))
struct ManyTests {
    @Test func everyAlertGetsItsDataAndItsAnswer() async throws {
        let arbiter = try LocalArbiter()
        let count = 1000
        var providers: [Provider] = []
        for (name, delay) in [("regions", 1), ("departments", 5), ("houses", 20), ("houses", 1)] {
            providers.append(
                try Provider(requests: arbiter.requests, name: name) { request in
                    try await Task.sleep(for: .milliseconds(delay))
                    return [["id": 1], ["id": request ?? "none"]]
                })
        }
        let wrong = Mutex<[String]>([])
        let screen = try Subscriber(requests: arbiter.requests, "s/")
        let answering = Task {
            for await event in screen.events {
                guard case .show(let surface, let alert, _) = event else { continue }
                let own = alert.rows(of: "houses").last
                if own?.isSelected != true || alert.data.count != 3 { wrong.withLock { $0.append(surface) } }
                try await screen.answer(
                    alert, on: surface, selected: ["houses": own.map { [$0.id] } ?? [], "regions": [1]], action: "ok")
            }
        }
        for provider in providers { try await eventually("a provider") { provider.link == .connected } }
        try await eventually("the screen") { screen.link == .connected }
        var options = ClientOptions()
        options.timeout = .seconds(180)
        let page = try Producer(requests: arbiter.requests, name: "page", options: options)
        let chosen = try await within(200, "all answers") {
            try await withThrowingTaskGroup(of: (Int, Selection).self) { group in
                for index in 0..<count {
                    group.addTask {
                        let house = JSONValue.string("house-\(index)")
                        let sources = [
                            DataSource("regions", timeout: .seconds(180)), DataSource("departments", timeout: .seconds(180)),
                            DataSource("houses", request: house, selected: [house], timeout: .seconds(180)),
                        ]
                        return (index, try await page.ask("s/\(index)", "filter", sources: sources))
                    }
                }
                return try await group.reduce(into: [Int: Selection]()) { $0[$1.0] = $1.1 }
            }
        }
        answering.cancel()
        #expect(chosen.count == count)
        #expect(chosen.allSatisfy { $0.value["houses"] == [.string("house-\($0.key)")] && $0.value.action == "ok" })
        #expect(wrong.withLock { $0 } == [])
        #expect(screen.shown(on: "s/0").isEmpty)
    }
}
