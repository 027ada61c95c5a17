import AlertBusModel
import Glibc

enum ClientThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread of its own, which ends with `run`. Sockets belong to threads, so each connection has one.
    ///
    /// - Returns: the errno when the system has no thread left, else 0.
    static func start(_ run: @escaping @Sendable () -> Void) -> CInt {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let result = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        if result != 0 { body.release() }
        return result
    }

    /// Milliseconds since some point; never runs backwards.
    static func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
