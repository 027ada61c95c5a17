import AlertBusConfiguration
import AlertBusService
import Glibc
import Synchronization

/// What the signals of a running arbiter do.
final class ArbiterControl: Sendable {
    private let source: ConfigurationSource
    private let remote: ServiceRemote
    /// What the arbiter started with: its addresses and journal stay until it ends.
    private let first: Configuration
    private let isStopping = Mutex(false)

    init(source: ConfigurationSource, remote: ServiceRemote, _ configuration: Configuration) {
        self.source = source
        self.remote = remote
        first = configuration
    }

    /// Runs on the signals' own thread.
    func received(_ signal: CInt) {
        if signal == SIGHUP { return reload() }
        let isSecond = isStopping.withLock { stopping in
            defer { stopping = true }
            return stopping
        }
        // Somebody insists: what is not in the journal yet was not acknowledged either.
        if isSecond { _exit(128 + signal) }
        remote.stop()
    }

    private func reload() {
        guard let path = source.path else {
            StandardError.line("alertbus arbiter: there is no configuration file to read again (--config)")
            return
        }
        do throws(CommandFailure) {
            let fresh = try source.read()
            remote.reload(fresh)
            StandardError.line("alertbus arbiter: \(path) was read again")
            if fresh.arbiter != first.arbiter {
                StandardError.line("alertbus arbiter: changes in [arbiter] take effect at the next start")
            }
        } catch {
            StandardError.line("alertbus arbiter: \(error.message)\nthe rules stay as they were")
        }
    }
}
