import AlertBusMeasure
import AlertBusModel

// What the screens are shown.
extension Ledger {
    /// What became of a message of a stream.
    package enum Verdict: Equatable {
        /// It came as it should. The times are those of its producer; the place is that of an alert that came to the screen and has not
        /// been seen there by anybody before.
        case applied(intended: UInt64, sent: UInt64, newlyShown: Int?)
        /// The snapshot that is awaited contains it, or it came twice.
        case ignored
        /// Something before it is missing: subscribe again.
        case hole
    }

    /// The local number of a surface of this swarm; nil for any other.
    func surface(_ range: ByteRange, _ bytes: UnsafePointer<UInt8>) -> Int? {
        guard range.count > prefix.count else { return nil }
        for place in prefix.indices where bytes[range.start + place] != prefix[place] { return nil }
        var number = 0
        for place in prefix.count..<range.count {
            let digit = Int(bytes[range.start + place]) - 48
            guard digit >= 0, digit <= 9, number < 1 << 40 else { return nil }
            number = number * 10 + digit
        }
        return number < surfaces.count ? number : nil
    }

    /// The number in a key of this swarm; `ScannedMessage.none` for any other.
    func number(_ range: ByteRange, _ bytes: UnsafePointer<UInt8>) -> UInt64 {
        guard range.count == Digits.count + 1, bytes[range.start] == UInt8(ascii: "a") else { return ScannedMessage.none }
        return Digits.read(bytes + range.start + 1, Digits.count) ?? ScannedMessage.none
    }

    // MARK: One subscriber

    /// It follows the surface from its next snapshot on.
    package func awaits(_ cursor: Int) {
        cursors[cursor].phase = .awaiting
        cursors[cursor].earlyFirst = 0
        cursors[cursor].earlyLast = 0
    }

    package func closed(_ cursor: Int, at now: UInt64) {
        cursors[cursor].phase = .closed
        cursors[cursor].missing = []
        catchUp(surfaces[cursors[cursor].surface], at: now)
    }

    /// A message of a stream, as it came.
    package func streamed(_ cursor: Int, _ bytes: UnsafeRawBufferPointer, at now: UInt64) -> Verdict {
        var message = ScannedMessage()
        var scanner = MessageScanner(bytes)
        return scanner.scan(into: &message) ? streamed(cursor, message, bytes, at: now) : .ignored
    }

    func streamed(
        _ cursor: Int, _ message: ScannedMessage, _ bytes: UnsafeRawBufferPointer, at now: UInt64
    ) -> Verdict {
        findings.looked(at: .order)
        let surface = surfaces[cursors[cursor].surface]
        let (seq, epoch) = (message.seq, message.epoch)
        switch cursors[cursor].phase {
        case .closed: return .ignored
        case .awaiting:
            noteEarly(cursor, surface, seq, epoch)
            return take(message, bytes, surface, at: now)
        case .live: break
        }
        if epoch == cursors[cursor].epoch && seq == cursors[cursor].seq + 1 {
            cursors[cursor].seq = seq
            return take(message, bytes, surface, at: now)
        }
        if epoch == cursors[cursor].epoch && seq <= cursors[cursor].seq {
            if let entry = surface.entry(seq), entry.hash != SurfaceStream.hash(bytes) {
                findings.found(
                    .order, "\(surface.path): another message with seq \(seq) came to subscriber \(cursors[cursor].subscriber)")
            } else {
                findings.found(
                    .doubled,
                    "\(surface.path): seq \(seq) came to subscriber \(cursors[cursor].subscriber) again after \(cursors[cursor].seq)"
                )
            }
            return .ignored
        }
        if epoch == cursors[cursor].epoch {
            cursors[cursor].missing.append(cursors[cursor].seq + 1...seq - 1)
        }
        awaits(cursor)
        noteEarly(cursor, surface, seq, epoch)
        _ = take(message, bytes, surface, at: now)
        return .hole
    }

    private func noteEarly(_ cursor: Int, _ surface: SurfaceStream, _ seq: UInt64, _ epoch: UInt64) {
        if !cursors[cursor].missing.isEmpty && epoch == cursors[cursor].epoch { findLate(cursor, surface, seq) }
        if epoch == cursors[cursor].earlyEpoch && seq == cursors[cursor].earlyLast + 1 && cursors[cursor].earlyLast > 0 {
            cursors[cursor].earlyLast = seq
        } else if epoch != cursors[cursor].earlyEpoch || seq > cursors[cursor].earlyLast || cursors[cursor].earlyLast == 0 {
            cursors[cursor].earlyFirst = seq
            cursors[cursor].earlyLast = seq
            cursors[cursor].earlyEpoch = epoch
        }
    }

    /// What was missing comes after all, behind what should have followed it.
    private func findLate(_ cursor: Int, _ surface: SurfaceStream, _ seq: UInt64) {
        guard let index = cursors[cursor].missing.firstIndex(where: { $0.contains(seq) }) else { return }
        let range = cursors[cursor].missing.remove(at: index)
        if range.lowerBound < seq { cursors[cursor].missing.append(range.lowerBound...seq - 1) }
        if range.upperBound > seq { cursors[cursor].missing.append(seq + 1...range.upperBound) }
        findings.found(
            .order, "\(surface.path): seq \(seq) came to subscriber \(cursors[cursor].subscriber) after \(range.upperBound + 1)")
    }

    /// A whole snapshot has come.
    package func snapshot(_ cursor: Int, epoch: UInt64, seq: UInt64, at now: UInt64) {
        let surface = surfaces[cursors[cursor].surface]
        if cursors[cursor].epoch == epoch {
            for range in cursors[cursor].missing {
                for lost in range.prefix(SwarmReport.Check.mostExamples) {
                    findings.found(
                        .lost,
                        "\(surface.path): seq \(lost) of epoch \(epoch) did not come to subscriber \(cursors[cursor].subscriber)")
                }
            }
        }
        cursors[cursor].missing = []
        cursors[cursor].phase = .live
        cursors[cursor].epoch = epoch
        cursors[cursor].seq = seq
        let (first, last) = (cursors[cursor].earlyFirst, cursors[cursor].earlyLast)
        if cursors[cursor].earlyEpoch == epoch && last > seq {
            if first <= seq + 1 {
                cursors[cursor].seq = last
            } else {
                cursors[cursor].seq = last
                findings.found(
                    .lost,
                    "\(surface.path): seq \(seq + 1) to \(first - 1) of epoch \(epoch) did not come to subscriber \(cursors[cursor].subscriber) after its snapshot"
                )
            }
        }
        if epoch > surface.epoch { surface.jump(epoch: epoch, seq: cursors[cursor].seq, at: surface.epoch == 0 ? 0 : now) }
        catchUp(surface, at: now)
    }

    /// The arbiter says where the stream stands, behind everything that it has sent before.
    /// - Returns: false when something is missing: subscribe again.
    package func isComplete(_ cursor: Int, epoch: UInt64, seq: UInt64) -> Bool {
        guard cursors[cursor].phase == .live, cursors[cursor].epoch == epoch, seq > cursors[cursor].seq else { return true }
        cursors[cursor].missing.append(cursors[cursor].seq + 1...seq)
        awaits(cursor)
        return false
    }

    // MARK: The story of the surface

    /// Takes a message into the story, or compares it with what the story says.
    private func take(
        _ message: ScannedMessage, _ bytes: UnsafeRawBufferPointer, _ surface: SurfaceStream, at now: UInt64
    ) -> Verdict {
        if message.epoch != surface.epoch {
            // The snapshot of a new epoch comes soon, and nothing counts before it.
            return .ignored
        }
        if message.seq == surface.seq + 1 {
            let shown = advance(surface, message, bytes, at: now)
            if !surface.ahead.isEmpty { takeAhead(surface, at: now) }
            return .applied(intended: message.intended, sent: message.sent, newlyShown: shown)
        }
        if message.seq <= surface.seq {
            guard let entry = surface.entry(message.seq) else {
                return .applied(intended: message.intended, sent: message.sent, newlyShown: nil)
            }
            if entry.hash != SurfaceStream.hash(bytes) {
                findings.found(.order, "\(surface.path): subscribers got different messages with seq \(message.seq)")
            }
            return .applied(intended: message.intended, sent: message.sent, newlyShown: nil)
        }
        surface.ahead[message.seq] = Array(bytes)
        catchUp(surface, at: now)
        return .applied(intended: message.intended, sent: message.sent, newlyShown: nil)
    }

    /// Goes on behind a part that nobody can bring any more.
    private func catchUp(_ surface: SurfaceStream, at now: UInt64) {
        var nearest = UInt64.max
        for index in surface.cursors
        where cursors[index].phase == .live && cursors[index].epoch == surface.epoch && !cursors[index].isSlow {
            nearest = min(nearest, cursors[index].seq)
        }
        for seq in surface.ahead.keys { nearest = min(nearest, seq - 1) }
        guard nearest != .max, nearest > surface.seq else { return }
        surface.jump(epoch: surface.epoch, seq: nearest, at: now)
        takeAhead(surface, at: now)
    }

    private func takeAhead(_ surface: SurfaceStream, at now: UInt64) {
        while let bytes = surface.ahead.removeValue(forKey: surface.seq + 1) {
            bytes.withUnsafeBytes { buffer in
                var message = ScannedMessage()
                var scanner = MessageScanner(buffer)
                _ = scanner.scan(into: &message)
                _ = advance(surface, message, buffer, at: now)
            }
        }
    }

    /// - Returns: the place of an alert that came to the screen for the first time.
    private func advance(
        _ surface: SurfaceStream, _ message: ScannedMessage, _ bytes: UnsafeRawBufferPointer, at now: UInt64
    ) -> Int? {
        surface.seq = message.seq
        surface.remember(
            SurfaceStream.Entry(
                seq: message.seq, hash: SurfaceStream.hash(bytes), intended: message.intended, sent: message.sent))
        let text = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let number = self.number(message.key, text)
        guard let place = table.place(of: number) else {
            // Behind a missing part it may be the rest of something that is over.
            if number != ScannedMessage.none && table.hasGiven(number) && now - min(now, surface.jumpedAt) > Self.rest {
                findings.found(.doubled, "\(surface.path): seq \(message.seq) is about \(key(number)), which is over")
            }
            return nil
        }
        switch message.op(text) {
        case .show: return show(place, surface, message, reasons.find(message.reason, text), at: now)
        case .update: update(place, surface, message)
        case .hide: hide(place, surface, message, reasons.find(message.reason, text), at: now)
        case .accepted, .refused, .done, .event, .other: break
        }
        return nil
    }

    private func show(
        _ place: Int, _ surface: SurfaceStream, _ message: ScannedMessage, _ reason: Reason?, at now: UInt64
    ) -> Int? {
        findings.looked(at: .doubled)
        let record = table.records[place]
        if record.flags.contains(.onScreen) {
            if !isUncertain(record) {
                findings.found(
                    .doubled,
                    "\(surface.path): seq \(message.seq) shows \(key(record.number)) (instance \(message.instance)), which is on the screen"
                )
            }
        } else {
            surface.onScreen += 1
        }
        if record.instance != 0 && record.instance != message.instance && !isUncertain(record) {
            findings.found(
                .doubled,
                "\(surface.path): seq \(message.seq) shows \(key(record.number)) as instance \(message.instance), and it was \(record.instance)"
            )
        }
        table.records[place].flags.formUnion([.onScreen, .seen])
        table.records[place].instance = message.instance
        table.records[place].revision = UInt32(truncatingIfNeeded: message.revision)
        table.records[place].shows += 1
        checkElection(record, surface, message, reason)
        settle(place, at: now)
        if record.flags.contains(.seen) { return nil }
        shown += 1
        return place
    }

    private func checkElection(_ record: AlertRecord, _ surface: SurfaceStream, _ message: ScannedMessage, _ reason: Reason?) {
        let alert = ElectionOrder.Candidate(instance: message.instance, priority: UInt8(truncatingIfNeeded: message.priority))
        var passedOver: UInt64?
        switch reason {
        case .raised: if mayBeIntercepted(record) { surface.elections.shownAtOnce(alert) }
        case .dequeued: passedOver = surface.elections.elected(alert)
        case .resumed: passedOver = surface.elections.resumed(alert, since: record.coveredAt)
        default: break
        }
        guard let passedOver, !isUncertain(record) else { return }
        findings.found(
            .order,
            "\(surface.path): seq \(message.seq) shows \(key(record.number)) (instance \(message.instance), priority \(message.priority)) after instance \(passedOver), which should have come later"
        )
    }

    private func update(_ place: Int, _ surface: SurfaceStream, _ message: ScannedMessage) {
        let record = table.records[place]
        let revision = UInt32(truncatingIfNeeded: message.revision)
        table.records[place].revision = revision
        if isUncertain(record) { return }
        if !record.flags.contains(.onScreen) {
            findings.found(.order, "\(surface.path): seq \(message.seq) updates \(key(record.number)), which is not on the screen")
        } else if revision <= record.revision {
            findings.found(
                .order,
                "\(surface.path): seq \(message.seq) brings revision \(revision) of \(key(record.number)) after \(record.revision)")
        }
    }

    private func hide(
        _ place: Int, _ surface: SurfaceStream, _ message: ScannedMessage, _ reason: Reason?, at now: UInt64
    ) {
        let record = table.records[place]
        if record.flags.contains(.onScreen) {
            surface.onScreen -= 1
        } else if !isUncertain(record) {
            findings.found(.lost, "\(surface.path): seq \(message.seq) hides \(key(record.number)), which was never shown")
        }
        table.records[place].flags.remove(.onScreen)
        table.records[place].hides += 1
        if reason == .covered { table.records[place].coveredAt = surface.elections.count }
        settle(place, at: now)
    }

    private func mayBeIntercepted(_ record: AlertRecord) -> Bool {
        Int(record.kind) < kindsIntercept.count && kindsIntercept[Int(record.kind)]
    }
}
