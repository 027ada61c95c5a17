import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusService
import Glibc
import Testing

/// Each system call of a short run fails once, in the arbiter's own journal.
@Suite(.serialized)
struct ServiceFaultTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var errno: Int32
        var isHalfDone = false
        /// How many calls fail in a row.
        var count: Int
        var testDescription: String { "errno \(errno), half done \(isHalfDone), \(count) in a row" }
    }

    @Test(arguments: [
        Kind(errno: EIO, count: 1), Kind(errno: ENOSPC, isHalfDone: true, count: .max), Kind(errno: EIO, count: 5),
        Kind(errno: EIO, isHalfDone: true, count: .max),
    ])
    func eachCallFails(_ kind: Kind) throws {
        var failures = 0
        // Two threads write, so two runs are not call by call the same: the end is where twice nothing was left to fail.
        var position = 0
        var untouched = 0
        while untouched < 2 {
            let failed = try failOneRun(kind, at: position)
            failures += failed
            untouched = failed == 0 ? untouched + 1 : 0
            position += 1
            try #require(position < 1000, "a short run came to no end")
        }
        #expect(position > 35 && failures > 35)
    }

    /// Snapshots are stored and pages are moved a moment after the last answer: they are part of the run.
    private func waitForFailureOrQuiet(_ faulty: FaultyFileSystem) throws {
        var calls = -1
        var since = milliseconds()
        try poll("the journal to be tidy") {
            if faulty.calls != calls { (calls, since) = (faulty.calls, milliseconds()) }
            return faulty.failed > 0 || milliseconds() > since + 60
        }
    }

    /// - Returns: how many calls failed.
    private func failOneRun(_ kind: Kind, at position: Int) throws -> Int {
        let comment: Comment = "call \(position)"
        let faulty = FaultyFileSystem()
        let name = faulty.name
        let directory = JournalDirectory()
        let service = try ServiceThread(
            journal: directory.journal, address: "ipc://\(directory.directory)/requests",
            // Snapshots and housekeeping are part of the run.
            change: { $0.journal.snapshotEvery = 4 }
        ) { path, options throws(JournalError) in
            var options = options
            options.fileSystem = name
            // And so is moving the log.
            options.checkpointPages = 8
            return try SQLiteJournal(path: path, options: options)
        }
        let run = try FaultyRun(service.address, comment)
        faulty.set(.init(after: position, count: kind.count, errno: kind.errno, isHalfDone: kind.isHalfDone))
        do { try run.work("k") } catch {
            Issue.record("\(comment): \(error); \(service.reports)")
            return 0
        }
        try waitForFailureOrQuiet(faulty)
        let failed = faulty.failed
        if kind.count > 1000, position == 0 {
            #expect(run.accepted.isEmpty && !run.refused.isEmpty)
            #expect(service.reports.contains { $0.contains("nothing is accepted until it can") })
        }
        faulty.set(nil)
        try run.waitUntilHealthy()
        try run.work("w")
        #expect(run.refused.allSatisfy { !$0.hasPrefix("w") }, comment)
        try run.check({ try JournalReplay(path: directory.journal) }, stop: service.stop)
        return failed
    }

    @Test(arguments: [
        SimulatedJournal.Fault.unknownApplied, .unknownNotApplied, .failed(.diskFull),
    ])
    func noAnswerOrAFailureAtEachCommit(_ fault: SimulatedJournal.Fault) throws {
        for position in 1...9 {
            let directory = JournalDirectory()
            let store = Kept()
            let service = try ServiceThread(
                journal: directory.journal, address: "ipc://\(directory.directory)/requests"
            ) { _, _ throws(JournalError) in
                let faults = [SimulatedJournal.Fault](repeating: .none, count: position) + [fault]
                let journal = SimulatedJournal(faults: faults)
                journal.failingProbes = 2
                store.journal = journal
                return journal
            }
            let run = try FaultyRun(service.address, "\(fault) at \(position)")
            try run.work("k")
            try run.waitUntilHealthy()
            try run.work("w")
            try run.check({ try JournalReplay(store.journal!) }, stop: service.stop)
            if fault == .unknownApplied {
                #expect(!run.accepted.isEmpty)
            }
        }
    }

    @Test func overtakenEnds() throws {
        let directory = JournalDirectory()
        let service = try ServiceThread(
            journal: directory.journal, address: "ipc://\(directory.directory)/requests"
        ) { _, _ throws(JournalError) in SimulatedJournal(faults: [.none, .none, .overtaken]) }
        let peer = try Peer(service.address)
        try peer.send(#"{"v":1,"op":"raise","ref":"1","surface":"a","key":"k"}"#)
        try poll("the end of a deposed arbiter") {
            service.reports.contains { $0.hasPrefix("ended: Another arbiter has taken the lead") }
        }
        #expect(try peer.receive(milliseconds: 1)?["op"]?.string != "accepted")
    }

    // Set on the journal's thread while the service starts, read after that thread has ended.
    private final class Kept: @unchecked Sendable {
        var journal: SimulatedJournal?
    }
}
