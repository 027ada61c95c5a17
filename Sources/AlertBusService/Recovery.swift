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
            result = try journal.use { store throws(JournalError) in try Replay.run(store, until: end) }
        } catch {
            throw ServiceError.journal(error)
        }
        switch result {
        case .success(let replay):
            return Recovery(arbiter: replay.arbiter, journal: journal, head: head, replayed: replay.count)
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

/// Brings a core to the state that a journal describes: the newest snapshot, and what follows it.
public struct Replay: Sendable {
    public struct Fault: Error, Sendable {
        public var position: UInt64
        public var detail: String
    }

    public var arbiter: Arbiter
    /// Entries that were replayed after the snapshot.
    public var count = 0

    /// The state that an empty journal means. The rules come with its first entries.
    static var beginning: Arbiter { Arbiter(policies: PolicySet(), limits: Limits(), epoch: 0) }

    public static func run(
        _ store: any JournalReading, until end: UInt64
    ) throws(JournalError) -> Result<Replay, Fault> {
        var replay = Replay(arbiter: beginning)
        var position: UInt64 = 0
        if let newest = try store.snapshots().first {
            let bytes = try store.readSnapshot(newest.id)
            guard Array(Arbiter.digest(of: bytes).utf8) == newest.digest else {
                return .failure(Fault(position: newest.position, detail: "the snapshot's digest does not match its state"))
            }
            do throws(StateFault) {
                replay.arbiter = try Arbiter(saved: bytes)
            } catch {
                return .failure(Fault(position: newest.position, detail: "\(error)"))
            }
            position = newest.position
        }
        let reader = InputReader()
        var effects: [Effect] = []
        while position < end {
            let records = try store.read(from: position, maximumBytes: 8 << 20)
            guard !records.isEmpty else {
                return .failure(Fault(position: position, detail: "the journal ends before its head \(end)"))
            }
            for record in records {
                for (place, bytes) in record.batch.entries where place >= position {
                    do throws(InputReader.Fault) {
                        let entry = try reader.read(bytes)
                        effects.removeAll(keepingCapacity: true)
                        replay.arbiter.step(entry.input, at: entry.time, into: &effects)
                    } catch {
                        return .failure(Fault(position: place, detail: error.detail))
                    }
                    replay.count += 1
                }
                position = max(position, record.batch.end)
            }
        }
        return .success(replay)
    }
}
