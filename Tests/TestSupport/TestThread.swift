import Glibc

/// A thread of the system: the pool that tests run on has too few to block one.
package final class TestThread {
    private var handle = pthread_t()

    package init(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &handle, nil,
            { argument in
                Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        precondition(result == 0, "no thread could be made")
    }

    /// Waits for its end. Either this or `detach`, exactly once.
    package func join() { pthread_join(handle, nil) }

    /// Nobody waits for its end.
    package func detach() { pthread_detach(handle) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
