import AlertBus
import AlertBusModel
import AlertBusWire

/// The arbiter, its clients and the network between them, on a virtual clock. One seed is one history.
///
/// Each connection keeps its order in both directions; across connections anything may overtake anything, also what is
/// left of a connection that its client has given up.
final class SimulatedWorld {
    private struct Connection {
        let peer: Int
        /// The client has given it up.
        var isCut = false
        /// Nothing gets through any more, and nobody is told.
        var isBlack = false
        var lastUp: Milliseconds = 0
        var lastDown: Milliseconds = 0
        var waiting = 0
    }

    private enum Payload { case up(Request), down(ServerMessage), feed(ServerMessage) }

    private struct Flight {
        let at: Milliseconds
        let connection: Int
        let payload: Payload
    }

    var chance: Chance
    private(set) var now: Milliseconds = 1000
    let arbiter: SimulatedArbiter
    let screens: [SimulatedScreen]
    let observer = SimulatedObserver(["lobby/", "desk/x"])
    let producers: [SimulatedProducer]
    private var nextBeat: Milliseconds = 1500
    private var beats = 0
    private let peers: [SimulatedPeer]
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    /// By the time of arrival.
    private var flights: [Flight] = []
    private var upAgainAt: Milliseconds?
    /// Single messages vanish from the middle of a connection, which no TCP would do.
    let isLossy: Bool
    var lossPercent = 2
    private(set) var forgot = false
    var isStormy = true

    private static let surfaces = ["lobby/a", "lobby/b", "lobby/c", "desk/x"]
    /// Messages that the arbiter keeps for a peer that takes none.
    private static let backlog = 24

    init(seed: UInt64) {
        chance = Chance(seed: seed)
        isLossy = chance.happens(30)
        var policy = Policy()
        policy.activationDelay = chance.pick([0, 50, 350])
        policy.capacity = 6
        policy.slots = Int(chance.number(1...2))
        policy.preempt = chance.pick([.never, .higher])
        arbiter = SimulatedArbiter(PolicySet(fallback: policy))
        screens = [
            SimulatedScreen(["lobby/"], name: "s1"), SimulatedScreen(["lobby/a", "desk/"], name: "s2"),
        ]
        producers = [SimulatedProducer("p1"), SimulatedProducer("p2")]
        peers = screens as [SimulatedPeer] + producers as [SimulatedPeer] + [observer]
        for peer in peers { peer.connectAt = now + chance.number(0...300) }
        arbiter.send = { [unowned self] in down($0, $1) }
        arbiter.publish = { [unowned self] in feed($0) }
        observer.feedConnected(at: now)
        arbiter.dropBacklog = { [unowned self] in dropBacklog($0) }
    }

    // MARK: The clock

    func run(until end: Milliseconds) {
        while true {
            // While the arbiter is down its clocks stand still.
            var next = min(end, flights.first?.at ?? .max, nextBeat, upAgainAt ?? arbiter.nextDeadline ?? .max)
            for peer in peers {
                next = min(next, peer.connection == nil ? max(peer.connectAt, upAgainAt ?? 0) : .max, peer.nextDeadline)
            }
            now = max(now, next)
            if now >= end && next >= end { return }
            if let at = upAgainAt, at <= now { upAgainAt = nil }
            if upAgainAt == nil { arbiter.tick(at: now) }
            if nextBeat <= now {
                nextBeat = now + 500
                beats += 1
                if upAgainAt == nil { arbiter.beat(all: beats % 8 == 0) }
            }
            while let first = flights.first, first.at <= now { arrive(flights.removeFirst()) }
            for (index, peer) in peers.enumerated() {
                if peer.connection == nil && peer.connectAt <= now && upAgainAt == nil { connect(index) }
                if peer.nextDeadline <= now { peer.timePassed(to: now) }
                flush(index)
            }
        }
    }

    // MARK: The network

    private func connect(_ index: Int) {
        lastConnection += 1
        connections[lastConnection] = Connection(peer: index)
        peers[index].connection = lastConnection
        trace("\(lastConnection) of \(index) is new")
        peers[index].connected(at: now)
    }

    private func flush(_ index: Int) {
        let peer = peers[index]
        let (requests, reopens) = peer.takeRequests(at: now)
        for request in requests { if let connection = peer.connection { up(connection, request) } }
        if reopens, let connection = peer.connection { giveUp(connection) }
    }

    private func giveUp(_ connection: Int) {
        guard let index = connections[connection]?.peer else { return }
        connections[connection]?.isCut = true
        trace("\(connection) of \(index) is cut")
        peers[index].connection = nil
        peers[index].connectAt = now + chance.number(5...600)
        // What was on its way to the arbiter may still get there, after what a new connection brings.
        let isLost = chance.happens(50)
        flights.removeAll { flight in
            guard flight.connection == connection else { return false }
            if case .down = flight.payload { return true }
            return isLost
        }
    }

    private func delay() -> Milliseconds {
        isStormy && chance.happens(8) ? chance.number(50...900) : chance.number(0...6)
    }

    private func up(_ connection: Int, _ request: Request) {
        guard var link = connections[connection], !link.isBlack else { return }
        if isLossy && isStormy && chance.happens(lossPercent) { return trace("\(connection) loses \(request)") }
        link.lastUp = max(link.lastUp, now + delay())
        connections[connection] = link
        fly(Flight(at: link.lastUp, connection: connection, payload: .up(request)))
    }

    private func fly(_ flight: Flight) {
        var place = flights.count
        while place > 0 && flights[place - 1].at > flight.at { place -= 1 }
        flights.insert(flight, at: place)
    }

    private func down(_ connection: Int, _ message: ServerMessage) -> Bool {
        guard var link = connections[connection], !link.isCut else {
            arbiter.forget(connection)
            return true
        }
        if link.waiting >= Self.backlog { return false }
        if link.isBlack { return true }
        // Parts of a snapshot carry no numbers, and a pong tells a position once: these are lost with all that
        // follows them, by a cut, or not at all.
        let isPart =
            switch message {
            case .snapshot, .pong: true
            default: false
            }
        if isLossy && isStormy && !isPart && chance.happens(lossPercent) {
            trace("\(connection) loses \(message)")
            return true
        }
        link.lastDown = max(link.lastDown, now + delay())
        link.waiting += 1
        connections[connection] = link
        fly(Flight(at: link.lastDown, connection: connection, payload: .down(message)))
        return true
    }

    /// To the observer, unless it is lost; it keeps its order and has nothing to do with the other connections.
    private func feed(_ message: ServerMessage) {
        if isStormy && chance.happens(10) { return }
        observer.lastArrival = max(observer.lastArrival, now + delay())
        fly(Flight(at: observer.lastArrival, connection: 0, payload: .feed(message)))
    }

    /// Of what waits, the first half has left the arbiter already.
    private func dropBacklog(_ connection: Int) {
        let waiting = flights.indices.filter { index in
            guard case .down = flights[index].payload else { return false }
            return flights[index].connection == connection
        }
        for index in waiting.dropFirst(waiting.count / 2).reversed() { flights.remove(at: index) }
        connections[connection]?.waiting = waiting.count / 2
    }

    var traces = false
    private func trace(_ text: @autoclosure () -> String) { if traces { print("\(now) \(text())") } }

    private func arrive(_ flight: Flight) {
        trace("\(flight.connection) of \(connections[flight.connection]?.peer ?? -1): \(flight.payload)")
        if case .feed(let message) = flight.payload {
            observer.receivedFromFeed(message, at: now)
            return flush(peers.count - 1)
        }
        guard let link = connections[flight.connection] else { return }
        switch flight.payload {
        case .feed: break
        case .up(let request):
            if upAgainAt == nil && !link.isBlack { arbiter.received(request, from: flight.connection, at: now) }
        case .down(let message):
            connections[flight.connection]?.waiting -= 1
            guard !link.isCut, !link.isBlack else { return }
            peers[link.peer].received(message, at: now)
            flush(link.peer)
            if link.waiting == 1 { arbiter.drained(flight.connection) }
        }
    }

    // MARK: Mishaps

    func cut() {
        let open = connections.filter { !$0.value.isCut }.keys.sorted()
        guard !open.isEmpty else { return }
        let victim = chance.pick(open)
        if chance.happens(35) {
            connections[victim]?.isBlack = true
            return
        }
        let index = connections[victim]!.peer
        giveUp(victim)
        peers[index].disconnected(at: now)
        flush(index)
    }

    func restart(keeping: Bool) {
        if !keeping { forgot = true }
        flights = []
        for (number, link) in connections.sorted(by: { $0.key < $1.key }) where !link.isCut {
            giveUp(number)
            peers[link.peer].disconnected(at: now)
            flush(link.peer)
        }
        connections = [:]
        arbiter.restart(keeping: keeping, at: now)
        observer.feedConnected(at: now)
        flush(peers.count - 1)
        upAgainAt = now + chance.number(0...1500)
    }

    /// The network is well again, and nothing is lost any more.
    func heal() {
        isStormy = false
        // A black connection stays black; its client gives it up.
    }

    // MARK: Activity

    private var raised: [(producer: Int, surface: String, key: String)] = []

    func act() {
        let index = Int(chance.number(0...Int64(producers.count - 1)))
        switch chance.number(0...99) {
        case 0..<55:
            let surface = chance.pick(Self.surfaces)
            let key = "\(producers[index].name)-\(raised.count)"
            raised.append((index, surface, key))
            var content = AlertContent()
            content.priority = UInt8(chance.number(1...3))
            content.intercept = chance.happens(75)
            content.activate = chance.happens(85)
            if chance.happens(40) { content.display = chance.number(50...2500) }
            if chance.happens(20) { content.ttl = chance.number(100...4000) }
            content.params = Array("{\"n\":\(raised.count)}".utf8)
            producers[index].submit(.raise(Raise(surface: surface, key: key, content: content)), at: now)
        case 55..<65 where !raised.isEmpty:
            let (producer, surface, key) = chance.pick(raised)
            producers[producer].submit(.withdraw(surface: surface, key: key, revision: nil), at: now)
        case 65..<78 where !raised.isEmpty:
            let (producer, surface, key) = chance.pick(Array(raised.suffix(6)))
            var update = Update(surface: surface, key: key)
            update.params = Array("{\"u\":\(chance.number(0...999))}".utf8)
            producers[producer].submit(.update(update), at: now)
        case 78..<97:
            if upAgainAt == nil { arbiter.command(.dismiss(surface: chance.pick(Self.surfaces), .top, revision: nil), at: now) }
        default:
            if upAgainAt == nil { arbiter.command(.clear(.all, shown: chance.happens(50)), at: now) }
        }
        for index in peers.indices { flush(index) }
    }

    func clearAll() {
        arbiter.command(.clear(.all, shown: true), at: now)
    }
}
