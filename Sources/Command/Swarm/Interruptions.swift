import Glibc
import Synchronization

/// Counts SIGINT and SIGTERM. From the third one on nobody is waited for.
final class Interruptions: Sendable {
    private let counter = Atomic<Int>(0)
    private let child = Atomic<pid_t>(0)

    init() {
        let signals = [SIGINT, SIGTERM]
        SignalThread.block(signals)
        SignalThread.start(signals) { signal in self.received(signal) }
    }

    var count: Int { counter.load(ordering: .relaxed) }

    /// A child that must not outlive this process, however it ends.
    func kill(_ process: pid_t) { child.store(process, ordering: .relaxed) }

    private func received(_ signal: CInt) {
        guard counter.add(1, ordering: .relaxed).newValue > 2 else { return }
        let process = child.load(ordering: .relaxed)
        if process > 0 { _ = Glibc.kill(process, SIGKILL) }
        _exit(128 + signal)
    }
}
