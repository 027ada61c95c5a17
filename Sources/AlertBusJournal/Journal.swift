import Glibc
import Synchronization

/// A journal with a thread of its own. Nothing that is asked of it blocks, except `use` and `close`.
///
/// Requests are carried out in the order in which they are submitted. What has arrived while a commit was on its way is
/// the next commit. Completions wait until they are taken; a descriptor and a closure tell that there are some.
public final class Journal: Sendable {
    private let queue: JournalQueue
    private let thread = Mutex<pthread_t?>(nil)

    /// Starts the thread and opens the store on it. Returns when that is done.
    ///
    /// - Parameters:
    ///   - onCompletion: called on the journal's thread when the first completion waits. Short, and it must not block.
    ///   - open: makes the store, on the journal's thread.
    /// - Throws: what `open` throws.
    public init(
        onCompletion: (@Sendable () -> Void)? = nil, open: @escaping @Sendable () throws(JournalError) -> any JournalStore
    ) throws(JournalError) {
        let queue = try JournalQueue(onCompletion: onCompletion)
        self.queue = queue
        let opened = Answer<Result<Void, JournalError>>(try EventDescriptor())
        let started = startThread {
            do throws(JournalError) {
                var worker = JournalWorker(store: try open(), queue: queue)
                opened.give(.success(()))
                worker.run()
            } catch {
                opened.give(.failure(error))
            }
        }
        guard let started else { throw JournalError(.inputOutput, detail: "no thread could be started") }
        thread.withLock { $0 = started }
        do throws(JournalError) {
            try opened.take().get()
        } catch {
            join()
            throw error
        }
    }

    deinit { close() }

    /// Readable while completions wait: for the caller's poll.
    public var completionDescriptor: Int32 { queue.completionDescriptor }

    /// What was finished since the last call, in order.
    public func takeCompletions() -> [JournalCompletion] { queue.takeCompletions() }

    /// Appends batches as one unit. More may be submitted before this one is committed, each expecting the head after it.
    /// - Returns: false when the journal is closed; there will be no completion then. So for all that follow.
    @discardableResult
    public func append(_ token: JournalToken, expected: JournalHead, batches: [JournalBatch]) -> Bool {
        queue.submit(.append(token, expected: expected, batches))
    }

    /// Raises the epoch.
    @discardableResult
    public func beginEpoch(_ token: JournalToken, expected: JournalHead, time: Int64) -> Bool {
        queue.submit(.epoch(token, expected: expected, time: time))
    }

    /// Finds out what became of an append that was `unknown`.
    @discardableResult
    public func settle(_ token: JournalToken, expected: JournalHead, batches: [JournalBatch]) -> Bool {
        queue.submit(.settle(token, expected: expected, batches))
    }

    /// Finds out whether the storage takes writes (again).
    @discardableResult
    public func probe(_ token: JournalToken) -> Bool { queue.submit(.probe(token)) }

    /// Stores a snapshot, in pieces between commits.
    @discardableResult
    public func storeSnapshot(_ token: JournalToken, _ content: SnapshotContent) -> Bool {
        queue.submit(.snapshot(token, content))
    }

    /// Uses the store on the journal's thread and waits for the result: for recovery, and for tools. Not from a callback.
    public func use<Value: Sendable>(
        _ body: @escaping @Sendable (any JournalStore) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let answer = Answer<Result<Value, JournalError>>(try EventDescriptor())
        let isAccepted = queue.submit(
            .use { store in
                answer.give(Result { () throws(JournalError) in try body(store) })
            })
        guard isAccepted else { throw JournalError(.closed, detail: "it is closed") }
        return try answer.take().get()
    }

    /// Carries out what was submitted, closes the store, and waits for the thread to end. Not from a callback.
    public func close() {
        queue.startClosing()
        join()
    }

    private func join() {
        let ended = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let ended { pthread_join(ended, nil) }
    }
}
