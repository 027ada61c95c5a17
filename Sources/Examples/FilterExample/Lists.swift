import AlertBus

/// The three lists, each with a process of its own that provides it.
enum Lists {
    static let regions: [JSONValue] = [
        ["id": 1, "name": "North"], ["id": 2, "name": "South"], ["id": 3, "name": "Islands"],
    ]
    static let departments: [JSONValue] = [
        ["id": "sales", "name": "Sales"], ["id": "service", "name": "Service"],
    ]
    static let houses: [JSONValue] = [
        ["id": 11, "name": "Lighthouse", "region": 1], ["id": 21, "name": "Mill", "region": 2],
        ["id": 22, "name": "Orchard", "region": 2], ["id": 31, "name": "Ferry", "region": 3],
    ]

    /// Provides a list for ever, as slowly as it is told.
    static func provide(_ name: String, after delay: Int) async throws {
        let provider = try Provider(requests: FilterExample.bus, name: name) { request in
            try await Task.sleep(for: .milliseconds(delay))
            return try rows(of: name, request)
        }
        for await link in provider.linkStates { FilterExample.say("\(name): \(link)") }
    }

    private static func rows(of name: String, _ request: JSONValue?) throws -> [JSONValue] {
        switch name {
        case "regions": return regions
        case "departments": return departments
        case "houses":
            guard let region = request?["region"] else { return houses }
            return houses.filter { $0["region"] == region }
        default: throw UnknownList(name: name)
        }
    }

    struct UnknownList: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no list \(name)" }
    }
}
