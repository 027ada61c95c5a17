/// Why a test cannot go on.
package struct Failure: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}

/// Looks again and again until something is so, or throws when it takes too long.
package func poll(seconds: Int, _ what: @autoclosure () -> String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        if ContinuousClock.now > end { throw Failure("\(seconds) s were not enough for \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
