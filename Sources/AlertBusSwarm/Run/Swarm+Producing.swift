import ZeroMQ

// What producers do.
extension Swarm {
    /// When a message is due, by its place among all of this process.
    func due(_ index: UInt64) -> UInt64 {
        let load = options.profile.load
        let place = load.shape == .bursts ? index / UInt64(load.burst) * UInt64(load.burst) : index
        return origin + UInt64(Double(place) * 1e9 / rate)
    }

    var nextDue: UInt64 { rate > 0 ? due(dispatched) : .max }

    /// Gives each producer what it owes by now.
    func dispatch(due now: UInt64) {
        guard rate > 0 else { return }
        let count = UInt64(outstanding.count)
        guard count > 0 else { return }
        let limit = min(now, end)
        while due(dispatched) < limit {
            let producer = Int(dispatched % count)
            owed[producer] += 1
            makeRunnable(producer)
            dispatched += 1
        }
    }

    func makeRunnable(_ producer: Int) {
        guard !isRunnable[producer] else { return }
        isRunnable[producer] = true
        runnable.append(producer)
    }

    func runProducers() throws(ZMQError) {
        let turn = runnable
        runnable.removeAll(keepingCapacity: true)
        for producer in turn {
            isRunnable[producer] = false
            try run(producer)
        }
    }

    /// Sends what is owed and allowed.
    private func run(_ producer: Int) throws(ZMQError) {
        let line = lines[producer]
        guard line.isGreeted else {
            if hasWork(producer) { makeRunnable(producer) }
            return
        }
        var budget = options.window
        while hasWork(producer), outstanding[producer] < options.window, budget > 0 {
            budget -= 1
            let now = SwarmClock.nanoseconds()
            let intended = rate > 0 && !isWithdrawing ? due(turns[producer] * UInt64(outstanding.count) + UInt64(producer)) : now
            guard try send(producer, line, intended: intended, at: now) else {
                makeRunnable(producer)
                return
            }
            turns[producer] += 1
            if rate > 0 && !isWithdrawing { owed[producer] -= 1 }
        }
        // Where the window is full, the next reply makes it runnable again.
        if hasWork(producer) && outstanding[producer] < options.window { makeRunnable(producer) }
    }

    private func hasWork(_ producer: Int) -> Bool {
        if isWithdrawing { return living(producer) != nil }
        return isLoading && (rate == 0 || owed[producer] > 0)
    }

    /// One command of a producer; false when its connection does not take it now.
    private func send(_ producer: Int, _ line: Line, intended: UInt64, at now: UInt64) throws(ZMQError) -> Bool {
        var draw = isWithdrawing ? weights.all : random.below(weights.all)
        let bound = options.profile.load.alive
        if !isWithdrawing && bound > 0 && draw < weights.raise && ledger.alive[producer] + raising[producer] >= bound {
            draw = weights.all
        }
        if draw >= weights.raise {
            let isUpdate = draw < weights.update
            if let place = living(producer) {
                return try send(isUpdate ? .update : .withdraw, place, line, intended: intended, at: now)
            }
        }
        let kind = random.below(kindWeights[kindWeights.count - 1])
        let chosen = kindWeights.firstIndex { kind < $0 } ?? 0
        let surface = random.below(ledger.surfaces.count)
        guard let place = ledger.raised(producer: producer, surface: surface, kind: chosen, intended: intended, sent: now) else {
            return false
        }
        let isSent = try send(.raise, place, line, intended: intended, at: now)
        if isSent { raising[producer] += 1 } else { ledger.forget(place) }
        return isSent
    }

    /// The oldest living alert that was accepted and is not taken back already; it is not looked for beyond a few.
    private func living(_ producer: Int) -> Int? {
        var place = ledger.oldest[producer]
        for _ in 0..<16 where place >= 0 {
            if !ledger.table.records[Int(place)].flags.contains(.withdrawing) { return Int(place) }
            place = ledger.table.records[Int(place)].next
        }
        return nil
    }

    /// Sends a command about an alert for the first time; false when the connection does not take it now.
    func send(
        _ kind: PendingCommand.Kind, _ alert: Int, _ line: Line, intended: UInt64, at now: UInt64
    ) throws(ZMQError) -> Bool {
        // The windows bound how many commands wait.
        guard let place = pending.add() else { preconditionFailure("sixteen million commands wait for their reply") }
        pending.records[place].kind = kind
        pending.records[place].line = Int32(line.place)
        pending.records[place].alert = ledger.table.records[alert].number
        pending.records[place].intended = intended
        pending.records[place].sent = now
        pending.records[place].lastSent = now
        let socket = line.socket
        let isSent = try composer.compose(pending.records[place], ledger.table.records[alert]) { bytes throws(ZMQError) in
            try socket.trySend(bytes)
        }
        guard isSent else {
            pending.remove(place)
            return false
        }
        ledger.table.records[alert].pending += 1
        markDirty(line)
        switch kind {
        case .raise, .update, .withdraw:
            guard case .producer(let producer) = line.role else { break }
            orders[producer] += 1
            pending.records[place].order = orders[producer]
            outstanding[producer] += 1
            measured.counts.sent += 1
            if kind == .withdraw { ledger.table.records[alert].flags.insert(.withdrawing) }
        case .answer:
            measured.counts.answers += 1
            ledger.answered(alert, token: pending.records[place].number, intended: intended, sent: now)
        case .dismiss, .status: break
        }
        return true
    }

    /// Sends a command again, the same bytes.
    func resend(_ place: Int, at now: UInt64) throws(ZMQError) {
        let command = pending.records[place]
        let line = lines[Int(command.line)]
        guard line.isGreeted, let alert = ledger.table.place(of: command.alert) else { return }
        let socket = line.socket
        let isSent = try composer.compose(command, ledger.table.records[alert]) { bytes throws(ZMQError) in
            try socket.trySend(bytes)
        }
        guard isSent else { return }
        pending.records[place].lastSent = now
        pending.records[place].resends += 1
        // If it had been accepted and its alert has ended, this makes another one under the same key.
        if command.kind == .raise { ledger.table.records[alert].flags.insert(.uncertain) }
        resent.insert(command.number)
        if line.isProducer { measured.counts.resent += 1 }
        markDirty(line)
    }

    /// On a new connection: what was not answered is sent again, and the ends that were told nobody are asked for.
    func reattach(_ producer: Int, _ line: Line) throws(ZMQError) {
        let now = SwarmClock.nanoseconds()
        for place in 0..<pending.capacity
        where pending.records[place].number != 0 && Int(pending.records[place].line) == line.place {
            try resend(place, at: now)
        }
        var place = ledger.oldest[producer]
        while place >= 0 {
            let next = ledger.table.records[Int(place)].next
            ledger.table.records[Int(place)].flags.insert(.uncertain)
            _ = try send(.status, Int(place), line, intended: now, at: now)
            place = next
        }
    }
}
