import AlertBusConfiguration
import AlertBusCore
import AlertBusJournal
import AlertBusModel

/// What a start finds: the state that the journal holds, and the time after its newest input.
struct Recovery: Sendable {
    var arbiter: Arbiter
    var journal: Journal?
    var head = JournalHead()
    /// Entries that were replayed.
    var replayed = 0
    /// What the operator has to know although the start succeeded.
    var warnings: [String] = []

    /// Opens the journal, takes the lead in it, and replays what it holds.
    static func open(
        _ configuration: Configuration, opening: @escaping StoreOpening = openSQLite
    ) throws(ServiceError) -> Recovery {
        // Without a journal the clock is what rises from start to start.
        let epoch = UInt64(max(1, ServiceClock().now()))
        let result: Result<Replay, Replay.Fault>
        let journal: Journal
        let head: JournalHead
        do throws(JournalError) {
            guard let path = try journalPath(configuration) else {
                return Recovery(
                    arbiter: Arbiter(policies: configuration.policies, limits: configuration.limits, epoch: epoch))
            }
            (journal, head) = try lead(path, configuration, opening)
            let end = head.position
            result = try journal.use { store throws(JournalError) in
                let result = try Replay.run(store, until: end)
                // From now on it counts no more for what is kept.
                if case .success(let replay) = result {
                    for damage in replay.passedOver { try store.discardSnapshot(damage.id) }
                }
                return result
            }
        } catch {
            throw ServiceError.journal(error)
        }
        switch result {
        case .success(let replay):
            return Recovery(
                arbiter: replay.arbiter, journal: journal, head: head, replayed: replay.count, warnings: replay.warnings)
        case .failure(let fault): throw ServiceError.recovery(position: fault.position, fault.detail)
        }
    }

    /// Makes the store of a journal, on the journal's thread.
    typealias StoreOpening =
        @Sendable (_ path: String, SQLiteJournal.Options) throws(JournalError) -> any JournalStore

    @Sendable private static func openSQLite(
        _ path: String, _ options: SQLiteJournal.Options
    ) throws(JournalError) -> any JournalStore {
        try SQLiteJournal(path: path, options: options)
    }

    private static func journalPath(_ configuration: Configuration) throws(JournalError) -> String? {
        switch configuration.arbiter.journal {
        case .memory: nil
        case .stateDirectory: try JournalPath.standard()
        case .file(let path): path
        }
    }

    private static func retention(_ settings: JournalSettings) -> Retention {
        Retention(
            snapshots: settings.keepSnapshots,
            history: .init(
                bytes: settings.maxBytes > 0 ? settings.maxBytes : nil,
                age: settings.maxAgeDays > 0 ? Int64(settings.maxAgeDays) * 86_400_000 : nil))
    }

    /// Opens a journal and begins a new epoch in it, so that whoever led before is not heard any more.
    private static func lead(
        _ path: String, _ configuration: Configuration, _ opening: @escaping StoreOpening
    ) throws(JournalError) -> (Journal, JournalHead) {
        var options = SQLiteJournal.Options()
        options.retention = retention(configuration.journal)
        options.contentFormat = InputRecord.format
        options.time = ServiceClock().now()
        let chosen = options
        let journal = try Journal { () throws(JournalError) in try opening(path, chosen) }
        let outcome = try journal.use { store throws(JournalError) in
            store.beginEpoch(expected: store.head, time: chosen.time)
        }
        switch outcome {
        case .committed(let head): return (journal, head)
        case .failed(let error), .unknown(let error): throw error
        case .conflict(let head):
            throw JournalError(.invalid, path: path, detail: "the lead could not be taken at \(head)")
        }
    }
}
