import AlertBusModel
import AlertBusWire
import ZeroMQ

// What comes in.
extension Swarm {
    /// Messages of one connection in one go, so that one that has very many does not hold up the others.
    private static let portion = 256

    func receive(_ line: Line, atMost portion: Int = Swarm.portion) throws(ZMQError) {
        var left = portion
        while left > 0, try line.socket.tryReceive(into: &message) {
            left -= 1
            message.withUnsafeBytes { handle($0, line) }
        }
        // What is left is not told by the descriptor again.
        if left == 0 && !line.isSlow { markDirty(line) }
        if !repairs.isEmpty { try repair() }
    }

    /// What handling a message found to be done on its connection.
    enum Repair {
        case subscribe(cursor: Int, line: Int)
        case reattach(line: Int)
        case ask(alert: UInt64, line: Int)
    }

    private func repair() throws(ZMQError) {
        let waiting = repairs
        repairs = []
        for item in waiting {
            switch item {
            case .subscribe(let cursor, let place): try subscribe(cursor, lines[place])
            case .reattach(let place):
                switch lines[place].role {
                case .producer(let producer): try reattach(producer, lines[place])
                case .subscriber(let subscriber): try follow(subscriber, lines[place])
                case .control: break
                }
            case .ask(let number, let place):
                guard let alert = ledger.table.place(of: number) else { break }
                let now = SwarmClock.nanoseconds()
                _ = try send(.status, alert, lines[place], intended: now, at: now)
            }
        }
    }

    private func handle(_ bytes: UnsafeRawBufferPointer, _ line: Line) {
        var scanned = ScannedMessage()
        guard bytes.count > 0 else { return }
        var scanner = MessageScanner(bytes)
        guard scanner.scan(into: &scanned) else { return decode(bytes, line) }
        let text = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        switch scanned.op(text) {
        case .show, .update, .hide: streamed(scanned, bytes, text, line)
        case .event where scanned.ref == ScannedMessage.none: told(scanned, text)
        case .event, .accepted, .done: replied(scanned, text, line)
        case .refused:
            if scanned.ref == ScannedMessage.none { decode(bytes, line) } else { replied(scanned, text, line) }
        case .other: decode(bytes, line)
        }
    }

    // MARK: Streams

    private func streamed(
        _ scanned: ScannedMessage, _ bytes: UnsafeRawBufferPointer, _ text: UnsafePointer<UInt8>, _ line: Line
    ) {
        guard case .subscriber(let subscriber) = line.role else { return }
        measured.counts.deliveries += 1
        guard let surface = ledger.surface(scanned.surface, text), let cursor = cursor(of: subscriber, surface) else {
            ledger.findings.found(
                .order,
                "\(scanned.surface.text(text)): a message of it came to subscriber \(options.share.number(subscriber)), which does not follow it"
            )
            return
        }
        let now = SwarmClock.nanoseconds()
        switch ledger.streamed(cursor, scanned, bytes, at: now) {
        case .applied(let intended, let sent, let newlyShown):
            // What waited by the rules was not slow; only what came to the screen at once is timed.
            if intended != ScannedMessage.none, sent != ScannedMessage.none, !ledger.cursors[cursor].isSlow,
                scanned.reason.says("raised", text) || scanned.reason.says("updated", text)
            {
                measured.onScreen(due: intended, sent: sent, at: now)
            }
            if let newlyShown { noticed(newlyShown, by: line, at: now) }
        case .ignored: break
        case .hole: repairs.append(.subscribe(cursor: cursor, line: line.place))
        }
    }

    private func cursor(of subscriber: Int, _ surface: Int) -> Int? {
        let first = firstCursor[subscriber]
        let count = firstCursor[subscriber + 1] - first
        let offset =
            options.profile.subscribers.scope == .all
            ? surface : options.ownSubscribers >= ledger.surfaces.count ? 0 : (surface - subscriber) / options.ownSubscribers
        guard offset >= 0, offset < count, ledger.cursors[first + offset].surface == surface else { return nil }
        return first + offset
    }

    /// A person at the screen sees an alert, and may do something about it.
    private func noticed(_ place: Int, by line: Line, at now: UInt64) {
        let people = options.profile.people
        guard people.answer > 0 || people.dismiss > 0, isLoading else { return }
        let action: TimerHeap.Action
        if random.below(100) < people.answer {
            action = .answer
        } else if random.below(100) < people.dismiss {
            action = .dismiss
        } else {
            return
        }
        let think = random.around(UInt64(people.think) * 1_000_000)
        timers.add(
            .init(due: now + think, action: action, line: Int32(line.place), subject: ledger.table.records[place].number))
    }

    // MARK: Replies

    private func told(_ scanned: ScannedMessage, _ text: UnsafePointer<UInt8>) {
        let number = ledger.number(scanned.key, text)
        guard number != ScannedMessage.none, let event = event(scanned.event, text),
            let reason = ledger.reasons.find(scanned.reason, text)
        else { return }
        note(event, of: number, scanned.instance, reason, token: scanned.token, isReply: false)
    }

    private func note(
        _ event: Receipt.Event, of number: UInt64, _ instance: UInt64, _ reason: Reason, token: UInt64, isReply: Bool
    ) {
        let now = SwarmClock.nanoseconds()
        if event == .ended, let place = ledger.table.place(of: number) {
            let record = ledger.table.records[place]
            if reason == .answered && record.answer == token && !record.flags.contains(.ended) {
                measured.answered(due: record.answerIntended, sent: record.answerSent, at: now)
            }
            makeRunnableIfWaiting(Int(record.producer))
        }
        ledger.told(event, of: number, instance: instance, reason: reason, token: token, isReply: isReply, at: now)
    }

    private func event(_ range: ByteRange, _ text: UnsafePointer<UInt8>) -> Receipt.Event? {
        if range.says("shown", text) { return .shown }
        if range.says("ended", text) { return .ended }
        if range.says("deferred", text) { return .deferred }
        if range.says("covered", text) { return .covered }
        if range.says("resumed", text) { return .resumed }
        return range.says("loading", text) ? .loading : nil
    }

    private func replied(_ scanned: ScannedMessage, _ text: UnsafePointer<UInt8>, _ line: Line) {
        guard let place = pending.place(of: scanned.ref) else {
            if scanned.ref != ScannedMessage.none && !resent.contains(scanned.ref) {
                ledger.findings.found(
                    .doubled, "a reply to a command came again: \(scanned.opWord.text(text)), ref \(Digits.base + scanned.ref)")
            }
            return
        }
        let now = SwarmClock.nanoseconds()
        let command = pending.records[place]
        pending.remove(place)
        let isOfProducer = command.kind == .raise || command.kind == .update || command.kind == .withdraw
        if isOfProducer, case .producer(let producer) = line.role {
            outstanding[producer] -= 1
            if command.kind == .raise { raising[producer] -= 1 }
            measured.acknowledged(due: command.intended, sent: command.sent, at: now)
            makeRunnableIfWaiting(producer)
        }
        let op = scanned.op(text)
        if op == .refused {
            refused(command, ledger.reasons.find(scanned.reason, text) ?? .malformed)
        } else if isOfProducer {
            measured.counts.accepted += 1
        }
        guard let alert = ledger.table.place(of: command.alert) else { return }
        ledger.table.records[alert].pending -= 1
        switch command.kind {
        case .raise:
            guard op == .accepted else { return ledger.forget(alert) }
            ledger.accepted(
                alert, instance: scanned.instance, isShown: scanned.state.says("shown", text), order: command.order,
                isResent: command.resends > 0, at: now)
            // The reply is that of the first time, and the alert may have ended since: nobody was there to be told.
            if command.resends > 0 { repairs.append(.ask(alert: command.alert, line: line.place)) }
        case .answer:
            if op == .done { ledger.confirmed(alert, token: command.number) }
            ledger.settle(alert, at: now)
        case .status:
            statusReplied(alert, op, scanned, text, at: now)
        case .update, .withdraw, .dismiss: ledger.settle(alert, at: now)
        }
    }

    private func statusReplied(
        _ alert: Int, _ op: ScannedMessage.Op, _ scanned: ScannedMessage, _ text: UnsafePointer<UInt8>, at now: UInt64
    ) {
        let record = ledger.table.records[alert]
        guard !record.flags.contains(.ended) else { return ledger.settle(alert, at: now) }
        let name = "\(ledger.path(record)): \(ledger.key(record.number)) (instance \(record.instance))"
        guard op == .event, let event = event(scanned.event, text), let reason = ledger.reasons.find(scanned.reason, text) else {
            ledger.findings.found(.ended, "\(name) was accepted, and now the arbiter does not know it")
            ledger.table.records[alert].flags.insert(.uncertain)
            return note(.ended, of: record.number, 0, .withdrawn, token: ScannedMessage.none, isReply: true)
        }
        if event == .ended && record.flags.contains(.asked) {
            ledger.findings.found(.lost, "\(name) ended \(reason.rawValue), and its producer was not told")
            ledger.table.records[alert].flags.insert(.uncertain)
        }
        note(event, of: record.number, scanned.instance, reason, token: scanned.token, isReply: true)
        if let place = ledger.table.place(of: record.number) { ledger.settle(place, at: now) }
    }

    private func makeRunnableIfWaiting(_ producer: Int) {
        if isWithdrawing || isLoading && (rate == 0 || owed[producer] > 0) { makeRunnable(producer) }
    }

    private func refused(_ command: PendingCommand, _ reason: Reason) {
        if command.kind == .raise || command.kind == .update || command.kind == .withdraw {
            measured.refused[reason, default: 0] += 1
        }
        switch reason {
        case .malformed, .unsupported, .duplicate, .notAllowed, .notLeader:
            ledger.findings.found(
                .lost, "the command \(command.kind) about \(ledger.key(command.alert)) was refused \(reason.rawValue)")
        default: break
        }
    }

    // MARK: Everything else

    private func decode(_ bytes: UnsafeRawBufferPointer, _ line: Line) {
        let decoded: ServerMessage
        do throws(WireFault) {
            decoded = try decoder.decode(bytes)
        } catch {
            ledger.findings.found(.lost, "a message was not understood: \(error)")
            return
        }
        switch decoded {
        case .snapshot(let part): snapshot(part, line)
        case .pong(let pong): ponged(pong, line)
        case .counters(let report):
            arbiter = (report["resident_bytes"], report["descriptors"])
            violations = report["violations"] ?? violations
        case .reply(let ref, .refused(let refusal), _): refusedQuestion(ref, refusal, line)
        default: break
        }
    }

    /// A subscription was refused; where waiting helps it is asked for again.
    private func refusedQuestion(_ ref: [UInt8], _ refusal: Refusal, _ line: Line) {
        let text = String(decoding: ref, as: UTF8.self)
        guard text.hasPrefix("\"s"), let cursor = UInt64(text.dropFirst(2).dropLast()) else { return }
        guard refusal.retryAfter > 0 else {
            failure = .refused("the arbiter refused a subscription (\(refusal.reason.rawValue)): \(refusal.message)")
            return
        }
        let due = SwarmClock.nanoseconds() + UInt64(refusal.retryAfter) * 1_000_000
        timers.add(.init(due: due, action: .subscribe, line: Int32(line.place), subject: cursor))
    }

    private func snapshot(_ part: SnapshotPart, _ line: Line) {
        guard case .subscriber(let subscriber) = line.role else { return }
        for surface in part.surfaces {
            let path = Array(surface.surface.utf8)
            let local = path.withUnsafeBufferPointer { ledger.surface(ByteRange(start: 0, count: path.count), $0.baseAddress!) }
            guard let local, let cursor = cursor(of: subscriber, local) else { continue }
            parts[cursor] = surface.seq
            if origin == 0, let alert = surface.shown.first {
                failure = failure ?? .inUse(surface: surface.surface, key: alert.key)
            }
        }
        guard part.last else { return }
        let now = SwarmClock.nanoseconds()
        for cursor in firstCursor[subscriber]..<firstCursor[subscriber + 1]
        where part.scope.contains(ledger.surfaces[ledger.cursors[cursor].surface].path) {
            // One that nobody asked for takes the place of what the subscriber was too slow for.
            if part.ref.isEmpty || ledger.cursors[cursor].phase == .awaiting {
                ledger.snapshot(cursor, epoch: part.epoch, seq: parts[cursor], at: now)
            }
            parts[cursor] = 0
        }
    }

    private func ponged(_ pong: Pong, _ line: Line) {
        // The arbiter only wanted to know whether this end is still there.
        if pong.session == 0 { return }
        line.isAnswered = true
        let isOther = line.session != 0 && (line.session != pong.session || line.epoch != pong.epoch)
        line.epoch = pong.epoch
        if isOther {
            measured.counts.reconnects += 1
            repairs.append(.reattach(line: line.place))
            line.session = pong.session
            return
        }
        line.session = pong.session
        guard case .subscriber(let subscriber) = line.role else { return }
        if let asked = pong.ref.withUnsafeBufferPointer({ $0.isEmpty ? nil : Digits.read($0.baseAddress!, $0.count) }) {
            for cursor in firstCursor[subscriber]..<firstCursor[subscriber + 1] { ledger.confirm(cursor, until: asked) }
        }
        for position in pong.surfaces {
            let path = Array(position.surface.utf8)
            let local = path.withUnsafeBufferPointer { ledger.surface(ByteRange(start: 0, count: path.count), $0.baseAddress!) }
            guard let local, let cursor = cursor(of: subscriber, local) else { continue }
            if !ledger.isComplete(cursor, epoch: pong.epoch, seq: position.seq) {
                repairs.append(.subscribe(cursor: cursor, line: line.place))
            }
        }
    }
}
