import Glibc

struct TimeoutError: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited too long for \(what)" }
}

/// Of a clock that never runs backwards.
func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// Looks again and again until something holds, and fails after the deadline.
func eventually(
    _ what: @autoclosure () -> String, within seconds: Double = 20, _ holds: () async throws -> Bool
) async throws {
    let end = milliseconds() + seconds * 1000
    while try await !holds() {
        if milliseconds() > end { throw TimeoutError(what: what()) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Runs something that must not hang.
func within<T: Sendable>(
    _ seconds: Int, _ what: String, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            throw TimeoutError(what: what)
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
