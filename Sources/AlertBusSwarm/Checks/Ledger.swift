import AlertBusModel

/// The books of a swarm: what each alert's producer was told, what the screens were shown, and whether the two agree.
///
/// Knows no socket and no clock; times are nanoseconds that the caller gives.
package final class Ledger {
    let table = NumberedTable<AlertRecord>()
    package var findings = Findings()
    let surfaces: [SurfaceStream]
    var cursors: [StreamCursor] = []
    let reasons = ReasonWords()
    let prefix: [UInt8]
    /// For each kind of alert whether it may be intercepted.
    let kindsIntercept: [Bool]
    /// Alerts that ended, by reason.
    private(set) var ended: [Reason: UInt64] = [:]
    private(set) var endedInAll: UInt64 = 0
    /// Alerts that were shown, each once.
    var shown: UInt64 = 0
    /// The oldest and the newest living alert of each producer; -1 is none.
    private(set) var oldest: [Int32]
    private(set) var newest: [Int32]
    private(set) var alive: [Int]
    /// The last acceptance of each producer.
    private var lastOrder: [UInt64]
    private var lastInstance: [UInt64]
    /// Alerts that are over but about which something may still come, oldest first.
    private var resting: [(number: UInt64, since: UInt64)] = []

    /// How long something may still come where no screen can tell that nothing does, in nanoseconds.
    static let rest: UInt64 = 10_000_000_000

    package init(_ options: SwarmOptions) {
        let count = options.ownSurfaces
        var memory = 1024
        while memory > 64 && memory * count > 1 << 16 { memory /= 2 }
        let isDecidable = options.profile.kinds.allSatisfy { $0.minShow == 0 }
        kindsIntercept = options.profile.kinds.map(\.intercept)
        prefix = Array((options.surfacePrefix + "/").utf8)
        surfaces = (0..<count).map { local in
            SurfaceStream(
                index: local, path: "\(options.surfacePrefix)/\(local)", policy: options.profile.policy,
                isDecidable: isDecidable, memory: memory)
        }
        oldest = [Int32](repeating: -1, count: options.ownProducers)
        newest = oldest
        alive = [Int](repeating: 0, count: options.ownProducers)
        lastOrder = [UInt64](repeating: 0, count: options.ownProducers)
        lastInstance = lastOrder
    }

    package func key(_ number: UInt64) -> String { "a\(Digits.base + number)" }

    package func key(at place: Int) -> String { key(table.records[place].number) }

    /// The number of the alert at a place, as replies and timers name it.
    package func number(at place: Int) -> UInt64 { table.records[place].number }

    /// A subscriber that will follow a surface.
    /// - Returns: the place of its cursor.
    package func follow(_ surface: Int, by subscriber: Int, isSlow: Bool = false) -> Int {
        surfaces[surface].cursors.append(cursors.count)
        cursors.append(StreamCursor(surface: surface, subscriber: subscriber, isSlow: isSlow))
        return cursors.count - 1
    }

    func path(_ record: AlertRecord) -> String { surfaces[Int(record.surface)].path }

    // MARK: What producers do and hear

    /// A new alert; nil when too many are living.
    package func raised(producer: Int, surface: Int, kind: Int, intended: UInt64, sent: UInt64) -> Int? {
        guard let place = table.add() else { return nil }
        table.records[place].producer = Int32(producer)
        table.records[place].surface = Int32(surface)
        table.records[place].kind = UInt8(kind)
        table.records[place].intended = intended
        table.records[place].sent = sent
        return place
    }

    /// It was never sent, or it was refused.
    func forget(_ place: Int) {
        unlist(place)
        table.remove(place)
    }

    /// - Parameters:
    ///   - order: the command's place among those of its producer.
    ///   - isResent: an earlier reply may be lost, and with it what happened since.
    package func accepted(_ place: Int, instance: UInt64, isShown: Bool, order: UInt64, isResent: Bool, at now: UInt64) {
        findings.looked(at: .order)
        let producer = Int(table.records[place].producer)
        if isResent {
            table.records[place].flags.insert(.uncertain)
        } else {
            if order > lastOrder[producer] {
                if instance < lastInstance[producer] {
                    findings.found(
                        .order,
                        "\(path(table.records[place])): \(key(table.records[place].number)) got the instance \(instance), though its producer sent it after the one that got \(lastInstance[producer])"
                    )
                }
                lastOrder[producer] = order
                lastInstance[producer] = instance
            }
        }
        let seen = table.records[place].instance
        // Sent again after the end of the first one, it is another alert, which has its own end.
        if isResent && seen != 0 && seen != instance { table.records[place].flags.remove(.ended) }
        if seen != 0 && seen != instance && !table.records[place].flags.contains(.uncertain) {
            findings.found(
                .doubled,
                "\(path(table.records[place])): \(key(table.records[place].number)) was accepted as instance \(instance) and shown as \(seen)"
            )
        }
        table.records[place].instance = instance
        table.records[place].flags.insert(.accepted)
        if isShown { table.records[place].told += 1 }
        if !table.records[place].flags.contains(.ended) { list(place) }
        settle(place, at: now)
    }

    /// A rung of the receipt ladder.
    package func told(
        _ event: Receipt.Event, of number: UInt64, instance: UInt64 = 0, reason: Reason, token: UInt64, isReply: Bool,
        at now: UInt64
    ) {
        guard let place = table.place(of: number) else {
            if table.hasGiven(number) && !isReply {
                findings.found(
                    .doubled, "\(key(number)): its producer was told \(event.rawValue) (\(reason.rawValue)) after its end")
            }
            return
        }
        if table.records[place].flags.contains(.ended) {
            if isReply || table.records[place].flags.contains(.uncertain) { return }
            findings.found(
                .doubled,
                "\(path(table.records[place])): \(key(number)): its producer was told \(event.rawValue) (\(reason.rawValue)) after its end"
            )
            return
        }
        if table.records[place].instance == 0 { table.records[place].instance = instance }
        switch event {
        case .shown, .resumed: if !isReply { table.records[place].told += 1 }
        case .loading, .deferred, .covered: break
        case .ended:
            table.records[place].flags.insert(.ended)
            table.records[place].reason = reason
            if reason == .answered { table.records[place].heard = token }
            ended[reason, default: 0] += 1
            endedInAll += 1
            unlist(place)
            settle(place, at: now)
        }
    }

    // MARK: What people do

    package func answered(_ place: Int, token: UInt64, intended: UInt64, sent: UInt64) {
        table.records[place].answer = token
        table.records[place].answerIntended = intended
        table.records[place].answerSent = sent
    }

    package func confirmed(_ place: Int, token: UInt64) { table.records[place].confirmed = token }

    // MARK: The list of a producer's living alerts

    private func list(_ place: Int) {
        if table.records[place].flags.contains(.listed) { return }
        let producer = Int(table.records[place].producer)
        table.records[place].flags.insert(.listed)
        table.records[place].previous = newest[producer]
        table.records[place].next = -1
        if newest[producer] >= 0 {
            table.records[Int(newest[producer])].next = Int32(place)
        } else {
            oldest[producer] = Int32(place)
        }
        newest[producer] = Int32(place)
        alive[producer] += 1
    }

    private func unlist(_ place: Int) {
        guard table.records[place].flags.contains(.listed) else { return }
        let record = table.records[place]
        let producer = Int(record.producer)
        table.records[place].flags.remove(.listed)
        if record.previous >= 0 { table.records[Int(record.previous)].next = record.next } else { oldest[producer] = record.next }
        if record.next >= 0 {
            table.records[Int(record.next)].previous = record.previous
        } else {
            newest[producer] = record.previous
        }
        alive[producer] -= 1
    }

    // MARK: The end

    func isUncertain(_ record: AlertRecord) -> Bool {
        record.flags.contains(.uncertain) || record.sent <= surfaces[Int(record.surface)].jumpedAt
    }

    /// Closes the books of an alert when nothing about it is missing any more.
    func settle(_ place: Int, at now: UInt64) {
        let record = table.records[place]
        guard record.flags.contains([.ended, .accepted]), record.pending == 0 else { return }
        if surfaces[Int(record.surface)].cursors.isEmpty { return conclude(place) }
        if isUncertain(record) {
            // What the screens still have to say of it cannot be known, so it stays until they have said what they had then.
            resting.append((record.number, now))
        } else if record.hides == record.shows && record.shows >= record.told {
            conclude(place)
        }
    }

    /// Closes the books of those about which nothing can come any more.
    package func passTime(to now: UInt64) {
        if resting.isEmpty { return }
        let confirmed = surfaces.map { self.confirmed($0, at: now) }
        resting.removeAll { item in
            guard let place = table.place(of: item.number) else { return true }
            guard item.since < confirmed[Int(table.records[place].surface)] else { return false }
            conclude(place)
            return true
        }
    }

    /// The time up to which all screens of a surface have everything.
    private func confirmed(_ surface: SurfaceStream, at now: UInt64) -> UInt64 {
        var earliest = UInt64.max
        for index in surface.cursors where !cursors[index].isSlow {
            earliest = min(earliest, cursors[index].phase == .live ? cursors[index].confirmed : 0)
        }
        return earliest == .max ? now - min(now, Self.rest) : earliest
    }

    /// A subscriber has everything of a surface that was published before a time.
    package func confirm(_ cursor: Int, until time: UInt64) {
        if cursors[cursor].phase == .live { cursors[cursor].confirmed = time }
    }

    /// Compares what was told with what was shown, and gives the place free.
    private func conclude(_ place: Int) {
        let record = table.records[place]
        findings.looked(at: .lost)
        findings.looked(at: .ended)
        if !surfaces[Int(record.surface)].cursors.isEmpty && !isUncertain(record) { compare(record) }
        checkAnswer(record)
        forget(place)
    }

    private func compare(_ record: AlertRecord) {
        let name = "\(path(record)): \(key(record.number)) (instance \(record.instance))"
        if record.shows < record.told {
            findings.found(
                .lost,
                "\(name): its producer was told \(record.told) times that it is shown, the screens were \(record.shows) times")
        } else if record.shows > record.told {
            findings.found(
                .doubled, "\(name): its producer was told \(record.told) times that it is shown, the screens \(record.shows) times")
        }
        if record.hides < record.shows {
            findings.found(.lost, "\(name): ended \(record.reason.rawValue), and the screens were never told to hide it")
        }
    }

    private func checkAnswer(_ record: AlertRecord) {
        guard record.confirmed != 0 || record.reason == .answered else { return }
        findings.looked(at: .answered)
        let name = "\(path(record)): \(key(record.number)) (instance \(record.instance))"
        if record.confirmed != 0 && record.reason != .answered {
            findings.found(.answered, "\(name): a person's answer was taken, and its producer was told \(record.reason.rawValue)")
        } else if record.heard != record.answer || record.confirmed != 0 && record.confirmed != record.heard {
            findings.found(.answered, "\(name): its producer heard another answer than the one that was given")
        }
    }

    /// The time is over: what is not complete now is lost.
    package func finish() {
        for place in 0..<table.capacity where table.records[place].number != 0 {
            let record = table.records[place]
            let name = "\(path(record)): \(key(record.number))"
            if !record.flags.contains(.accepted) {
                findings.looked(at: .lost)
                findings.found(.lost, "\(name): its raise got no reply")
                forget(place)
            } else if !record.flags.contains(.ended) {
                findings.looked(at: .ended)
                findings.found(.ended, "\(name) (instance \(record.instance)) was accepted and did not end in time")
                forget(place)
            } else {
                conclude(place)
            }
        }
    }
}
