import ZeroMQ

/// An arbiter that is served on the thread of its clients, a turn at a time.
///
/// Its clients reach it inside the process, so that no other thread and no network has a part in what a turn costs: two runs with the same
/// messages do the same, and a profiler can count it.
package struct ServiceTurns {
    private let service: Service
    private let sources: Service.Sources
    private static let endpoint = Endpoint.inproc(name: "turns")

    /// - Parameter service: one that nobody runs.
    package init(_ service: Service) throws(BindError) {
        self.service = service
        try service.router.bind(Self.endpoint)
        sources = Service.Sources(service)
        service.begin()
    }

    /// A new connection.
    package func connect() throws(ZMQError) -> DealerSocket {
        let client = try DealerSocket(service.context)
        try client.connect(Self.endpoint)
        return client
    }

    /// Waits for something to do, and does it.
    package func turn() throws(ZMQError) { _ = try service.turn(sources) }
}
