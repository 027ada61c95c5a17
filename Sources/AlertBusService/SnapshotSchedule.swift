import AlertBusCore
import AlertBusJournal
import AlertBusModel

/// When the state is saved, so that the journal stays short and a start stays quick.
///
/// The state is a value: a copy of it is taken at once and cheaply, and is encoded on another thread while the arbiter goes on.
struct SnapshotSchedule {
    /// Commands between two snapshots, at least.
    var every = 100_000
    /// Bytes between two snapshots, at most.
    var bytes = 256 << 20

    private var commands: UInt64 = 0
    private var size = 0
    private var isBusy = false
    private var pending: (token: JournalToken, position: UInt64, time: Milliseconds, state: Arbiter)?
    private(set) var count = 0
    private(set) var lastFault: JournalError?

    mutating func noteBatch(_ batch: JournalBatch, _ arbiter: () -> Arbiter, _ token: JournalToken) {
        commands += batch.count
        size += batch.bytes.count
        guard !isBusy, pending == nil else { return }
        // A large state is saved less often, so that saving stays a small part of the writing.
        guard size >= bytes || commands >= UInt64(every) && commands >= UInt64(arbiter().alertCount) else { return }
        pending = (token, batch.end, batch.time, arbiter())
        commands = 0
        size = 0
    }

    /// Nothing is saved that is not in the journal.
    mutating func committed(_ token: JournalToken, _ journal: Journal) {
        guard let due = pending, due.token.number <= token.number else { return }
        pending = nil
        isBusy = true
        Task.detached(priority: .background) {
            journal.storeSnapshot(due.token, Self.content(of: due.state, position: due.position, time: due.time))
        }
    }

    static func content(of state: Arbiter, position: UInt64, time: Milliseconds) -> SnapshotContent {
        let saved = state.save()
        return SnapshotContent(
            position: position, time: time, digest: Array(Arbiter.digest(of: saved).utf8), bytes: saved)
    }

    /// Inputs that no snapshot contains.
    var hasNews: Bool { commands > 0 }

    /// What a start had to replay counts as well: otherwise a process that is killed often would replay ever more.
    mutating func noteReplayed(_ count: Int) { commands += UInt64(count) }

    mutating func stored(_ result: Result<SnapshotID, JournalError>) {
        isBusy = false
        switch result {
        case .success: count += 1
        case .failure(let error): lastFault = error
        }
    }

    mutating func forget() {
        pending = nil
        commands = 0
        size = 0
    }
}
