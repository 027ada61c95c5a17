import AlertBus
import AlertBusModel
import AlertBusWire
import Testing

/// What a screen's client does about each way to lose something.
@Suite struct SubscriberMachineTests {
    /// Connected, with "a" shown at seq 1.
    private func live() -> SubscriberMachine {
        var machine = SubscriberMachine([Words.lobby], token: "t")
        machine.connected(at: 0)
        machine.received(Words.snapshot(ref(1), [("lobby/a", 1, [Words.alert("a", 1)])]), at: 1)
        machine.received(Words.pong(), at: 2)
        machine.ordered(.drawn(surface: "lobby/a", epoch: 1, seq: 1), at: 3)
        _ = machine.takeActions()
        return machine
    }

    private func shown(_ machine: SubscriberMachine, _ surface: String = "lobby/a") -> [String] {
        machine.model.surfaces[surface]?.shown.map(\.key) ?? []
    }

    @Test func beginsWithASnapshotAndFollows() {
        var machine = SubscriberMachine([Words.lobby], token: "t")
        machine.connected(at: 0)
        #expect(short(&machine) == ["subscribe lobby/", "ping"])
        machine.received(Words.snapshot(ref(1), [("lobby/a", 4, [Words.alert("a", 1)])], last: false), at: 1)
        #expect(short(&machine) == [])
        machine.received(Words.snapshot(ref(1), [("lobby/b", 2, [])]), at: 1)
        // Nothing has to be drawn on "b", so that is confirmed at once.
        #expect(short(&machine) == ["show a again", "drawn lobby/b 2", "connected"])
        machine.received(Words.show("b", 2, seq: 5), at: 2)
        machine.received(Words.show("c", 3, seq: 1, on: "lobby/new"), at: 2)
        #expect(short(&machine) == ["show b", "show c"])
        #expect(machine.repairs.total == 0)
    }

    @Test func aHoleIsRepairedByDifferences() {
        var machine = live()
        machine.received(Words.show("c", 3, seq: 3), at: 10)
        #expect(short(&machine) == ["subscribe lobby/"])
        // What comes meanwhile is kept, and applied behind the snapshot by its number.
        machine.received(Words.hide("c", 3, seq: 4), at: 11)
        machine.received(Words.show("d", 4, seq: 6), at: 11)
        machine.received(Words.snapshot(ref(2), [("lobby/a", 5, [Words.alert("a", 1), Words.alert("b", 2)])]), at: 12)
        #expect(short(&machine) == ["show b again", "show d"])
        let keys = shown(machine)
        #expect(keys == ["a", "b", "d"])
        #expect(machine.repairs[.hole] == 1 && machine.repairs.total == 1)
    }

    @Test func theSameInstanceAtANewerRevisionIsAnUpdate() {
        var machine = live()
        machine.received(Words.show("c", 3, seq: 9), at: 10)
        _ = machine.takeActions()
        machine.received(Words.snapshot(ref(2), [("lobby/a", 9, [Words.alert("a", 1, revision: 3), Words.alert("c", 3)])]), at: 12)
        #expect(short(&machine) == ["update a 3", "show c again"])
    }

    @Test func theOrderOfTheStackIsKept() {
        var events: [ScreenEvent] = []
        let (a, b, c) = (Words.alert("a", 1), Words.alert("b", 2), Words.alert("c", 3))
        ScreenDifference.append(on: "s", from: [a, b, c], to: [b, c, a], to: &events)
        var screen = ["s": [a, b, c]]
        for event in events { event.apply(to: &screen) }
        #expect(screen["s"]?.map(\.key) == ["b", "c", "a"])
        #expect(events.count == 2)
    }

    @Test func theLossOfTheLastMessageIsSeenByAPong() {
        var machine = live()
        machine.received(Words.pong([("lobby/a", 2)]), at: 1000)
        #expect(short(&machine) == ["subscribe lobby/"])
        #expect(machine.repairs[.lostTail] == 1)
        machine.received(Words.snapshot(ref(2), [("lobby/a", 2, [])]), at: 1001)
        #expect(short(&machine) == ["hide a again"])
    }

    @Test func aPongThatTellsNothingNewChangesNothing() {
        var machine = live()
        machine.received(Words.pong([("lobby/a", 1), ("desk/x", 9)]), at: 1000)
        // A sign of life without a session.
        machine.received(Words.pong(session: 0), at: 1001)
        #expect(short(&machine) == [])
        #expect(machine.repairs.total == 0)
    }

    @Test func anotherSessionMeansThatItWasForgotten() {
        var machine = live()
        machine.received(Words.pong(session: 8), at: 1000)
        #expect(short(&machine) == ["subscribe lobby/"])
        machine.received(Words.snapshot(ref(2), [("lobby/a", 1, [Words.alert("a", 1)])]), at: 1001)
        // Nothing differs, and the new session is told what is drawn.
        #expect(short(&machine) == ["drawn lobby/a 1"])
        #expect(machine.repairs[.lostSession] == 1)
    }

    @Test func aNewEpochBeginsAnew() {
        var machine = live()
        machine.received(Words.show("x", 2, seq: 1, epoch: 2), at: 10)
        #expect(short(&machine) == ["subscribe lobby/"])
        machine.received(Words.snapshot(ref(2), epoch: 2, [("lobby/a", 1, [Words.alert("a", 1), Words.alert("x", 2)])]), at: 11)
        #expect(short(&machine) == ["show x again"])
        machine.received(Words.show("old", 9, seq: 2, epoch: 1), at: 12)
        #expect(short(&machine) == [])
        #expect(machine.repairs[.newEpoch] == 1 && machine.repairs.total == 1)
    }

    @Test func aNewEpochIsSeenByAPongAsWell() {
        var machine = live()
        machine.received(Words.pong(epoch: 2), at: 1000)
        #expect(short(&machine) == ["subscribe lobby/"])
        #expect(machine.repairs[.newEpoch] == 1)
    }

    @Test func anArbiterThatForgotEverythingNumbersAnew() {
        var machine = live()
        machine.disconnected(at: 20)
        machine.connected(at: 500)
        #expect(short(&machine) == ["reconnecting", "subscribe lobby/", "ping"])
        machine.received(Words.snapshot(ref(2), epoch: 1, [("lobby/a", 1, [Words.alert("other", 1)])]), at: 501)
        #expect(short(&machine) == ["hide a again", "show other again", "connected"])
    }

    @Test func silenceKeepsTheScreenAndReplacesTheConnection() {
        var machine = live()
        for time in stride(from: Int64(1000), through: 3000, by: 1000) { machine.timePassed(to: time) }
        #expect(short(&machine) == ["ping", "ping", "ping", "stale"])
        machine.timePassed(to: 4000)
        #expect(short(&machine) == ["reopen", "reconnecting"])
        let kept = shown(machine)
        #expect(kept == ["a"])
        machine.connected(at: 5000)
        #expect(short(&machine) == ["subscribe lobby/", "ping"])
        #expect(machine.repairs[.silence] == 1 && machine.repairs.total == 1)
        machine.received(Words.snapshot(ref(2), [("lobby/a", 3, [Words.alert("a", 1)])]), at: 5001)
        #expect(Set(short(&machine)) == ["connected", "drawn lobby/a 3"])
        #expect(machine.link == .connected)
    }

    @Test func aPauseOfThisProcessIsNoSilence() {
        var machine = live()
        machine.timePassed(to: 60_000)
        #expect(short(&machine) == ["ping"])
        #expect(machine.link == .connected)
    }

    @Test func aPushedSnapshotReplacesTheState() {
        var machine = live()
        machine.received(Words.snapshot([], [("lobby/a", 50, [Words.alert("z", 26)])], last: false), at: 10)
        machine.received(Words.show("y", 27, seq: 51), at: 10)
        #expect(short(&machine) == [])
        machine.received(Words.snapshot([], [("lobby/b", 1, [])]), at: 11)
        #expect(short(&machine) == ["hide a again", "show z again", "show y"])
        #expect(machine.repairs[.pushed] == 1 && machine.repairs.total == 1)
    }

    @Test func aSnapshotThatDoesNotComeIsAskedForAgain() {
        var machine = live()
        machine.received(Words.show("c", 3, seq: 3), at: 10)
        _ = machine.takeActions()
        machine.received(Words.pong(), at: 900)
        machine.timePassed(to: 1010)
        #expect(short(&machine) == ["ping", "stale"])
        for time in stride(from: Int64(2000), through: 5000, by: 1000) {
            machine.received(Words.pong(), at: time)
            machine.timePassed(to: time)
        }
        _ = machine.takeActions()
        machine.timePassed(to: 5010)
        #expect(short(&machine) == ["subscribe lobby/"])
        #expect(machine.repairs[.unanswered] == 1)
        // The late one counts no more; the new one does.
        machine.received(Words.snapshot(ref(2), [("lobby/a", 7, [])]), at: 5011)
        #expect(short(&machine) == [])
        machine.received(Words.snapshot(ref(3), [("lobby/a", 8, [Words.alert("a", 1)])]), at: 5012)
        #expect(machine.link == .connected)
    }

    @Test func aSurfaceThatASnapshotDoesNotNameIsEmpty() {
        var machine = live()
        machine.disconnected(at: 5)
        machine.connected(at: 6)
        _ = machine.takeActions()
        machine.received(Words.snapshot(ref(2), epoch: 2, []), at: 7)
        #expect(short(&machine) == ["hide a again", "connected"])
        machine.received(Words.show("n", 1, seq: 1, epoch: 2), at: 8)
        #expect(short(&machine) == ["show n"])
    }

    @Test func confirmationsAreCumulativeAndNotTooMany() {
        var machine = live()
        for seq in UInt64(2)...9 {
            machine.received(Words.show("k\(seq)", seq, seq: seq), at: 100)
            machine.ordered(.drawn(surface: "lobby/a", epoch: 1, seq: seq), at: 100)
        }
        let first = short(&machine).filter { $0.hasPrefix("drawn") }
        #expect(first == ["drawn lobby/a 2"])
        #expect(machine.nextDeadline == 150)
        machine.timePassed(to: 150)
        #expect(short(&machine) == ["drawn lobby/a 9"])
    }

    @Test func scopesThatLieInOthersAreNotFollowedTwice() {
        let scopes = ["lobby/a", "lobby/", "desk/x", "desk/x"].map { try! SurfaceScope($0) }
        #expect(SurfaceScope.disjoint(scopes).map(\.text) == ["lobby/", "desk/x"])
    }

    @Test func aRefusedSubscriptionIsTold() {
        var machine = SubscriberMachine([Words.lobby], token: "t")
        machine.connected(at: 0)
        _ = machine.takeActions()
        machine.received(.reply(ref: ref(1), .refused(Refusal(.notAllowed, "no")), watchers: nil), at: 1)
        #expect(short(&machine) == ["failed not_allowed"])
    }
}
