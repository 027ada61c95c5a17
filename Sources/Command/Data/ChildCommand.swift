import AlertBusModel
import Glibc
import Synchronization

/// One run of a shell command: input in, output out, within a time.
final class ChildCommand: Sendable {
    private struct State {
        /// Not reaped yet, so that its number, and that of its group, belong to nobody else.
        var process: pid_t?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let command: String
    private let input: [UInt8]
    private let limit: Milliseconds

    /// Far more than the arbiter takes in one message.
    private static let outputLimit = 64 << 20
    /// How often a run that writes nothing looks whether it was cancelled.
    private static let glance: Milliseconds = 100

    init(_ command: String, input: [UInt8], _ limit: Milliseconds) {
        self.command = command
        self.input = input
        self.limit = limit
    }

    /// Kills the command and all its children that stayed in its group.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let process = state.process { kill(-process, SIGKILL) }
        }
    }

    /// Waits for the end. Blocks its thread.
    func run() throws(RowFault) -> [UInt8] {
        let deadline = SystemClock.monotonic() + limit
        if state.withLock({ $0.isCancelled }) { throw RowFault("nobody waits for the command any more") }
        let pipes = try ChildPipes.spawn(command) { process in state.withLock { $0.process = process } }
        var exchange = ChildExchange(pipes, input: input)
        let fault = move(&exchange, until: deadline)
        exchange.close()
        if let fault {
            cancel()
            _ = reap(until: .max)
            throw fault
        }
        guard let status = reap(until: deadline) else {
            cancel()
            _ = reap(until: .max)
            throw late
        }
        if status != 0 { throw failure(status, exchange.lastErrorLine) }
        return exchange.output
    }

    /// Moves input and output until both of its outputs have ended.
    private func move(_ exchange: inout ChildExchange, until deadline: Milliseconds) -> RowFault? {
        while !exchange.isOver {
            let left = deadline - SystemClock.monotonic()
            if left <= 0 { return late }
            if state.withLock({ $0.isCancelled }) { return RowFault("nobody waits for the command any more") }
            exchange.step(milliseconds: min(left, Self.glance))
            if exchange.output.count > Self.outputLimit {
                return RowFault("the command wrote more than \(Self.outputLimit) bytes")
            }
        }
        return nil
    }

    private var late: RowFault { RowFault("the command did not end within \(TimeText.text(limit))") }

    /// - Returns: the status; nil when the time is over.
    private func reap(until deadline: Milliseconds) -> CInt? {
        while true {
            let status = state.withLock { state -> CInt? in
                guard let process = state.process else { return 0 }
                var status: CInt = 0
                if waitpid(process, &status, WNOHANG) == 0 {
                    if state.isCancelled { kill(-process, SIGKILL) }
                    return nil
                }
                state.process = nil
                return status
            }
            if let status { return status }
            if SystemClock.monotonic() >= deadline { return nil }
            // It has closed its outputs, so its end is near; a signal for that would have to be shared by all threads.
            _ = poll(nil, 0, 2)
        }
    }

    private func failure(_ status: CInt, _ line: String) -> RowFault {
        let signal = status & 0x7F
        let how = signal == 0 ? "ended with \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
        return RowFault("the command \(how)" + (line.isEmpty ? "" : ": \(line)"))
    }
}
