import AlertBus
import AlertBusModel
import AlertBusWire
import Testing

@Suite struct ProviderMachineTests {
    private func short(_ machine: inout ProviderMachine) -> [String] {
        machine.takeActions().map { action in
            switch action {
            case .send(let request):
                switch request.body {
                case .provide(let name): "provide \(name)"
                case .loaded(let load, let rows): "loaded \(load) \(rows.count)"
                case .loadFailed(let load, let message): "failed \(load) \(message)"
                case .ping: "ping"
                default: "\(request.body)"
                }
            case .reopen: "reopen"
            case .notify(.load(let request)): "load \(request.load)"
            case .notify(.drop(let load)): "drop \(load)"
            case .notify(.link(let link)): link.rawValue
            case .notify(.failed): "failed"
            }
        }
    }

    private func load(_ number: UInt64) -> ServerMessage {
        .load(LoadRequest(load: number, name: "regions", timeout: 500))
    }

    private let registered = ServerMessage.reply(ref: Array("\"p0\"".utf8), .done(Done()), watchers: nil)

    @Test func registersAgainAndDropsWhatItWasAskedBefore() {
        var machine = ProviderMachine(names: ["regions"])
        machine.connected(at: 0)
        #expect(short(&machine) == ["provide regions", "ping"])
        machine.received(registered, at: 1)
        machine.received(load(5), at: 2)
        #expect(short(&machine) == ["connected", "load 5"])
        machine.disconnected(at: 3)
        machine.ordered(.loaded(load: 5, rows: []), at: 4)
        machine.connected(at: 5)
        #expect(short(&machine) == ["drop 5", "reconnecting", "provide regions", "ping"])
    }

    @Test func answersWhatIsStillWanted() {
        var machine = ProviderMachine(names: ["regions"])
        machine.connected(at: 0)
        for number in UInt64(1)...4 { machine.received(load(number), at: 10) }
        machine.received(.unload(load: 2), at: 11)
        machine.ordered(.loaded(load: 1, rows: []), at: 12)
        machine.ordered(.loaded(load: 2, rows: []), at: 12)
        machine.ordered(.failed(load: 3, message: "no"), at: 12)
        machine.ordered(.failed(load: 3, message: "twice"), at: 13)
        machine.timePassed(to: 510)
        let told = short(&machine).filter { !["provide regions", "ping"].contains($0) }
        #expect(told == ["load 1", "load 2", "load 3", "load 4", "drop 2", "loaded 1 0", "failed 3 no", "drop 4"])
    }

    @Test func aRegistrationThatGetsNoReplyIsSentAgain() {
        var machine = ProviderMachine(names: ["regions"])
        machine.connected(at: 0)
        for time in [Int64(1000), 2000] {
            machine.received(.pong(Pong(epoch: 1, session: 7)), at: time)
            machine.timePassed(to: time)
        }
        _ = short(&machine)
        machine.received(.pong(Pong(epoch: 1, session: 7)), at: 2500)
        machine.timePassed(to: 3000)
        #expect(short(&machine) == ["ping", "provide regions"])
        machine.received(.pong(Pong(epoch: 1, session: 8)), at: 3001)
        #expect(short(&machine) == ["provide regions"])
    }
}

@Suite struct ObserverMachineTests {
    private func live() -> ObserverMachine {
        var machine = ObserverMachine([Words.lobby])
        machine.feedConnected(at: 0)
        machine.connected(at: 0)
        machine.receivedFromFeed(Words.show("b", 2, seq: 2), at: 1)
        machine.received(Words.snapshot(ref(1), [("lobby/a", 1, [Words.alert("a", 1)])]), at: 2)
        return machine
    }

    private func beat(_ seq: UInt64, _ alerts: [ShownAlert], epoch: UInt64 = 1) -> ServerMessage {
        .beat(Beat(surface: "lobby/a", epoch: epoch, seq: seq, digest: ScreenDigest(of: alerts).text))
    }

    @Test func joinsASnapshotWithWhatFollowsIt() {
        var machine = live()
        #expect(short(&machine) == ["sync lobby/", "ping", "show a again", "show b", "connected"])
        machine.receivedFromFeed(beat(2, [Words.alert("a", 1), Words.alert("b", 2)]), at: 3)
        machine.receivedFromFeed(beat(1, []), at: 4)
        #expect(short(&machine) == [])
        #expect(machine.repairs.total == 0)
    }

    @Test func aHoleASilentLossAndADifferenceAreRepaired() {
        var machine = live()
        _ = machine.takeActions()
        machine.receivedFromFeed(Words.show("d", 4, seq: 4), at: 10)
        #expect(short(&machine) == ["sync lobby/a"])
        machine.received(
            .snapshot(
                SnapshotPart(
                    ref: ref(2), scope: try! SurfaceScope("lobby/a"), epoch: 1,
                    surfaces: [
                        SurfaceSnapshot(
                            surface: "lobby/a", epoch: 1, seq: 4,
                            shown: [Words.alert("a", 1), Words.alert("c", 3), Words.alert("d", 4)])
                    ])), at: 11)
        #expect(short(&machine) == ["hide b again", "show c again", "show d again"])
        machine.receivedFromFeed(beat(5, []), at: 20)
        #expect(short(&machine) == ["sync lobby/a"])
        machine.received(
            .snapshot(
                SnapshotPart(
                    ref: ref(3), scope: try! SurfaceScope("lobby/a"), epoch: 1,
                    surfaces: [SurfaceSnapshot(surface: "lobby/a", epoch: 1, seq: 5, shown: [])])), at: 21)
        _ = machine.takeActions()
        machine.receivedFromFeed(beat(5, [Words.alert("z", 9)]), at: 30)
        #expect(short(&machine) == ["sync lobby/a"])
        #expect(machine.repairs[.hole] == 2 && machine.repairs[.lostTail] == 1)
    }

    @Test func aNewEpochConcernsTheWholeScope() {
        var machine = live()
        _ = machine.takeActions()
        machine.receivedFromFeed(beat(1, [], epoch: 2), at: 10)
        #expect(short(&machine) == ["sync lobby/"])
        machine.received(Words.pong(epoch: 2), at: 11)
        #expect(short(&machine) == [])
    }
}

@Suite struct ScreenQueueTests {
    @Test func onlyTheLastEventOfAStepReachesItsPosition() {
        let position = ScreenPosition(surface: "s", epoch: 1, seq: 9)
        let (a, b) = (Words.alert("a", 1), Words.alert("b", 2))
        let items = ScreenQueue.items([
            .hide(surface: "s", a, nil), .show(surface: "t", a, nil), .show(surface: "s", b, nil),
        ]) { $0 == "s" ? position : nil }
        #expect(items.map(\.position) == [nil, nil, position])
    }

    @Test func aSlowConsumerSeesTheDifferenceAndNothingTwice() {
        let queue = ScreenQueue()
        var current: [String: [ShownAlert]] = [:]
        func push(_ event: ScreenEvent) {
            event.apply(to: &current)
            queue.push([.init(event: event)], link: .connected) {
                current.keys.sorted().map { Screen(surface: $0, epoch: 1, seq: 1, shown: current[$0]!) }
            }
        }
        push(.show(surface: "s", Words.alert("first", 1), nil))
        var drawn: [String: [ShownAlert]] = [:]
        queue.tryNext()?.event.apply(to: &drawn)
        for number in UInt64(2)...9000 {
            push(.show(surface: "s", Words.alert("k\(number)", number), nil))
            if number > 3 { push(.hide(surface: "s", Words.alert("k\(number - 1)", number - 1), nil)) }
        }
        var count = 0
        while let item = queue.tryNext() {
            count += 1
            if case .show(let surface, let alert, _) = item.event {
                #expect(drawn[surface]?.contains { $0.instance == alert.instance } != true)
            }
            item.event.apply(to: &drawn)
        }
        #expect(drawn == current)
        #expect(count <= ScreenQueue.limit)
    }
}
