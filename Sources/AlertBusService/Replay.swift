import AlertBusCore
import AlertBusJournal
import AlertBusModel

/// Brings a core to the state that a journal describes: the newest snapshot that is whole, and what follows it.
public struct Replay: Sendable {
    public struct Fault: Error, Sendable {
        public var position: UInt64
        public var detail: String
    }

    public var arbiter: Arbiter
    /// The position of the snapshot that it began with; 0 when that was the beginning of the journal.
    public private(set) var start: UInt64 = 0
    /// Entries that were replayed after the snapshot.
    public private(set) var count = 0
    /// Newer snapshots that are damaged. What they held was replayed from what came before them.
    public private(set) var passedOver: [SnapshotDamage] = []

    /// The state that an empty journal means. The rules come with its first entries.
    static var beginning: Arbiter { Arbiter(policies: PolicySet(), limits: Limits(), epoch: 0) }

    /// - Throws: `corrupt` when no snapshot is whole and the inputs do not reach back to the beginning, or when an input that
    ///   is needed is damaged: nothing that was acknowledged is left out.
    public static func run(
        _ store: any JournalReading, until end: UInt64
    ) throws(JournalError) -> Result<Replay, Fault> {
        var replay = Replay(arbiter: beginning)
        if let fault = try replay.load(store) { return .failure(fault) }
        do throws(JournalError) {
            if let fault = try replay.take(store, until: end) { return .failure(fault) }
        } catch {
            guard let damage = replay.passedOver.first else { throw error }
            var error = error
            error.detail += "; it is needed because the snapshot at \(damage.position) is damaged: \(damage.cause.detail)"
            throw error
        }
        return .success(replay)
    }

    /// Begins with the newest snapshot that is whole.
    private mutating func load(_ store: any JournalReading) throws(JournalError) -> Fault? {
        let oldest = try store.oldestPosition()
        passedOver = try store.damagedSnapshots()
        var firstFault: Fault?
        for snapshot in try store.snapshots() where snapshot.position >= oldest {
            do throws(JournalError) {
                let bytes = try store.readSnapshot(snapshot.id)
                if let detail = restore(bytes, snapshot) {
                    firstFault = firstFault ?? Fault(position: snapshot.position, detail: detail)
                    throw JournalError(.corrupt, detail: detail)
                }
                start = snapshot.position
                // An older one that is damaged was not needed.
                passedOver.removeAll { $0.id.number < snapshot.id.number }
                return nil
            } catch {
                // It cannot even be read: nothing is known of it.
                guard error.kind == .corrupt else { throw error }
                passedOver.append(SnapshotDamage(id: snapshot.id, position: snapshot.position, cause: error))
            }
        }
        if oldest == 0 { return nil }
        passedOver.sort { $0.id.number > $1.id.number }
        if let firstFault, firstFault.position == passedOver.first?.position { return firstFault }
        throw passedOver.first?.cause ?? JournalError(.corrupt, detail: "it has no snapshot to start from")
    }

    /// - Returns: why the state is not the one that was stored; nil when it is.
    private mutating func restore(_ bytes: [UInt8], _ snapshot: SnapshotDescription) -> String? {
        guard Array(Arbiter.digest(of: bytes).utf8) == snapshot.digest else {
            return "the snapshot's digest does not match its state"
        }
        do throws(StateFault) {
            arbiter = try Arbiter(saved: bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private mutating func take(_ store: any JournalReading, until end: UInt64) throws(JournalError) -> Fault? {
        let reader = InputReader()
        var effects: [Effect] = []
        var position = start
        while position < end {
            let records = try store.read(from: position, maximumBytes: 8 << 20)
            guard !records.isEmpty else {
                return Fault(position: position, detail: "the journal ends before its head \(end)")
            }
            for record in records {
                for (place, bytes) in record.batch.entries where place >= position {
                    do throws(InputReader.Fault) {
                        let entry = try reader.read(bytes)
                        effects.removeAll(keepingCapacity: true)
                        arbiter.step(entry.input, at: entry.time, into: &effects)
                    } catch {
                        return Fault(position: place, detail: error.detail)
                    }
                    count += 1
                }
                position = max(position, record.batch.end)
            }
        }
        return nil
    }

    /// One for each snapshot that was passed over, with its place and the cause.
    var warnings: [String] {
        let origin = start == 0 ? "the beginning of the journal" : "the one at position \(start)"
        return passedOver.map { damage in
            let place = damage.cause.path.isEmpty ? "" : " of journal \(damage.cause.path)"
            return """
                The snapshot at position \(damage.position)\(place) is damaged and was passed over: \(damage.cause.detail). The \
                state was replayed from \(origin), and nothing is lost. Look at the kernel's log for errors of the disk.
                """
        }
    }
}
