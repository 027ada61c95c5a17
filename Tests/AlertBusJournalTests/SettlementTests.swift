import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import Testing

/// An append without an answer is settled by reading.
struct SettlementTests {
    private let batches = [sampleBatch(first: 2, count: 1), sampleBatch(first: 3, count: 2)]

    private func simulated(_ fault: SimulatedJournal.Fault) -> SimulatedJournal {
        let store = SimulatedJournal()
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 2)])
        store.add(fault)
        return store
    }

    private func isUnknown(_ outcome: AppendOutcome) -> Bool {
        if case .unknown = outcome { true } else { false }
    }

    @Test func whatWasAppliedIsFound() throws {
        let store = simulated(.unknownApplied)
        let expected = store.head
        #expect(isUnknown(store.append(expected: expected, batches: batches)))
        #expect(try store.settle(expected: expected, batches: batches) == .committed(JournalHead(position: 5)))
        try store.probe()
        #expect(try faultInSamples(store) == nil)
    }

    @Test func whatWasNotAppliedCanBeAppendedAgain() throws {
        let store = simulated(.unknownNotApplied)
        let expected = store.head
        #expect(isUnknown(store.append(expected: expected, batches: batches)))
        #expect(try store.settle(expected: expected, batches: batches) == .absent(expected))
        try store.probe()
        #expect(store.append(expected: expected, batches: batches) == .committed(JournalHead(position: 5)))
    }

    @Test func anotherWriterInItsPlaceIsAConflict() throws {
        let store = simulated(.unknownNotApplied)
        let expected = store.head
        #expect(isUnknown(store.append(expected: expected, batches: batches)))
        try store.probe()
        _ = store.append(expected: expected, batches: [sampleBatch(first: 2, count: 3, size: 50)])
        #expect(try store.settle(expected: expected, batches: batches) == .conflict(JournalHead(position: 5)))
    }

    @Test func anEpochBegunMeanwhileIsAConflict() throws {
        let store = simulated(.overtaken)
        let expected = store.head
        let later = JournalHead(position: 2, epoch: 1)
        #expect(store.append(expected: expected, batches: batches) == .conflict(later))
        #expect(try store.settle(expected: expected, batches: batches) == .conflict(later))
    }

    @Test func nothingIsTakenUntilAProbeSucceeds() throws {
        let store = simulated(.failed(.diskFull))
        store.failingProbes = 1
        for _ in 0..<2 {
            guard case .failed(let error) = store.append(expected: store.head, batches: batches) else {
                Issue.record("it was taken")
                return
            }
            #expect(error.kind == .diskFull)
        }
        #expect(throws: JournalError.self) { try store.probe() }
        try store.probe()
        #expect(store.append(expected: store.head, batches: batches) == .committed(JournalHead(position: 5)))
    }

    /// A failed synchronisation leaves the entries readable although they may never have reached the disk.
    @Test(arguments: [true, false]) func aFailedSynchronisationIsSettled(isLostByRestart: Bool) throws {
        let directory = JournalDirectory()
        let faulty = FaultyFileSystem()
        var options = SQLiteJournal.Options()
        options.fileSystem = faulty.name
        let store = try SQLiteJournal(path: directory.journal, options: options)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 2)])
        let expected = store.head
        faulty.set(.init(after: .max, errno: EIO))
        _ = store.append(expected: expected, batches: [sampleBatch(first: 2, count: 1)])
        let calls = faulty.calls
        // The last call of a commit is its synchronisation.
        faulty.set(.init(after: calls - 1, errno: EIO))
        let last = sampleBatch(first: 3, count: 1)
        let before = store.head
        #expect(isUnknown(store.append(expected: before, batches: [last])))
        guard case .failed = store.append(expected: before, batches: [last]) else {
            Issue.record("an unsettled journal took more")
            return
        }
        if isLostByRestart {
            store.close()
            let again = try SQLiteJournal(path: directory.journal + "", options: options)
            #expect(try faultInSamples(again) == nil)
        } else {
            #expect(try store.settle(expected: before, batches: [last]) == .committed(JournalHead(position: 4)))
            try store.probe()
            let next = store.append(expected: store.head, batches: [sampleBatch(first: 4, count: 1)])
            #expect(next == .committed(JournalHead(position: 5)))
            #expect(try faultInSamples(store) == nil)
        }
    }
}
