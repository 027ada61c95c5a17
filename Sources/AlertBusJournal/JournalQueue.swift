import Synchronization

/// What lies between the threads that ask and the one that owns the store.
final class JournalQueue: Sendable {
    private struct State {
        var requests: [JournalRequest] = []
        var completions: [JournalCompletion] = []
        var isClosing = false
    }

    private let state = Mutex(State())
    private let work: EventDescriptor
    private let done: EventDescriptor
    private let onCompletion: (@Sendable () -> Void)?

    /// Readable while completions wait.
    var completionDescriptor: Int32 { done.descriptor }

    init(onCompletion: (@Sendable () -> Void)?) throws(JournalError) {
        work = try EventDescriptor()
        done = try EventDescriptor()
        self.onCompletion = onCompletion
    }

    /// - Returns: false when the journal is closing; the request is dropped then.
    @discardableResult
    func submit(_ request: JournalRequest) -> Bool {
        let (wasEmpty, isClosing) = state.withLock { state in
            if state.isClosing { return (false, true) }
            state.requests.append(request)
            return (state.requests.count == 1, false)
        }
        if wasEmpty { work.signal() }
        return !isClosing
    }

    func startClosing() {
        state.withLock { $0.isClosing = true }
        work.signal()
    }

    /// Everything that was asked since the last call, in order.
    /// - Returns: nil when the journal is closing and nothing is left.
    func takeRequests() -> [JournalRequest]? {
        work.clear()
        return state.withLock { state in
            if state.isClosing {
                if state.requests.isEmpty { return nil }
                // The next call has to come too, and say that this was the last.
                work.signal()
            }
            var taken: [JournalRequest] = []
            swap(&taken, &state.requests)
            return taken
        }
    }

    /// Waits for work.
    /// - Returns: whether there is some; false when the time has passed.
    func waitForRequests(milliseconds: Int32) -> Bool { work.wait(milliseconds: milliseconds) }

    func complete(_ completions: [JournalCompletion]) {
        if completions.isEmpty { return }
        let wasEmpty = state.withLock { state in
            defer { state.completions += completions }
            return state.completions.isEmpty
        }
        if wasEmpty {
            done.signal()
            onCompletion?()
        }
    }

    func takeCompletions() -> [JournalCompletion] {
        done.clear()
        return state.withLock { state in
            var taken: [JournalCompletion] = []
            swap(&taken, &state.completions)
            return taken
        }
    }
}
