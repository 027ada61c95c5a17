import AlertBusConfiguration
import AlertBusModel
import AlertBusService
import Foundation
import Synchronization
import Testing

/// An arbiter on a thread of the test process.
final class LocalArbiter: Sendable {
    let requests: String
    private let control: ServiceRemote

    init(_ change: (inout Configuration) -> Void = { _ in }) throws {
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress("tcp://127.0.0.1:*")
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = .memory
        change(&configuration)
        let service = try Service(configuration: configuration)
        requests = service.requestsEndpoint()
        control = service.control
        let box = Box(service)
        Thread.detachNewThread {
            do { try box.take().run() } catch { Issue.record("the arbiter failed: \(error)") }
        }
    }

    deinit { control.stop() }

    // The service goes to its thread and is never used here again: taken once, before anybody else can.
    private final class Box: @unchecked Sendable {
        private var service: Service?
        init(_ service: Service) { self.service = service }
        func take() -> Service {
            defer { service = nil }
            return service!
        }
    }
}
