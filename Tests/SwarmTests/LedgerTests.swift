import AlertBusMeasure
import AlertBusModel
import AlertBusSwarm
import AlertBusWire
import Testing

/// The books of one surface and its subscribers, with messages as the arbiter writes them.
private final class Books {
    let ledger: Ledger
    let cursors: [Int]
    private(set) var now: UInt64 = 1_000

    init(subscribers: Int = 1, _ change: (inout SwarmOptions) -> Void = { _ in }) {
        var options = SwarmOptions()
        options.surfaces = 1
        options.profile = SwarmProfile()
        change(&options)
        let ledger = Ledger(options)
        self.ledger = ledger
        cursors = (0..<subscribers).map { ledger.follow(0, by: $0) }
        for cursor in cursors {
            ledger.awaits(cursor)
            ledger.snapshot(cursor, epoch: 3, seq: 0, at: 0)
        }
    }

    /// Raises an alert that is accepted; told at once that it is shown, or not.
    func raise(_ instance: UInt64, isShown: Bool = true, producer: Int = 0, order: UInt64 = 0) -> Int {
        now += 1
        guard let place = ledger.raised(producer: producer, surface: 0, kind: 0, intended: now, sent: now) else {
            preconditionFailure("no place for an alert")
        }
        ledger.accepted(place, instance: instance, isShown: isShown, order: order, isResent: false, at: now)
        return place
    }

    func end(_ place: Int, _ reason: Reason = .withdrawn, token: UInt64 = 0) {
        now += 1
        ledger.told(.ended, of: ledger.number(at: place), reason: reason, token: token, isReply: false, at: now)
    }

    @discardableResult
    func show(
        _ seq: UInt64, _ key: String, _ instance: UInt64, priority: UInt8 = 1, reason: Reason = .raised, to cursor: Int = 0
    ) -> Ledger.Verdict {
        let alert = ShownAlert(key: key, instance: instance, revision: 1, priority: priority)
        return send(StreamMessage(surface: "swarm/0", epoch: 3, seq: seq, reason: reason, change: .show(alert)), cursor)
    }

    @discardableResult
    func hide(_ seq: UInt64, _ key: String, _ instance: UInt64, reason: Reason = .withdrawn, to cursor: Int = 0) -> Ledger.Verdict {
        send(
            StreamMessage(surface: "swarm/0", epoch: 3, seq: seq, reason: reason, change: .hide(key: key, instance: instance)),
            cursor)
    }

    private func send(_ message: StreamMessage, _ cursor: Int) -> Ledger.Verdict {
        now += 1
        var writer = MessageWriter()
        writer.stream(message)
        return writer.bytes.withUnsafeBytes { ledger.streamed(cursors[cursor], $0, at: now) }
    }

    /// The checks that found something at the end.
    func findings() -> [SwarmReport.Check.Name: [String]] {
        ledger.finish()
        return Dictionary(
            uniqueKeysWithValues: ledger.findings.list.filter { !$0.passed }.map { ($0.name, $0.examples) })
    }
}

@Suite("The books")
struct LedgerTests {
    @Test("are clean when everything agrees")
    func clean() {
        let books = Books(subscribers: 2)
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        for subscriber in 0...1 { books.show(1, key, 1, to: subscriber) }
        books.end(place)
        for subscriber in 0...1 { books.hide(2, key, 1, to: subscriber) }
        #expect(books.findings().isEmpty)
        #expect(books.ledger.findings[.lost].examined == 1 && books.ledger.findings[.order].examined == 5)
    }

    @Test("find what never came to the screen")
    func neverShown() {
        let books = Books()
        books.end(books.raise(1))
        #expect(books.findings().keys.map(\.self) == [.lost])
    }

    @Test("find what was never taken from the screen")
    func neverHidden() {
        let books = Books()
        let place = books.raise(1)
        books.show(1, books.ledger.key(at: place), 1)
        books.end(place)
        #expect(books.findings()[.lost]?.first?.contains("never told to hide it") == true)
    }

    @Test("find a message that is missing, and name it")
    func hole() {
        let books = Books()
        let place = books.raise(1)
        books.show(1, books.ledger.key(at: place), 1)
        #expect(books.hide(3, "other", 9) == .hole)
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 3, at: books.now)
        books.end(place)
        #expect(books.findings() == [.lost: ["swarm/0: seq 2 of epoch 3 did not come to subscriber 0"]])
    }

    @Test("find that the last message is missing")
    func lostTail() {
        let books = Books()
        let place = books.raise(1)
        books.show(1, books.ledger.key(at: place), 1)
        #expect(books.ledger.isComplete(books.cursors[0], epoch: 3, seq: 1))
        #expect(!books.ledger.isComplete(books.cursors[0], epoch: 3, seq: 2))
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 2, at: books.now)
        books.end(place)
        #expect(books.findings()[.lost]?.first?.contains("seq 2") == true)
    }

    @Test("find two messages that were swapped")
    func swapped() {
        let books = Books()
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        #expect(books.hide(2, key, 1) == .hole)
        books.show(1, key, 1)
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 2, at: books.now)
        books.end(place)
        #expect(books.findings() == [.order: ["swarm/0: seq 1 came to subscriber 0 after 2"]])
    }

    @Test("find a message that came twice")
    func doubled() {
        let books = Books()
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        books.show(1, key, 1)
        books.show(1, key, 1)
        books.hide(2, key, 1)
        books.end(place)
        #expect(books.findings() == [.doubled: ["swarm/0: seq 1 came to subscriber 0 again after 1"]])
    }

    @Test("find an alert that is shown twice under two numbers")
    func shownTwice() {
        let books = Books()
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        books.show(1, key, 1)
        books.show(2, key, 1)
        books.hide(3, key, 1)
        books.end(place)
        #expect(books.findings()[.doubled]?.first?.contains("which is on the screen") == true)
    }

    @Test("find two subscribers that are told different things")
    func different() {
        let books = Books(subscribers: 2)
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        books.show(1, key, 1, to: 0)
        books.show(1, key, 2, to: 1)
        for subscriber in 0...1 { books.hide(2, key, 1, to: subscriber) }
        books.end(place)
        #expect(books.findings() == [.order: ["swarm/0: subscribers got different messages with seq 1"]])
    }

    @Test("find an election that passed over a better one")
    func election() {
        let books = Books()
        let first = books.raise(1, isShown: false)
        let second = books.raise(2, isShown: false)
        for (seq, place, instance) in [(1, second, 2), (3, first, 1)] as [(UInt64, Int, UInt64)] {
            let key = books.ledger.key(at: place)
            books.ledger.told(
                .shown, of: books.ledger.number(at: place), reason: .dequeued, token: 0, isReply: false, at: books.now)
            books.show(seq, key, instance, reason: .dequeued)
            books.hide(seq + 1, key, instance)
            books.end(place)
        }
        #expect(books.findings()[.order]?.first?.contains("after instance 2, which should have come later") == true)
    }

    @Test("find a producer whose commands were taken in another order")
    func producerOrder() {
        let books = Books(subscribers: 0)
        books.end(books.raise(5, order: 1))
        books.end(books.raise(4, order: 2))
        #expect(books.findings().keys.map(\.self) == [.order])
    }

    @Test("find an alert that does not end, and one without a reply")
    func endless() {
        let books = Books(subscribers: 0)
        _ = books.raise(1)
        _ = books.ledger.raised(producer: 0, surface: 0, kind: 0, intended: 1, sent: 1)
        let findings = books.findings()
        #expect(findings[.ended]?.count == 1)
        #expect(findings[.lost]?.first?.contains("got no reply") == true)
    }

    @Test("find an end that is told twice")
    func endedTwice() {
        let books = Books(subscribers: 0)
        let place = books.raise(1)
        let number = books.ledger.number(at: place)
        books.end(place)
        books.ledger.told(.ended, of: number, reason: .expired, token: 0, isReply: false, at: books.now)
        #expect(books.findings()[.doubled]?.first?.contains("after its end") == true)
    }

    @Test("find an answer that reached nobody, or the wrong one")
    func answers() {
        let books = Books(subscribers: 0)
        for (token, heard, reason) in [(7, 7, Reason.answered), (8, 9, .answered), (10, 0, .expired)] as [(UInt64, UInt64, Reason)]
        {
            let place = books.raise(token)
            books.ledger.answered(place, token: token, intended: books.now, sent: books.now)
            books.ledger.confirmed(place, token: token)
            books.end(place, reason, token: heard)
        }
        #expect(books.findings()[.answered]?.count == 2)
        #expect(books.ledger.findings[.answered].examined == 3)
    }

    @Test("do not count what a closed connection could not tell, and go on behind it")
    func excused() {
        let books = Books()
        let place = books.raise(1)
        let key = books.ledger.key(at: place)
        books.show(1, key, 1)
        books.ledger.closed(books.cursors[0], at: books.now)
        books.ledger.awaits(books.cursors[0])
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 5, at: books.now)
        books.end(place)
        // What is uncertain stays until the screens have said what they had then.
        books.ledger.passTime(to: books.now)
        books.hide(6, key, 1)
        books.ledger.confirm(books.cursors[0], until: books.now + 1)
        books.ledger.passTime(to: books.now)
        let next = books.raise(2)
        let other = books.ledger.key(at: next)
        books.show(7, other, 2)
        books.hide(8, other, 2)
        books.end(next)
        #expect(books.findings().isEmpty)
    }

    @Test("join the snapshot and what came while it was awaited")
    func early() {
        let books = Books()
        books.ledger.awaits(books.cursors[0])
        books.hide(1, "other", 1)
        books.hide(2, "other", 1)
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 1, at: books.now)
        books.hide(3, "other", 1)
        #expect(books.findings().isEmpty)
        books.ledger.awaits(books.cursors[0])
        books.hide(6, "other", 1)
        books.ledger.snapshot(books.cursors[0], epoch: 3, seq: 4, at: books.now)
        #expect(books.findings()[.lost]?.first?.contains("seq 5 to 5") == true)
    }
}
