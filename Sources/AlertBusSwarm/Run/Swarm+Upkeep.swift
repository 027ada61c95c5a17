import ZeroMQ

// What time brings.
extension Swarm {
    /// How long a command waits for its reply before it is sent again, in nanoseconds.
    private static let silence: UInt64 = 5_000_000_000

    func fire(due now: UInt64) throws(ZMQError) {
        while let timer = timers.take(due: now) {
            let line = lines[Int(timer.line)]
            switch timer.action {
            case .answer, .dismiss: try act(timer, line, at: now)
            case .closeProducer:
                guard isLoading else { break }
                try reopen(line, at: now)
                scheduleChurn(line, at: now)
            case .closeSubscriber:
                guard isLoading else { break }
                try reopen(line, at: now)
                scheduleChurn(line, at: now)
            case .readSlowly: try readSlowly(line, at: now)
            case .subscribe:
                let cursor = Int(timer.subject)
                if ledger.cursors[cursor].phase == .awaiting { try subscribe(cursor, line) }
            }
        }
    }

    /// A person does something about an alert, if it is still there.
    private func act(_ timer: TimerHeap.Timer, _ line: Line, at now: UInt64) throws(ZMQError) {
        guard let place = ledger.table.place(of: timer.subject) else { return }
        let record = ledger.table.records[place]
        guard !record.flags.contains(.ended), record.instance != 0, record.answer == 0, line.isGreeted else { return }
        _ = try send(timer.action == .answer ? .answer : .dismiss, place, line, intended: timer.due, at: now)
    }

    // MARK: Slow screens and short connections

    /// How often a slow one reads, in nanoseconds.
    private static let readEvery: UInt64 = 100_000_000

    private func readSlowly(_ line: Line, at now: UInt64) throws(ZMQError) {
        guard line.isSlow else { return }
        try receive(line, atMost: max(1, options.profile.subscribers.slowRate / 10))
        timers.add(.init(due: now + Self.readEvery, action: .readSlowly, line: Int32(line.place), subject: 0))
    }

    /// The load begins: from now on some are slow, and connections come and go.
    func scheduleMoods(at now: UInt64) {
        for line in lines {
            if case .subscriber(let subscriber) = line.role, firstCursor[subscriber] < firstCursor[subscriber + 1],
                ledger.cursors[firstCursor[subscriber]].isSlow
            {
                line.isSlow = true
                unwatch(line)
                timers.add(.init(due: now + Self.readEvery, action: .readSlowly, line: Int32(line.place), subject: 0))
            }
            scheduleChurn(line, at: now)
        }
    }

    /// The load is over: everybody reads again.
    func endMoods() {
        for line in lines where line.isSlow {
            line.isSlow = false
            watch(line)
            markDirty(line)
        }
    }

    private func scheduleChurn(_ line: Line, at now: UInt64) {
        let churn = options.profile.churn
        switch line.role {
        case .producer where churn.producer > 0:
            let time = random.around(UInt64(churn.producer) * 1_000_000)
            timers.add(.init(due: now + time, action: .closeProducer, line: Int32(line.place), subject: 0))
        case .subscriber where churn.subscriber > 0:
            let time = random.around(UInt64(churn.subscriber) * 1_000_000)
            timers.add(.init(due: now + time, action: .closeSubscriber, line: Int32(line.place), subject: 0))
        case .producer, .subscriber, .control: break
        }
    }

    // MARK: Signs of life

    /// Each connection once a second, one after the other, so that a thousand do not ping at once.
    func ping(at now: UInt64) throws(ZMQError) {
        guard now >= nextPing else { return }
        let each = 1_000_000_000 / UInt64(lines.count)
        if nextPing == 0 || now - nextPing > 1_000_000_000 { nextPing = now }
        while nextPing <= now {
            nextPing += each
            let line = lines[pingPlace]
            pingPlace = (pingPlace + 1) % lines.count
            if line.isGreeted, try sendPing(line) { markDirty(line) }
        }
    }

    private static let question = Array(#"{"v":1,"op":"list","ref":"c","counters":true}"#.utf8)

    /// Asks what the arbiter holds. With keys that may not ask it is refused, and the report says nothing of it.
    func askArbiter() throws(ZMQError) {
        let line = lines[lines.count - 1]
        if line.isGreeted, try line.socket.trySend(Self.question) { markDirty(line) }
    }

    /// Sends again what was not answered for too long, each time after twice the time: an arbiter that is late needs no more to do.
    func resendSilent(at now: UInt64) throws(ZMQError) {
        for place in 0..<pending.capacity where pending.records[place].number != 0 {
            if now - min(now, pending.records[place].lastSent) >= Self.silence << UInt64(min(pending.records[place].resends, 6)) {
                try resend(place, at: now)
            }
        }
    }
}
