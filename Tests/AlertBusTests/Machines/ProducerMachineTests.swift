import AlertBus
import AlertBusModel
import AlertBusWire
import Testing

/// When a producer sends again, in which order, and what it tells its program.
@Suite struct ProducerMachineTests {
    private func machine(_ change: (inout CommandOutbox.Options) -> Void = { _ in }) -> ProducerMachine {
        var options = CommandOutbox.Options()
        options.endpoint = "tcp://here:1"
        change(&options)
        return ProducerMachine(token: "t", options: options)
    }

    private func live(_ change: (inout CommandOutbox.Options) -> Void = { _ in }) -> ProducerMachine {
        var machine = machine(change)
        machine.connected(at: 0)
        machine.received(Words.pong(), at: 1)
        _ = machine.takeActions()
        return machine
    }

    private func raise(_ key: String, _ surface: String = "lobby/a") -> Request.Body {
        .command(.raise(Raise(surface: surface, key: key)))
    }

    private func accepted(_ id: Int, _ key: String, _ instance: UInt64, _ state: PresentationState = .shown) -> ServerMessage {
        .reply(
            ref: commandRef(id),
            .accepted(Accepted(surface: "lobby/a", key: key, instance: instance, revision: 1, state: state, position: 0)),
            watchers: 1)
    }

    private func event(_ key: String, _ instance: UInt64, _ event: Receipt.Event, _ reason: Reason) -> Receipt {
        Receipt(surface: "lobby/a", key: key, instance: instance, revision: 1, event: event, reason: reason)
    }

    @Test func everythingUnansweredGoesAgainInOrderAfterAReconnect() {
        var machine = live()
        for (id, key) in [(1, "a"), (2, "b"), (3, "c")] {
            machine.ordered(.submit(id: UInt64(id), raise(key), timeout: nil), at: 10)
        }
        #expect(short(&machine) == ["raise a t-1", "raise b t-2", "raise c t-3"])
        machine.received(accepted(2, "b", 5), at: 20)
        #expect(short(&machine) == ["2: accepted 5", "2: shown raised"])
        machine.disconnected(at: 30)
        machine.ordered(.submit(id: 4, raise("d"), timeout: nil), at: 40)
        #expect(short(&machine) == ["reconnecting"])
        machine.connected(at: 50)
        // The same tokens, so that what had arrived changes nothing; and the question for what is outstanding.
        #expect(short(&machine) == ["connected", "raise a t-1", "raise c t-3", "raise d t-4", "status instance(5)", "ping"])
    }

    @Test func aLostReplyOnALivingConnectionHoldsWhatIsNewer() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        machine.ordered(.submit(id: 2, raise("x", "lobby/b"), timeout: nil), at: 10)
        machine.received(accepted(2, "x", 5), at: 20)
        for time in stride(from: Int64(1000), through: 3000, by: 1000) {
            machine.received(Words.pong(), at: time)
            machine.timePassed(to: time)
        }
        _ = machine.takeActions()
        machine.timePassed(to: 3010)
        #expect(short(&machine) == ["raise a t-1"])
        machine.ordered(.submit(id: 3, raise("b"), timeout: nil), at: 3020)
        machine.ordered(.submit(id: 4, raise("y", "lobby/b"), timeout: nil), at: 3020)
        #expect(short(&machine) == ["raise y t-4"])
        machine.received(accepted(1, "a", 6), at: 3030)
        // A repeated acceptance is an old one: it asks for what has happened since.
        #expect(Set(short(&machine)) == ["1: accepted 6", "1: shown raised", "raise b t-3", "status instance(6)"])
        #expect(machine.outbox.count == 3, "b, y and the question")
    }

    @Test func aForgottenSessionIsTreatedAsANewConnection() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        machine.received(accepted(1, "a", 5), at: 20)
        machine.ordered(.submit(id: 2, raise("b"), timeout: nil), at: 30)
        _ = machine.takeActions()
        machine.received(Words.pong(session: 9), at: 1000)
        #expect(short(&machine) == ["raise b t-2", "status instance(5)"])
    }

    @Test func receiptsAreToldOnceAndInOrder() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        _ = machine.takeActions()
        machine.received(accepted(1, "a", 5, .deferred), at: 20)
        machine.received(.event(event("a", 5, .shown, .dequeued)), at: 30)
        machine.disconnected(at: 40)
        machine.connected(at: 50)
        #expect(short(&machine).filter { $0.hasPrefix("1:") } == ["1: accepted 5", "1: deferred intercepted", "1: shown dequeued"])
        // The reply to the question is a rung that is known.
        machine.received(
            .reply(ref: commandRef(9_223_372_036_854_775_809 as UInt64), .event(event("a", 5, .shown, .dequeued)), watchers: nil),
            at: 60)
        #expect(short(&machine) == [])
        machine.received(.event(event("a", 5, .ended, .dismissed)), at: 70)
        machine.received(.event(event("a", 5, .ended, .dismissed)), at: 71)
        #expect(short(&machine) == ["1: ended dismissed"])
        #expect(machine.outstanding == 0)
    }

    @Test func aReceiptThatOvertakesItsReplyWaitsForIt() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        _ = machine.takeActions()
        machine.received(.event(event("a", 5, .shown, .dequeued)), at: 20)
        #expect(short(&machine) == [])
        machine.received(accepted(1, "a", 5, .shown), at: 20)
        #expect(short(&machine) == ["1: accepted 5", "1: shown dequeued"])
    }

    @Test func anAlertThatTheArbiterForgotHasAnOutcomeToo() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        machine.received(accepted(1, "a", 5), at: 20)
        machine.disconnected(at: 40)
        machine.connected(at: 50)
        _ = machine.takeActions()
        machine.received(
            .reply(ref: commandRef(9_223_372_036_854_775_809 as UInt64), .refused(Refusal(.unknownAlert, "")), watchers: nil),
            at: 60)
        #expect(short(&machine) == ["1: ended unknown_alert"])
    }

    @Test func aFullOutboxSaysSo() {
        var machine = live { $0.count = 2 }
        for id in 1...3 { machine.ordered(.submit(id: UInt64(id), raise("k\(id)"), timeout: nil), at: 10) }
        #expect(short(&machine) == ["raise k1 t-1", "raise k2 t-2", "3: 2 commands with 512 byte"])
        var small = live { $0.bytes = 100 }
        small.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        #expect(short(&small) == ["1: 0 commands with 0 bytes "])
    }

    @Test func nobodyAnswersWithinTheTimeout() {
        var machine = machine()
        machine.ordered(.submit(id: 1, raise("a"), timeout: 300), at: 10)
        #expect(machine.nextDeadline == 310)
        machine.timePassed(to: 310)
        #expect(short(&machine) == ["1: No arbiter answered on t"])
        #expect(machine.outbox.count == 0)
    }

    @Test func aLimitIsWaitedForWhenThatWasAskedFor() {
        let refusal = Refusal(.overLimit, "wait", retryAfter: 200)
        var eager = live { $0.retriesOverLimit = true }
        eager.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        _ = eager.takeActions()
        eager.received(.reply(ref: commandRef(1), .refused(refusal), watchers: nil), at: 20)
        eager.ordered(.submit(id: 2, raise("b"), timeout: nil), at: 30)
        #expect(short(&eager) == [])
        eager.timePassed(to: 220)
        // Another token: the arbiter would repeat its refusal for the first one.
        #expect(short(&eager) == ["raise a t-1-1"])
        eager.received(accepted(1, "a", 5), at: 230)
        #expect(short(&eager).contains("raise b t-2"))
        var plain = live()
        plain.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        plain.received(.reply(ref: commandRef(1), .refused(refusal), watchers: nil), at: 20)
        #expect(short(&plain) == ["raise a t-1", "1: over_limit"])
    }

    @Test func whoIsTurnedAwayHearsItForEachCommand() {
        var machine = machine()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        machine.turnedAway(.notAuthorised(endpoint: "tcp://here:1", "no"), at: 20)
        #expect(short(&machine) == ["failed", "1: The arbiter on tcp://her"])
    }

    @Test func questionsNeverHoldCommands() {
        var machine = live()
        machine.ordered(.submit(id: 1, raise("a"), timeout: nil), at: 10)
        machine.received(accepted(1, "a", 5), at: 20)
        machine.disconnected(at: 30)
        machine.connected(at: 40)
        for time in stride(from: Int64(1000), through: 3000, by: 1000) {
            machine.received(Words.pong(), at: time)
            machine.timePassed(to: time)
        }
        _ = machine.takeActions()
        machine.timePassed(to: 3040)
        #expect(short(&machine) == ["status instance(5)"])
        machine.ordered(.submit(id: 2, raise("b"), timeout: nil), at: 3050)
        #expect(short(&machine) == ["raise b t-2"])
    }
}

func commandRef(_ number: UInt64) -> [UInt8] { Array("\"c\(number)\"".utf8) }
