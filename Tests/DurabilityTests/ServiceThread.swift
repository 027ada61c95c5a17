import AlertBusConfiguration
import AlertBusJournal
import AlertBusService
import Synchronization
import Testing

/// An arbiter on a thread of this process, with a store that the test chose.
final class ServiceThread {
    let address: String
    private let control: ServiceRemote
    private let threads = Threads()
    private let reported = Reports()

    final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    init(
        journal: String, address: String, change: (inout Configuration) -> Void = { _ in },
        opening: @escaping @Sendable (String, SQLiteJournal.Options) throws(JournalError) -> any JournalStore
    ) throws {
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress(address)
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = .file(path: journal)
        configuration.policies.fallback.activationDelay = 0
        change(&configuration)
        let service = try Service(configuration: configuration, opening: opening)
        let reported = self.reported
        service.onReport = { reported.add($0) }
        self.address = service.requestsEndpoint()
        control = service.control
        let box = Box(service)
        threads.start {
            do { try box.take().run() } catch { reported.add("ended: \(error)") }
        }
    }

    /// What it told its operator.
    var reports: [String] { reported.all }

    func stop() {
        control.stop()
        threads.join()
    }

    deinit { stop() }

    // The service goes to its thread and is never used here again: taken once, before anything else touches it.
    private final class Box: @unchecked Sendable {
        private var service: Service?
        init(_ service: Service) { self.service = service }
        func take() -> Service {
            defer { service = nil }
            return service!
        }
    }
}
