import AlertBus

/// The page that wants to know what a person chooses. It loads nothing and draws nothing.
enum Page {
    /// The lists, with what was selected before.
    static let lists = [
        DataSource("regions", selected: [2]), DataSource("departments", selected: ["sales"]),
        DataSource("houses", request: ["region": 2], selected: [22]),
    ]

    static func run() async throws {
        let page = try Producer(requests: FilterExample.bus, name: "page")
        let chosen = try await page.ask(FilterExample.surface, "filter", sources: lists, title: "Filter")
        report(chosen)
    }

    /// The same without waiting: one completion, on a queue of the library.
    static func runWithClosure() async throws {
        let page = try Producer(requests: FilterExample.bus, name: "page")
        await withCheckedContinuation { done in
            page.ask(FilterExample.surface, "filter", sources: lists, title: "Filter") { result in
                switch result {
                case .success(let chosen): report(chosen)
                case .failure(let error): FilterExample.fail("\(error)", code: 1)
                }
                done.resume()
            }
        }
    }

    private static func report(_ chosen: Selection) {
        for list in lists {
            FilterExample.say("\(list.name): \(chosen[list.name].map(\.text).joined(separator: ", "))")
        }
    }
}
