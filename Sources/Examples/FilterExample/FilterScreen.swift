import AlertBus
import Synchronization

/// A screen of text: prints the filter, takes choices from standard input, sends the answer.
///
///     regions 3       chooses, and loads the houses of that region
///     houses 31
///     ok              answers
final class FilterScreen: Sendable {
    private struct State {
        var alert: ShownAlert?
        /// What the person chose, by list; what is not in it is as it was selected.
        var chosen: [String: [JSONValue]] = [:]
    }

    private let screen: Subscriber
    private let state = Mutex(State())

    init() throws { screen = try Subscriber(requests: FilterExample.bus, FilterExample.surface) }

    func run() async throws {
        // Reading a line blocks, so it has a task of its own that is never waited for.
        Task.detached { [self] in
            while let line = readLine() { await obey(line.split(separator: " ").map(String.init)) }
        }
        for await event in screen.events { draw(event) }
    }

    private func draw(_ event: ScreenEvent) {
        switch event {
        case .show(_, let alert, _):
            state.withLock { $0 = State(alert: alert) }
            FilterExample.say("show \(alert.key) \(alert.presentation ?? ""): \(lists(of: alert))")
        case .update(_, let alert, let reason):
            state.withLock { $0.alert = alert }
            FilterExample.say("update \(reason?.rawValue ?? ""): \(lists(of: alert))")
        case .hide(_, let alert, let reason):
            state.withLock { $0.alert = nil }
            FilterExample.say("hide \(alert.key) \(reason?.rawValue ?? "")")
        case .link(let link): FilterExample.say("screen: \(link)")
        }
    }

    /// `regions 1 [2] 3`: what is selected stands in brackets.
    private func lists(of alert: ShownAlert) -> String {
        Page.lists.map { list in
            let rows = alert.rows(of: list.name).map { $0.isSelected ? "[\($0.id.text)]" : $0.id.text }
            return ([list.name] + rows).joined(separator: " ")
        }.joined(separator: ", ")
    }

    private func obey(_ words: [String]) async {
        guard let first = words.first, let alert = state.withLock({ $0.alert }) else { return }
        do {
            if first == "ok" {
                try await screen.answer(alert, on: FilterExample.surface, selected: selection(of: alert), action: "ok")
            } else {
                let ids = words.dropFirst().compactMap { try? JSONValue(parsing: $0) }
                state.withLock { $0.chosen[first] = ids }
                guard first == "regions", let region = ids.first else { return }
                try await screen.refresh(alert, on: FilterExample.surface, source: "houses", request: ["region": region])
            }
        } catch {
            FilterExample.say("not done: \(error)")
        }
    }

    private func selection(of alert: ShownAlert) -> KeyValuePairs<String, [JSONValue]> {
        let chosen = state.withLock { $0.chosen }
        func ids(_ list: String) -> [JSONValue] {
            chosen[list] ?? alert.rows(of: list).filter(\.isSelected).map(\.id)
        }
        return ["regions": ids("regions"), "departments": ids("departments"), "houses": ids("houses")]
    }
}
