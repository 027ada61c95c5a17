import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import Synchronization
import Testing

/// The journal with its thread, as the arbiter uses it.
struct JournalThreadTests {
    let directory = JournalDirectory()

    /// Waits for completions on the descriptor, with a deadline.
    private func completions(_ journal: Journal, count: Int) throws -> [JournalCompletion] {
        var found: [JournalCompletion] = []
        while found.count < count {
            var entry = pollfd(fd: journal.completionDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 20_000) == 1, "\(found.count) of \(count) completions came")
            found += journal.takeCompletions()
        }
        return found
    }

    @Test func appendsInFlightAreCommittedInOrder() throws {
        let path = directory.journal
        let journal = try Journal { () throws(JournalError) in try SQLiteJournal(path: path) }
        var head = JournalHead()
        var expected: [JournalCompletion] = []
        for number in 0..<200 as Range<UInt64> {
            let batch = sampleBatch(first: head.position, count: 1 + Int(number % 5))
            #expect(journal.append(JournalToken(number), expected: head, batches: [batch]))
            head.position = batch.end
            expected.append(.append(JournalToken(number), .committed(head)))
        }
        #expect(try completions(journal, count: 200) == expected)
        journal.close()
        #expect(!journal.probe(JournalToken(0)))
        #expect(throws: JournalError.self) { try journal.use { (store) throws(JournalError) in store.head } }
        let again = try SQLiteJournal(path: path)
        #expect(again.head == head)
        #expect(try faultInSamples(again) == nil)
    }

    @Test func closingCommitsWhatWasSubmitted() throws {
        let path = directory.journal
        var journal: Journal? = try Journal { () throws(JournalError) in try SQLiteJournal(path: path) }
        journal?.append(JournalToken(1), expected: JournalHead(), batches: [sampleBatch(first: 0, count: 3)])
        journal = nil
        #expect(try SQLiteJournal(path: path).head == JournalHead(position: 3))
    }

    @Test func theReasonWhyItDoesNotOpenIsTold() throws {
        let path = directory.journal
        let first = try SQLiteJournal(path: path)
        let error = #expect(throws: JournalError.self) {
            try Journal { () throws(JournalError) in try SQLiteJournal(path: path) }
        }
        #expect(error?.kind == .locked(by: getpid()))
        withExtendedLifetime(first) {}
    }

    @Test func whatFollowsAFailureConflictsOrFails() throws {
        let journal = try Journal { () throws(JournalError) in SimulatedJournal(faults: [.unknownApplied]) }
        // Held on the thread, so that the three are there together, but the second does not follow the first.
        let batches = [sampleBatch(first: 0, count: 2)]
        let wrong = JournalHead(position: 9)
        journal.append(JournalToken(1), expected: JournalHead(), batches: batches)
        journal.append(JournalToken(2), expected: wrong, batches: [sampleBatch(first: 9, count: 1)])
        journal.settle(JournalToken(3), expected: JournalHead(), batches: batches)
        journal.probe(JournalToken(4))
        journal.append(JournalToken(5), expected: wrong, batches: [sampleBatch(first: 9, count: 1)])
        journal.beginEpoch(JournalToken(6), expected: JournalHead(position: 2), time: 0)
        let found = try completions(journal, count: 6)
        guard case .append(JournalToken(1), .unknown) = found[0], case .append(JournalToken(2), .failed) = found[1] else {
            Issue.record("\(found)")
            return
        }
        let head = JournalHead(position: 2)
        #expect(found[2] == .settled(JournalToken(3), .success(.committed(head))))
        #expect(found[3] == .probe(JournalToken(4), .success(head)))
        #expect(found[4] == .append(JournalToken(5), .conflict(head)))
        #expect(found[5] == .epoch(JournalToken(6), .committed(JournalHead(position: 2, epoch: 1))))
    }

    /// Appends again whenever an append is done, on the journal's own thread, so that it never lacks work.
    private final class Appender: Sendable {
        struct State {
            var journal: Journal?
            var head = JournalHead()
            var commitsBeforeSnapshot = 0
            var snapshot: Result<SnapshotID, JournalError>?
        }

        let state = Mutex(State())

        func goOn() {
            guard let journal = state.withLock({ $0.journal }) else { return }
            for completion in journal.takeCompletions() {
                state.withLock { state in
                    if case .snapshot(_, let result) = completion { state.snapshot = result }
                    if case .append(_, .committed(let head)) = completion {
                        state.head = head
                        state.commitsBeforeSnapshot += state.snapshot == nil ? 1 : 0
                    }
                }
            }
            let (head, isDone) = state.withLock { ($0.head, $0.snapshot != nil) }
            if isDone { return }
            journal.append(JournalToken(0), expected: head, batches: [sampleBatch(first: head.position, count: 1)])
        }
    }

    @Test func aSnapshotGoesBetweenCommits() throws {
        let path = directory.journal
        let appender = Appender()
        let journal = try Journal(onCompletion: { appender.goOn() }) { () throws(JournalError) in
            try SQLiteJournal(path: path)
        }
        appender.state.withLock { $0.journal = journal }
        defer { appender.state.withLock { $0.journal = nil } }
        let content = SnapshotContent(position: 0, time: 0, digest: [9], bytes: [UInt8](repeating: 3, count: 5 << 20))
        // Both are submitted on the journal's thread, so that it finds them together.
        try journal.use { (_) throws(JournalError) in
            journal.storeSnapshot(JournalToken(1), content)
            journal.append(JournalToken(0), expected: JournalHead(), batches: [sampleBatch(first: 0, count: 1)])
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while appender.state.withLock({ $0.snapshot == nil }) {
            try #require(ContinuousClock.now < deadline, "the snapshot was never stored")
            poll(nil, 0, 1)
        }
        // Its 20 chunks, its beginning and its end each waited for some commits.
        #expect(appender.state.withLock { $0.commitsBeforeSnapshot } >= 22)
        let (description, bytes) = try journal.use { (store) throws(JournalError) in
            let snapshot = try store.snapshots()[0]
            return (snapshot, try store.readSnapshot(snapshot.id))
        }
        #expect(description.digest == [9])
        #expect(bytes == content.bytes)
    }

    @Test func aFullDiskIsReportedAndHealed() throws {
        let faulty = FaultyFileSystem()
        let path = directory.journal
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        let journal = try Journal { [options] () throws(JournalError) in try SQLiteJournal(path: path, options: options) }
        faulty.set(.init(after: 0, count: .max, errno: ENOSPC))
        journal.append(JournalToken(1), expected: JournalHead(), batches: [sampleBatch(first: 0, count: 1)])
        journal.probe(JournalToken(2))
        let found = try completions(journal, count: 2)
        guard case .append(_, .failed(let error)) = found[0], case .probe(_, .failure) = found[1] else {
            Issue.record("\(found)")
            return
        }
        #expect(error.kind == .diskFull)
        faulty.set(nil)
        journal.probe(JournalToken(3))
        journal.append(JournalToken(4), expected: JournalHead(), batches: [sampleBatch(first: 0, count: 1)])
        let healed = try completions(journal, count: 2)
        #expect(healed[0] == .probe(JournalToken(3), .success(JournalHead())))
        #expect(healed[1] == .append(JournalToken(4), .committed(JournalHead(position: 1))))
    }
}
