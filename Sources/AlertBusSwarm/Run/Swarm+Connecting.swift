import AlertBusModel
import AlertBusWire
import ZeroMQ

// Connections: opening, greeting, following surfaces.
extension Swarm {
    func open() throws(ZMQError) {
        for producer in 0..<options.ownProducers { try add(.producer(producer), isSlow: false) }
        for subscriber in 0..<options.ownSubscribers {
            firstCursor.append(ledger.cursors.count)
            let isSlow = isSlow(options.share.number(subscriber))
            for surface in surfaces(of: subscriber) {
                _ = ledger.follow(surface, by: options.share.number(subscriber), isSlow: isSlow)
            }
            try add(.subscriber(subscriber), isSlow: isSlow)
        }
        firstCursor.append(ledger.cursors.count)
        parts = [UInt64](repeating: 0, count: ledger.cursors.count)
        try add(.control, isSlow: false)
    }

    /// So many of a hundred, spread evenly.
    private func isSlow(_ subscriber: Int) -> Bool {
        let percent = options.profile.subscribers.slow
        return percent > 0 && subscriber * percent % 100 + percent >= 100
    }

    /// A share of all surfaces: one where there are enough subscribers, else every so many-th.
    func surfaces(of subscriber: Int) -> [Int] {
        let count = options.ownSurfaces
        if count == 0 { return [] }
        if options.profile.subscribers.scope == .all { return Array(0..<count) }
        if options.ownSubscribers >= count { return [subscriber % count] }
        return Array(stride(from: subscriber, to: count, by: options.ownSubscribers))
    }

    private func add(_ role: Line.Role, isSlow: Bool) throws(ZMQError) {
        let line = try Line(role, place: lines.count, socket: try maker.socket(isSlow: isSlow))
        lines.append(line)
        watch(line)
        greeting.append(line.place)
        markDirty(line)
    }

    func watch(_ line: Line) {
        guard !line.isWatched else { return }
        do throws(SwarmError) {
            try descriptors.add(line.descriptor, place: line.place)
            line.isWatched = true
        } catch {
            failure = error
        }
    }

    func unwatch(_ line: Line) {
        guard line.isWatched else { return }
        descriptors.remove(line.descriptor)
        line.isWatched = false
    }

    /// Says hello on connections that are new, as soon as they take it.
    func greet() throws(ZMQError) {
        let waiting = greeting
        greeting.removeAll(keepingCapacity: true)
        for place in waiting {
            let line = lines[place]
            guard try sendPing(line) else {
                greeting.append(place)
                continue
            }
            line.isGreeted = true
            markDirty(line)
            switch line.role {
            case .producer(let producer): if line.isAgain { try reattach(producer, line) }
            case .subscriber(let subscriber): try follow(subscriber, line)
            case .control: break
            }
        }
    }

    /// Asks for a sign of life; the answer comes behind everything that the arbiter has sent before.
    func sendPing(_ line: Line) throws(ZMQError) -> Bool {
        try line.socket.trySend(Array("{\"v\":1,\"op\":\"ping\",\"ref\":\(Digits.base + SwarmClock.nanoseconds())}".utf8))
    }

    /// Subscribes to everything that a subscriber follows.
    func follow(_ subscriber: Int, _ line: Line) throws(ZMQError) {
        if options.profile.subscribers.scope == .all {
            try subscribe(firstCursor[subscriber], line)
        } else {
            for cursor in firstCursor[subscriber]..<firstCursor[subscriber + 1] { try subscribe(cursor, line) }
        }
    }

    /// Subscribes to the surface of a cursor, or to all of them.
    func subscribe(_ cursor: Int, _ line: Line) throws(ZMQError) {
        guard case .subscriber(let subscriber) = line.role else { return }
        let isWhole = options.profile.subscribers.scope == .all
        let concerned = isWhole ? firstCursor[subscriber]..<firstCursor[subscriber + 1] : cursor..<cursor + 1
        for other in concerned {
            ledger.awaits(other)
            parts[other] = 0
        }
        let scope = isWhole ? options.surfacePrefix + "/" : ledger.surfaces[ledger.cursors[cursor].surface].path
        let text = "{\"v\":1,\"op\":\"subscribe\",\"ref\":\"s\(cursor)\",\"surface\":\(JSONValue.string(scope).text)}"
        if try line.socket.trySend(Array(text.utf8)) {
            markDirty(line)
        } else {
            timers.add(
                .init(
                    due: SwarmClock.nanoseconds() + 5_000_000, action: .subscribe, line: Int32(line.place), subject: UInt64(cursor))
            )
        }
    }

    /// Closes a connection and makes it again, as a program does that was started again.
    func reopen(_ line: Line, at now: UInt64) throws(ZMQError) {
        let socket: DealerSocket
        do throws(ZMQError) {
            socket = try maker.socket(isSlow: line.isSlow)
        } catch ZMQError.tooManyOpenFiles {
            // libzmq has not done away with the closed ones yet; this one stays a while longer.
            return
        }
        unwatch(line)
        line.socket.close()
        line.socket = socket
        line.descriptor = try line.socket.descriptor()
        line.isGreeted = false
        line.isAgain = true
        line.session = 0
        measured.counts.reconnects += 1
        if case .subscriber(let subscriber) = line.role {
            for cursor in firstCursor[subscriber]..<firstCursor[subscriber + 1] { ledger.closed(cursor, at: now) }
        }
        if !line.isSlow { watch(line) }
        greeting.append(line.place)
        markDirty(line)
    }

    /// Until everything is connected and follows its surfaces.
    /// - Returns: false when that failed, or somebody interrupted it.
    func connect() throws(ZMQError) -> Bool {
        let started = SwarmClock.nanoseconds()
        let deadline = started + UInt64(options.connectTimeout) * 1_000_000
        var told = started
        while true {
            try turn(20_000_000)
            if failure != nil { return false }
            let ready = lines.reduce(0) { $0 + (isReady($1) ? 1 : 0) }
            if ready == lines.count { break }
            let now = SwarmClock.nanoseconds()
            if hooks.interruptions() > 0 { return false }
            if now > deadline {
                failure = .notConnected(ready: ready, of: lines.count, options.requests, after: options.connectTimeout)
                return false
            }
            if now - told >= 200_000_000 {
                told = now
                var progress = SwarmProgress()
                progress.ready = ready
                progress.connections = lines.count
                progress.done = Double(ready) / Double(lines.count)
                hooks.progress(progress)
            }
        }
        return true
    }

    private func isReady(_ line: Line) -> Bool {
        guard line.session != 0 else { return false }
        guard case .subscriber(let subscriber) = line.role else { return true }
        return (firstCursor[subscriber]..<firstCursor[subscriber + 1]).allSatisfy { ledger.cursors[$0].phase == .live }
    }
}
