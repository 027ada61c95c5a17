import Glibc
import Synchronization

/// A thread of the system: the pool that tests run on has too few to block one.
final class Thread {
    private var handle = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &handle, nil,
            { argument in
                Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        precondition(result == 0, "no thread could be made")
    }

    /// Waits for its end. To be called exactly once.
    func join() { pthread_join(handle, nil) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// Up until it is lowered.
final class Flag: Sendable {
    private let up = Atomic<Bool>(true)
    var isUp: Bool { up.load(ordering: .acquiring) }
    func lower() { up.store(false, ordering: .releasing) }
}
