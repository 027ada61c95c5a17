import Glibc
import Synchronization

/// A value that one thread gives and another waits for, once.
final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let event: EventDescriptor

    init(_ event: consuming EventDescriptor) { self.event = event }

    func give(_ given: Value) {
        value.withLock { $0 = given }
        event.signal()
    }

    func take() -> Value {
        while true {
            if let given = value.withLock({ $0 }) { return given }
            _ = event.wait(milliseconds: -1)
        }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread that takes no signals, so that they reach the thread that handles them.
/// - Returns: nil when the system has no thread left.
func startThread(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        }, body.toOpaque())
    if code == 0 { return thread }
    body.release()
    return nil
}
