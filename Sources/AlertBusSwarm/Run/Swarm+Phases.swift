import AlertBusMeasure
import AlertBusModel
import ZeroMQ

// The load, and the time after it until every alert has ended.
extension Swarm {
    /// How long nothing may be missing before the last look, in nanoseconds.
    private static let overdue: UInt64 = 2_000_000_000
    /// After so long without anything nothing more is expected, in nanoseconds.
    private static let pause: UInt64 = 5_000_000_000

    func load() throws(ZMQError) {
        if let begin = hooks.begin() ?? options.startAt {
            while Int64(SwarmClock.wall()) < begin, hooks.interruptions() == 0 {
                let left = UInt64(max(0, begin - Int64(SwarmClock.wall())))
                try turn(min(left * 1_000_000, 50_000_000))
            }
        }
        startedAt = SwarmClock.wall()
        origin = SwarmClock.nanoseconds()
        end = origin + UInt64(options.duration) * 1_000_000
        nextSecond = origin + 1_000_000_000
        isLoading = true
        scheduleMoods(at: origin)
        if rate == 0 { for producer in outstanding.indices { makeRunnable(producer) } }
        while failure == nil {
            try turn()
            let now = SwarmClock.nanoseconds()
            if rate == 0 { followPace(at: now) }
            try tick(at: now, .loading)
            if now >= end || hooks.interruptions() > 0 { break }
        }
        let now = SwarmClock.nanoseconds()
        loadedUntil = now
        isLoading = false
        runnable.removeAll(keepingCapacity: true)
        for producer in isRunnable.indices { isRunnable[producer] = false }
        for producer in owed.indices {
            for late in 0..<owed[producer] {
                measured.unsent(due: due((turns[producer] + UInt64(late)) * UInt64(owed.count) + UInt64(producer)), at: now)
            }
        }
        endMoods()
    }

    /// Where each command waits for another one, so often is one due on the average at each place of the windows.
    private func followPace(at now: UInt64) {
        let elapsed = (now - origin) / 1000
        guard measured.counts.acknowledged > 1000, elapsed > 100_000 else { return }
        let places = UInt64(options.window * outstanding.count)
        measured.expectedInterval = places * elapsed / measured.counts.acknowledged
    }

    func drain() throws(ZMQError) {
        let interrupted = hooks.interruptions() > 0
        if interrupted {
            isWithdrawing = true
            for producer in outstanding.indices { makeRunnable(producer) }
        }
        let patience = UInt64(interrupted ? min(options.drainTime, 5000) : options.drainTime) * 1_000_000
        var deadline = loadedUntil + patience
        let overdue = loadedUntil + UInt64(options.profile.longestLife) * 1_000_000 + Self.overdue
        var hasAsked = false
        var nextLook: UInt64 = 0
        var progressed = (count: UInt64(0), at: loadedUntil)
        while failure == nil, hooks.interruptions() < 2 {
            try turn(20_000_000)
            let now = SwarmClock.nanoseconds()
            try tick(at: now, .draining)
            guard now >= nextLook else { continue }
            nextLook = now + 20_000_000
            if isQuiet { break }
            // Where nobody set a limit, an arbiter that is late but goes on gets more time.
            let soFar = measured.counts.acknowledged + ledger.endedInAll + measured.counts.deliveries
            if soFar != progressed.count { progressed = (soFar, now) }
            if now >= deadline && !interrupted && options.drain == nil && now - progressed.at < Self.pause
                && now < loadedUntil + 10 * patience
            {
                deadline = now + Self.pause
            }
            if now >= deadline { break }
            if now >= overdue && !hasAsked && pending.count == 0 {
                hasAsked = true
                try askForEnds(at: now)
            }
        }
        try lastLook()
        measured.takeCurrent()
        ledger.finish()
        if violations > 0 { ledger.findings.found(.order, "the arbiter counted \(violations) broken invariants") }
        for place in 0..<pending.capacity where pending.records[place].number != 0 && pending.records[place].kind != .raise {
            let command = pending.records[place]
            ledger.findings.found(.lost, "the command \(command.kind) about \(ledger.key(command.alert)) got no reply")
        }
    }

    /// Whether nothing is missing that could still come.
    private var isQuiet: Bool {
        guard pending.count == 0, greeting.isEmpty, ledger.cursors.allSatisfy({ $0.phase == .live }) else { return false }
        if ledger.table.count == 0 { return true }
        for place in 0..<ledger.table.capacity where ledger.table.records[place].number != 0 {
            let record = ledger.table.records[place]
            if !record.flags.contains(.ended) || !ledger.isUncertain(record) { return false }
        }
        return true
    }

    /// Where alerts should have ended by their lifetime: asks whether they have.
    private func askForEnds(at now: UInt64) throws(ZMQError) {
        for producer in outstanding.indices {
            var place = ledger.oldest[producer]
            while place >= 0 {
                let next = ledger.table.records[Int(place)].next
                ledger.table.records[Int(place)].flags.insert(.asked)
                _ = try send(.status, Int(place), lines[producer], intended: now, at: now)
                place = next
            }
        }
    }

    /// Every screen hears where the streams stand, behind everything that was sent to it: so even what came last is missed, and what
    /// came twice is seen.
    private func lastLook() throws(ZMQError) {
        for line in lines {
            line.isAnswered = false
            if line.isGreeted, try sendPing(line) { markDirty(line) } else { line.isAnswered = true }
        }
        try askArbiter()
        let deadline = SwarmClock.nanoseconds() + 3_000_000_000
        while SwarmClock.nanoseconds() < deadline, hooks.interruptions() < 2 {
            try turn(10_000_000)
            let isComplete = ledger.cursors.allSatisfy { $0.phase != .awaiting }
            if isComplete && lines.allSatisfy(\.isAnswered) { break }
        }
    }

    // MARK: Seconds

    private func tick(at now: UInt64, _ phase: SwarmProgress.Phase) throws(ZMQError) {
        guard now >= nextSecond else { return }
        nextSecond = max(nextSecond + 1_000_000_000, now - now % 1_000_000_000)
        let second = measured.endSecond(
            Int((now - origin) / 1_000_000_000) - 1, shown: ledger.shown, ended: ledger.endedInAll, arbiter: arbiter)
        try askArbiter()
        try resendSilent(at: now)
        ledger.passTime(to: now)
        var progress = SwarmProgress()
        progress.phase = phase
        let (from, to) = phase == .loading ? (origin, end) : (loadedUntil, loadedUntil + UInt64(options.drainTime) * 1_000_000)
        progress.done = to > from ? min(1, Double(now - from) / Double(to - from)) : 1
        progress.second = second
        progress.connections = lines.count
        progress.ready = lines.reduce(0) { $0 + ($1.session != 0 ? 1 : 0) }
        progress.living = ledger.table.count
        progress.findings = ledger.findings.count
        hooks.progress(progress)
    }

    // MARK: The report

    func report() -> SwarmReport {
        var report = SwarmReport()
        report.title = options.profile.load.title
        report.startedAt = startedAt
        report.duration = origin == 0 ? 0 : Double(loadedUntil - origin) / 1e9
        report.setup.producers = UInt64(options.ownProducers)
        report.setup.subscribers = UInt64(options.ownSubscribers)
        report.setup.surfaces = UInt64(options.ownSurfaces)
        report.setup.offeredRate = rate > 0 ? rate : nil
        if case .ipc = options.requests { report.setup.transport = "ipc" } else { report.setup.transport = "tcp" }
        report.setup.isSecure = options.keys != nil
        report.counts = measured.counts
        report.counts.shown = ledger.shown
        for (reason, count) in measured.refused { report.counts.refused[reason.rawValue] = count }
        for (reason, count) in ledger.ended { report.counts.ended[reason.rawValue] = count }
        report.checks = ledger.findings.list
        report.acknowledgement = measured.acknowledgement
        report.timeToScreen = measured.timeToScreen
        report.answer = measured.answer
        report.timeline = measured.timeline
        return report
    }
}
