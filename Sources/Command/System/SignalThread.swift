import Glibc

/// Takes signals on a thread of its own, where everything may be called, instead of in handlers, where nearly nothing may.
enum SignalThread {
    /// Keeps signals from every thread that is started from now on. Call it before any thread exists.
    static func block(_ signals: [CInt]) {
        var set = self.set(signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `handle` for each signal that arrives, until the process ends.
    static func start(_ signals: [CInt], _ handle: @escaping @Sendable (CInt) -> Void) {
        let work = Unmanaged.passRetained(Work(signals: signals, handle: handle))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                var set = SignalThread.set(work.signals)
                while true {
                    var signal: CInt = 0
                    if sigwait(&set, &signal) == 0 { work.handle(signal) }
                }
            }, work.toOpaque())
        precondition(error == 0, "pthread_create failed with \(error): the process has no room for one thread")
        pthread_detach(thread)
    }

    private final class Work: Sendable {
        let signals: [CInt]
        let handle: @Sendable (CInt) -> Void

        init(signals: [CInt], handle: @escaping @Sendable (CInt) -> Void) {
            self.signals = signals
            self.handle = handle
        }
    }

    private static func set(_ signals: [CInt]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
