/// The loop of the thread that owns the store.
struct JournalWorker {
    /// Bytes of batches that are committed together, at most; a single append may be larger.
    private static let groupBytes = 4 << 20
    /// How long nothing must arrive before pages are moved out of the log.
    private static let idleMilliseconds: Int32 = 20
    /// Pieces of housekeeping and snapshots are done after this many commits when there is no idle moment.
    private static let commitsBetweenPieces = 4

    private let store: any JournalStore
    private let queue: JournalQueue
    private var snapshots: [SnapshotInProgress] = []
    private var commitsSincePiece = 0
    private var isTidy = false
    private var isHousekeepingNext = false
    private var completions: [JournalCompletion] = []

    private struct SnapshotInProgress {
        var token: JournalToken
        var content: SnapshotContent
        var id: SnapshotID?
        var nextChunk = 0
    }

    init(store: any JournalStore, queue: JournalQueue) {
        self.store = store
        self.queue = queue
    }

    /// Runs until the queue is closed and empty.
    mutating func run() {
        while true {
            let hasWork = queue.waitForRequests(milliseconds: patience)
            if hasWork {
                guard let requests = queue.takeRequests() else { break }
                perform(requests)
                if commitsSincePiece < Self.commitsBetweenPieces { continue }
            }
            commitsSincePiece = 0
            doPiece(isIdle: !hasWork)
        }
        store.close()
    }

    /// How long to wait for requests: not at all while a snapshot is being written, for ever when everything is tidy.
    private var patience: Int32 {
        if !snapshots.isEmpty { return 0 }
        return isTidy ? -1 : Self.idleMilliseconds
    }

    private mutating func perform(_ requests: [JournalRequest]) {
        var index = 0
        while index < requests.count {
            if case .append(_, let expected, let batches) = requests[index] {
                index = appendGroup(requests, from: index, expected: expected, batches: batches)
            } else {
                performOne(requests[index])
                index += 1
            }
            deliver()
        }
        isTidy = false
    }

    private mutating func performOne(_ request: JournalRequest) {
        switch request {
        case .append: break
        case .epoch(let token, let expected, let time):
            completions.append(.epoch(token, store.beginEpoch(expected: expected, time: time)))
        case .settle(let token, let expected, let batches):
            let result = Result { () throws(JournalError) in try store.settle(expected: expected, batches: batches) }
            completions.append(.settled(token, result))
        case .probe(let token):
            let result = Result { () throws(JournalError) in
                try store.probe()
                return store.head
            }
            completions.append(.probe(token, result))
        case .snapshot(let token, let content):
            snapshots.append(SnapshotInProgress(token: token, content: content))
        case .use(let body):
            body(store)
        }
    }

    /// Commits an append together with those that follow it directly: what has arrived is one unit.
    /// - Returns: the index of the first request that is not part of it.
    private mutating func appendGroup(
        _ requests: [JournalRequest], from start: Int, expected: JournalHead, batches: [JournalBatch]
    ) -> Int {
        var group = batches
        var heads: [(token: JournalToken, after: JournalHead)] = []
        var after = expected
        var size = 0
        var index = start
        while index < requests.count, case .append(let token, let next, let batches) = requests[index] {
            guard index == start || (next == after && size < Self.groupBytes) else { break }
            if index > start { group += batches }
            size += batches.reduce(0) { $0 + $1.bytes.count }
            after.position = batches.last?.end ?? after.position
            heads.append((token, after))
            index += 1
        }
        let outcome = store.append(expected: expected, batches: group)
        for (token, head) in heads {
            if case .committed = outcome {
                completions.append(.append(token, .committed(head)))
            } else {
                completions.append(.append(token, outcome))
            }
        }
        commitsSincePiece += 1
        return index
    }

    /// One small piece of what can wait: some housekeeping, or a chunk of a snapshot. In turn, so that old history goes as
    /// fast as new snapshots come.
    private mutating func doPiece(isIdle: Bool) {
        isHousekeepingNext.toggle()
        var hasDone = false
        if isHousekeepingNext || snapshots.isEmpty {
            do throws(JournalError) {
                hasDone = try store.maintain(isIdle: isIdle)
                isTidy = !hasDone && isIdle
            } catch {
                completions.append(.housekeeping(error))
                isTidy = true
            }
        }
        if !hasDone && !snapshots.isEmpty { writePieceOfSnapshot() }
        deliver()
    }

    private mutating func writePieceOfSnapshot() {
        var current = snapshots[0]
        do throws(JournalError) {
            if let id = current.id {
                if current.nextChunk < current.content.chunkCount {
                    try store.writeSnapshot(id, chunk: current.nextChunk, bytes: current.content.chunk(current.nextChunk))
                    current.nextChunk += 1
                } else {
                    try store.finishSnapshot(id)
                    completions.append(.snapshot(current.token, .success(id)))
                    snapshots.removeFirst()
                    isTidy = false
                    return
                }
            } else {
                current.id = try store.beginSnapshot(current.content)
            }
            snapshots[0] = current
        } catch {
            completions.append(.snapshot(current.token, .failure(error)))
            snapshots.removeFirst()
        }
    }

    private mutating func deliver() {
        queue.complete(completions)
        completions.removeAll(keepingCapacity: true)
    }
}
