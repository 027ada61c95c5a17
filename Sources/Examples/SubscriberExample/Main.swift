import AlertBus
import Glibc

/// A screen that draws with `print`: `subscriber-example [SCOPE]`. Whatever gets lost on the way is repaired by the library.
@main
struct SubscriberExample {
    static func main() async throws {
        let scope = CommandLine.arguments.dropFirst().first ?? "lobby/"
        let requests = getenv("ALERTBUS_REQUESTS").map { String(cString: $0) } ?? DefaultEndpoint.requests
        let screen = try Subscriber(requests: requests, scope)

        // The loop is told the state of now first, then each difference. Asking for the next event says that this one is drawn.
        for await event in screen.events {
            switch event {
            case .show(let surface, let alert, _): print("show   \(surface)  \(title(of: alert))")
            case .update(let surface, let alert, _): print("update \(surface)  \(title(of: alert))")
            case .hide(let surface, let alert, let reason):
                print("hide   \(surface)  \(title(of: alert))  \(reason?.rawValue ?? "while nobody listened")")
            case .link(let state): print("link   \(state.rawValue)")
            }
            fflush(nil)
        }
    }

    static func title(of alert: ShownAlert) -> String {
        (try? JSONValue(alert.params))?["title"]?.string ?? alert.key
    }
}
