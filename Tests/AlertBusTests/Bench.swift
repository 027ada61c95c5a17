import AlertBus
import AlertBusConfiguration
import AlertBusService
import Glibc
import Synchronization
import TestSupport
import Testing

/// An arbiter inside the test process.
final class TestArbiter: Sendable {
    let requests: String
    let feed: String?
    private let control: ServiceRemote
    private let isRunning: Ended

    final class Ended: Sendable {
        private let ended = Mutex(false)
        func set() { ended.withLock { $0 = true } }
        var isSet: Bool { ended.withLock { $0 } }
    }

    /// - Parameter requests: with port `*` the system chooses one.
    init(
        requests: String = "tcp://127.0.0.1:*", feed: String? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws {
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress(requests)
        configuration.arbiter.feed = try feed.map { try ListenAddress($0) }
        configuration.arbiter.journal = .memory
        change(&configuration)
        let service = try Service(configuration: configuration)
        self.requests = service.requestsEndpoint()
        self.feed = service.feedEndpoint()
        control = service.control
        let ended = Ended()
        isRunning = ended
        let box = Box(service)
        startThread {
            do { try box.take().run() } catch { Issue.record("the arbiter failed: \(error)") }
            ended.set()
        }
    }

    /// Ends the arbiter and waits for its sockets to be closed.
    func stop() throws {
        control.stop()
        try poll("the arbiter to stop") { isRunning.isSet }
    }

    deinit { control.stop() }

    // The service goes to its thread and is never used here again: taken once, under a lock.
    private final class Box: @unchecked Sendable {
        private var service: Service?
        init(_ service: Service) { self.service = service }
        func take() -> Service {
            defer { service = nil }
            return service!
        }
    }
}

struct TimeoutError: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited too long for \(what)" }
}

func startThread(_ body: @escaping @Sendable () -> Void) { TestThread(body).detach() }

func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Looks again and again until something holds, and fails after the deadline.
func poll(_ what: String, within: Int64 = 10_000, _ holds: () throws -> Bool) throws {
    let end = milliseconds() + within
    while try !holds() {
        if milliseconds() > end { throw TimeoutError(what: what) }
        usleep(1000)
    }
}

/// The same for tasks.
func eventually(_ what: String, within: Int64 = 10_000, _ holds: () async throws -> Bool) async throws {
    let end = milliseconds() + within
    while try await !holds() {
        if milliseconds() > end { throw TimeoutError(what: what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Runs something that must not hang.
func within<T: Sendable>(_ seconds: Int, _ what: String, _ body: @escaping @Sendable () async throws -> T) async throws -> T {
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
