import AlertBusCore
import AlertBusJournal
import AlertBusModel

/// Runs a journal again, from the oldest state that it holds, and checks the digest wherever a snapshot says what it was.
///
/// It only reads, so it works while an arbiter writes the journal.
package final class JournalReplay {
    /// One input, or the passing of time before it.
    package struct Step {
        /// Of the entry. For the passing of time the entry that comes next.
        package var position: UInt64
        package var time: Milliseconds
        /// Nil when a clock ran out.
        package var cause: Input?
        package var effects: [Effect]
        /// The newest occurrence before the step.
        package var newestBefore: UInt64
    }

    package struct Fault: Error, Equatable, CustomStringConvertible {
        /// The entry at which it was found.
        package var position: UInt64
        package var message: String
        package var description: String { "position \(position): \(message)" }
    }

    /// What was run.
    package struct Summary: Equatable, Sendable {
        /// The position of the first entry that was run, and the one after the last.
        package var first: UInt64 = 0
        package var end: UInt64 = 0
        package var epoch: UInt64 = 0
        /// The times of the first and the last entry; nil when there was none.
        package var firstTime: Milliseconds?
        package var lastTime: Milliseconds?
        /// Snapshots whose digest was compared, the one it began with included.
        package var checked = 0
        package var digest = ""
        package var alerts = 0
        package var surfaces = 0

        package init() {}
    }

    private let reader: any JournalReading
    private let snapshots: [SnapshotDescription]
    private var due = 0
    private let end: UInt64
    package private(set) var arbiter: Arbiter
    private var summary = Summary()
    private let inputs = InputReader()

    /// Opens the journal and loads the oldest state that it holds.
    package convenience init(path: String) throws {
        try self.init(try SQLiteJournalReader(path: path, contentFormat: InputRecord.format))
    }

    /// The same for a journal that is open.
    package init(_ reader: any JournalReading) throws {
        self.reader = reader
        end = try reader.readHead().position
        if let damage = try reader.damagedSnapshots().first { throw damage.cause }
        let oldest = try reader.oldestPosition()
        snapshots = try reader.snapshots().filter { $0.position >= oldest }.sorted {
            ($0.position, $0.id.number) < ($1.position, $1.id.number)
        }
        arbiter = Replay.beginning
        guard oldest > 0 else { return }
        guard let first = snapshots.first else {
            throw Fault(position: oldest, message: "there is no snapshot from which the entries could be run")
        }
        arbiter = try Self.load(first, reader)
        summary.first = first.position
        summary.checked = 1
        due = 1
    }

    private static func load(_ snapshot: SnapshotDescription, _ reader: any JournalReading) throws -> Arbiter {
        let bytes = try reader.readSnapshot(snapshot.id)
        let digest = Arbiter.digest(of: bytes)
        guard Array(digest.utf8) == snapshot.digest else {
            throw Fault(position: snapshot.position, message: mismatch(snapshot, digest))
        }
        do throws(StateFault) { return try Arbiter(saved: bytes) } catch {
            throw Fault(position: snapshot.position, message: "the snapshot cannot be read: \(error)")
        }
    }

    private static func mismatch(_ snapshot: SnapshotDescription, _ found: String) -> String {
        let expected = String(decoding: snapshot.digest, as: UTF8.self)
        return "the state has digest \(found), but the arbiter had \(expected) there"
    }

    /// Runs everything up to a time.
    ///
    /// - Parameters:
    ///   - until: the time of the last entry that is run; nil is the end of the journal.
    ///   - splitsTime: clocks run out in steps of their own, at their own times, so that a story can name them.
    ///   - visit: hears each step.
    /// - Throws: `Fault` with the position of an entry that cannot be read or of a digest that differs; `JournalError`.
    package func run(
        until: Milliseconds? = nil, splitsTime: Bool = false, visit: (Step) throws -> Void = { _ in }
    ) throws -> Summary {
        var position = summary.first
        summary.end = position
        try check(at: position)
        reading: while position < end {
            let records = try reader.read(from: position, maximumBytes: 4 << 20)
            guard !records.isEmpty else {
                throw Fault(position: position, message: "the journal ends before its head \(end)")
            }
            for record in records {
                for (place, bytes) in record.batch.entries where place >= position && place < end {
                    let entry = try read(bytes, at: place)
                    if let until, entry.time > until { break reading }
                    try step(entry, at: place, splitsTime, visit)
                    summary.end = place + 1
                }
                position = record.batch.end
                try check(at: position)
            }
        }
        if let until { try passTime(to: until, summary.end, visit) }
        summary.epoch = arbiter.epoch
        summary.digest = arbiter.digest()
        summary.alerts = arbiter.alertCount
        summary.surfaces = arbiter.surfaceCount
        return summary
    }

    private func read(_ bytes: ArraySlice<UInt8>, at position: UInt64) throws -> InputReader.Entry {
        do throws(InputReader.Fault) { return try inputs.read(bytes) } catch {
            throw Fault(position: position, message: error.detail)
        }
    }

    private func step(
        _ entry: InputReader.Entry, at position: UInt64, _ splitsTime: Bool, _ visit: (Step) throws -> Void
    ) throws {
        summary.firstTime = summary.firstTime ?? entry.time
        summary.lastTime = max(summary.lastTime ?? entry.time, entry.time)
        // While no arbiter ran no clock was looked at: a start deals with that time itself.
        if splitsTime, !entry.input.isStart { try passTime(to: entry.time, position, visit) }
        try take(entry.input, at: entry.time, position, visit)
    }

    private func passTime(to time: Milliseconds, _ position: UInt64, _ visit: (Step) throws -> Void) throws {
        while let due = arbiter.nextDeadline, due <= time {
            let newest = arbiter.newestInstance
            var effects: [Effect] = []
            arbiter.step(.tick, at: due, into: &effects)
            try visit(Step(position: position, time: arbiter.now, cause: nil, effects: effects, newestBefore: newest))
        }
    }

    private func take(
        _ input: Input, at time: Milliseconds, _ position: UInt64, _ visit: (Step) throws -> Void
    ) throws {
        let newest = arbiter.newestInstance
        var effects: [Effect] = []
        arbiter.step(input, at: time, into: &effects)
        try visit(Step(position: position, time: arbiter.now, cause: input, effects: effects, newestBefore: newest))
    }

    private func check(at position: UInt64) throws {
        while due < snapshots.count, snapshots[due].position <= position {
            let snapshot = snapshots[due]
            due += 1
            guard snapshot.position == position else {
                throw Fault(position: snapshot.position, message: "a snapshot lies within a batch")
            }
            let digest = arbiter.digest()
            guard Array(digest.utf8) == snapshot.digest else {
                throw Fault(position: position, message: Self.mismatch(snapshot, digest))
            }
            try checkBytes(of: snapshot)
            summary.checked += 1
        }
    }
}

extension JournalReplay {
    /// Whether a start could load it.
    private func checkBytes(of snapshot: SnapshotDescription) throws {
        do throws(JournalError) { _ = try reader.readSnapshot(snapshot.id) } catch {
            // An arbiter that writes meanwhile may have deleted it.
            if case .missing = error.kind { return }
            throw error
        }
    }
}

extension Input {
    var isStart: Bool {
        if case .started = self { true } else { false }
    }
}
