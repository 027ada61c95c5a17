import Glibc
import Synchronization

/// Moves committed pages from the log to their place in the file, on a thread of its own with a connection of its own, so
/// that no commit waits for it.
///
/// It does what SQLite calls a passive checkpoint, which needs no lock that a commit needs. The one that owns the store
/// asks for passes and takes their results; the thread starts with the first request, and again with one after `close`.
final class Checkpointer {
    /// What a pass found, and in which generation of the log it was asked for.
    struct Pass {
        var generation: Int
        var found: SQLiteConnection.Checkpoint
    }

    private let path: String
    private let fileSystem: String?
    /// The descriptor of the lock's note, which becomes durable after each pass. The lock outlives the thread.
    private let note: Int32
    private var running: (thread: pthread_t, desk: Desk)?

    init(path: String, fileSystem: String?, note: Int32) {
        self.path = path
        self.fileSystem = fileSystem
        self.note = note
    }

    deinit { close() }

    /// Asks for a pass; one at a time.
    /// - Returns: false when the system has no thread or descriptor left for it.
    func request(generation: Int) -> Bool {
        guard let desk = running?.desk ?? start() else { return false }
        desk.submit(generation)
        return true
    }

    /// A pass was asked for, and is not done.
    var isBusy: Bool { running?.desk.isBusy ?? false }

    /// What the last pass brought; nil when it is not done, or was taken already.
    func takeResult() -> Result<Pass, JournalError>? { running?.desk.takeResult() }

    /// Why the last pass failed, if it did in such a way and nobody has taken it.
    func takeFailure(where isWanted: (JournalError) -> Bool = { _ in true }) -> JournalError? {
        running?.desk.takeFailure(where: isWanted)
    }

    /// Waits until no pass is under way.
    func wait() { running?.desk.wait() }

    /// Waits for the pass that is under way, closes the connection and ends the thread. Results that nobody took are lost.
    func close() {
        guard let ending = running else { return }
        running = nil
        ending.desk.startClosing()
        pthread_join(ending.thread, nil)
    }

    private func start() -> Desk? {
        let desk: Desk
        do throws(JournalError) { desk = try Desk() } catch { return nil }
        let thread = startThread { [path, fileSystem, note] in
            Self.run(desk, path: path, fileSystem: fileSystem, note: note)
        }
        guard let thread else { return nil }
        running = (thread, desk)
        return desk
    }

    private static func run(_ desk: Desk, path: String, fileSystem: String?, note: Int32) {
        var connection: SQLiteConnection?
        while let generation = desk.next() {
            do throws(JournalError) {
                if connection == nil { connection = try open(path, fileSystem) }
                let found = try connection!.checkpoint(.passive)
                // A note that is not durable only proves less.
                _ = fdatasync(note)
                desk.finish(.success(Pass(generation: generation, found: found)))
            } catch {
                // After a failure it starts anew, like the writer.
                connection?.close()
                connection = nil
                desk.finish(.failure(error))
            }
        }
        connection?.close()
    }

    private static func open(_ path: String, _ fileSystem: String?) throws(JournalError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWrite, fileSystem: fileSystem)
        connection.setCheckpointOnClose(false)
        // The log is synchronised before its pages are moved, and the file before the log may be written over.
        try connection.execute("PRAGMA synchronous=FULL", doing: "setting up")
        return connection
    }
}

/// Where the two threads meet: one request at most, and one result.
private final class Desk: Sendable {
    private struct State {
        var generation: Int?
        var isBusy = false
        var isClosing = false
        var result: Result<Checkpointer.Pass, JournalError>?
    }

    private let state = Mutex(State())
    private let work: EventDescriptor
    private let done: EventDescriptor

    init() throws(JournalError) {
        work = try EventDescriptor()
        done = try EventDescriptor()
    }

    var isBusy: Bool { state.withLock { $0.isBusy } }

    func submit(_ generation: Int) {
        let isAccepted = state.withLock { state in
            if state.isBusy { return false }
            state.isBusy = true
            state.generation = generation
            return true
        }
        guard isAccepted else { return }
        done.clear()
        work.signal()
    }

    /// Waits for a request.
    /// - Returns: nil when it is time to end.
    func next() -> Int? {
        while true {
            _ = work.wait(milliseconds: -1)
            work.clear()
            let (generation, isClosing) = state.withLock { state in
                defer { state.generation = nil }
                return (state.generation, state.isClosing)
            }
            if isClosing { return nil }
            if let generation { return generation }
        }
    }

    func finish(_ result: Result<Checkpointer.Pass, JournalError>) {
        state.withLock {
            $0.isBusy = false
            $0.result = result
        }
        done.signal()
    }

    func takeResult() -> Result<Checkpointer.Pass, JournalError>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    func takeFailure(where isWanted: (JournalError) -> Bool) -> JournalError? {
        state.withLock { state in
            guard case .failure(let error)? = state.result, isWanted(error) else { return nil }
            state.result = nil
            return error
        }
    }

    func wait() {
        while isBusy { _ = done.wait(milliseconds: -1) }
    }

    func startClosing() {
        state.withLock { $0.isClosing = true }
        work.signal()
    }
}
