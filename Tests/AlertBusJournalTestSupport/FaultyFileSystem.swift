import CSQLite
import Glibc
import Synchronization

/// A layer over SQLite's file system whose calls fail on request, and that remembers what was written so that a power
/// cut can be played at any point.
///
/// It is registered with SQLite under `name` for the life of the process.
public final class FaultyFileSystem: Sendable {
    /// The calls that change something on disk.
    public enum Operation: Equatable, Sendable {
        case write(file: String, offset: Int, bytes: [UInt8])
        case truncate(file: String, size: Int)
        case synchronise(file: String)
        /// The kernel reports it and forgets what it could not write.
        case failedSynchronise(file: String)
        case delete(file: String)
    }

    /// Which calls fail, and how.
    public struct Plan: Sendable {
        /// Calls before the first one that fails, counted from when the plan was set.
        public var after: Int
        /// How many fail in a row.
        public var count: Int
        public var errno: Int32
        /// A failing write leaves its first half in the file.
        public var isHalfDone: Bool
        /// Only calls on this file are counted and fail; nil is every file.
        public var file: String?

        public init(after: Int, count: Int = 1, errno: Int32, isHalfDone: Bool = false, file: String? = nil) {
            self.after = after
            self.count = count
            self.errno = errno
            self.isHalfDone = isHalfDone
            self.file = file
        }
    }

    struct State {
        var plan: Plan?
        var calls = 0
        var failed = 0
        var lastErrno: Int32 = 0
        var isRecording = false
        var operations: [Operation] = []
        var failedSynchronisations: [String: Int] = [:]
    }

    private static let registered = Atomic<Int>(0)
    let state = Mutex(State())
    /// For `SQLiteJournal.Options.fileSystem`.
    public let name: String

    public init() {
        name = "faulty-\(Self.registered.add(1, ordering: .relaxed).newValue)"
        register()
    }

    /// Sets what fails from now on; nil lets everything through.
    public func set(_ plan: Plan?) {
        state.withLock {
            $0.plan = plan
            $0.calls = 0
            $0.failed = 0
        }
    }

    /// Calls that could have failed since the plan was set.
    public var calls: Int { state.withLock { $0.calls } }
    /// Calls that did fail since the plan was set.
    public var failed: Int { state.withLock { $0.failed } }

    public func startRecording() {
        state.withLock {
            $0.isRecording = true
            $0.operations = []
        }
    }

    public var operations: [Operation] { state.withLock { $0.operations } }

    func record(_ operation: @autoclosure () -> Operation) {
        state.withLock { if $0.isRecording { $0.operations.append(operation()) } }
    }

    /// How often synchronising a file has failed.
    func failedSynchronisations(of file: String) -> Int { state.withLock { $0.failedSynchronisations[file] ?? 0 } }

    /// In one step with the record, so that nothing comes between the loss and its being known.
    func addFailedSynchronisation(of file: String) -> Int {
        state.withLock { state in
            state.failedSynchronisations[file, default: 0] += 1
            if state.isRecording { state.operations.append(.failedSynchronise(file: file)) }
            return state.failedSynchronisations[file]!
        }
    }

    /// Counts a call.
    /// - Returns: how it fails; nil when it does not.
    /// - Parameter needsSpace: a full disk only fails calls that need some.
    func nextFailure(on file: String, needsSpace: Bool = false) -> Plan? {
        state.withLock { state in
            if let only = state.plan?.file, only != file { return nil }
            defer { state.calls += 1 }
            guard let plan = state.plan, state.calls >= plan.after, state.calls - plan.after < plan.count,
                needsSpace || plan.errno != ENOSPC
            else {
                state.lastErrno = 0
                return nil
            }
            state.failed += 1
            state.lastErrno = plan.errno
            return plan
        }
    }

    private func register() {
        let base = sqlite3_vfs_find(nil)!
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: base.pointee)
        layer.pointee.zName = UnsafePointer(strdup(name))
        layer.pointee.szOsFile = Int32(MemoryLayout<LayeredFile>.size)
        layer.pointee.pNext = nil
        // SQLite keeps it for ever, and so does this reference.
        layer.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
        layer.pointee.xOpen = openLayeredFile
        layer.pointee.xDelete = deleteLayeredFile
        layer.pointee.xGetLastError = { layer, _, _ in
            let injected = fileSystem(layer).state.withLock { $0.lastErrno }
            return injected != 0 ? injected : errno
        }
        sqlite3_vfs_register(layer, 0)
    }
}
