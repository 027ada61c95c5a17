import AlertBus
import AlertBusModel
import AlertBusWire

/// One client of the simulation and its connection; what its kind of machine tells is for the subclass to judge.
class SimulatedPeer {
    /// Nil while it has none.
    var connection: Int?
    /// When it tries to connect.
    var connectAt: Milliseconds = 0
    var faults: [String] = []

    var nextDeadline: Milliseconds { .max }
    func connected(at now: Milliseconds) {}
    func disconnected(at now: Milliseconds) {}
    func received(_ message: ServerMessage, at now: Milliseconds) {}
    func timePassed(to now: Milliseconds) {}
    /// What has to be sent, and whether the connection is to be replaced.
    func takeRequests(at now: Milliseconds) -> (requests: [Request], reopens: Bool) { ([], false) }
}

/// A screen that draws exactly what it is told, and knows when that is wrong.
class SimulatedViewer: SimulatedPeer {
    private(set) var shown: [String: [ShownAlert]] = [:]
    /// How often each alert was put on the screen.
    private(set) var shows: [String: Int] = [:]
    let scopes: [SurfaceScope]
    var link: LinkState { .reconnecting }

    init(_ scopes: [String]) { self.scopes = scopes.map { try! SurfaceScope($0) } }

    final func draw(_ event: ScreenEvent) {
        switch event {
        case .show(let surface, let alert, _):
            if shown[surface, default: []].contains(where: { $0.instance == alert.instance }) {
                faults.append("\(alert.key) is shown twice on \(surface)")
            }
            shows["\(surface) \(alert.key) \(alert.instance)", default: 0] += 1
        case .update(let surface, let alert, _), .hide(let surface, let alert, _):
            if !shown[surface, default: []].contains(where: { $0.instance == alert.instance }) {
                faults.append("\(alert.key) is not on \(surface), and is changed or hidden there")
            }
        case .link: break
        }
        event.apply(to: &shown)
    }

    /// - Returns: where the surfaces stand that were drawn, if the machine wants to hear of it.
    final func heed(_ action: ClientAction<ScreenNotice>, _ requests: inout [Request], _ reopens: inout Bool) -> [ScreenPosition] {
        switch action {
        case .send(let request): requests.append(request)
        case .reopen: reopens = true
        case .notify(.changed(let events, let positions)):
            for event in events { draw(event) }
            return positions.filter { position in events.contains { $0.surface == position.surface } }
        case .notify(.failed(let error)): faults.append("\(error)")
        case .notify: break
        }
        return []
    }
}

final class SimulatedScreen: SimulatedViewer {
    private var machine: SubscriberMachine

    init(_ scopes: [String], name: String) {
        machine = SubscriberMachine(scopes.map { try! SurfaceScope($0) }, token: name)
        super.init(scopes)
    }

    override var link: LinkState { machine.link }
    override var nextDeadline: Milliseconds { machine.nextDeadline }
    override func connected(at now: Milliseconds) { machine.connected(at: now) }
    override func disconnected(at now: Milliseconds) { machine.disconnected(at: now) }
    override func received(_ message: ServerMessage, at now: Milliseconds) { machine.received(message, at: now) }
    override func timePassed(to now: Milliseconds) { machine.timePassed(to: now) }

    override func takeRequests(at now: Milliseconds) -> (requests: [Request], reopens: Bool) {
        var requests: [Request] = []
        var reopens = false
        var actions = machine.takeActions()
        while !actions.isEmpty {
            let drawn = actions.flatMap { heed($0, &requests, &reopens) }
            for position in drawn {
                machine.ordered(.drawn(surface: position.surface, epoch: position.epoch, seq: position.seq), at: now)
            }
            actions = machine.takeActions()
        }
        return (requests, reopens)
    }
}

/// Follows the feed, which loses what it likes.
final class SimulatedObserver: SimulatedViewer {
    private var machine: ObserverMachine
    var lastArrival: Milliseconds = 0

    override init(_ scopes: [String]) {
        machine = ObserverMachine(scopes.map { try! SurfaceScope($0) })
        super.init(scopes)
    }

    override var link: LinkState { machine.link }
    override var nextDeadline: Milliseconds { machine.nextDeadline }
    override func connected(at now: Milliseconds) { machine.connected(at: now) }
    override func disconnected(at now: Milliseconds) { machine.disconnected(at: now) }
    override func received(_ message: ServerMessage, at now: Milliseconds) { machine.received(message, at: now) }
    override func timePassed(to now: Milliseconds) { machine.timePassed(to: now) }
    func receivedFromFeed(_ message: ServerMessage, at now: Milliseconds) { machine.receivedFromFeed(message, at: now) }
    func feedConnected(at now: Milliseconds) { machine.feedConnected(at: now) }

    override func takeRequests(at now: Milliseconds) -> (requests: [Request], reopens: Bool) {
        var requests: [Request] = []
        var reopens = false
        for action in machine.takeActions() { _ = heed(action, &requests, &reopens) }
        if reopens { feedConnected(at: now) }
        return (requests, reopens)
    }
}

/// A producer that checks the ladders of its alerts.
final class SimulatedProducer: SimulatedPeer {
    var machine: ProducerMachine
    let name: String
    private(set) var answered: [UInt64: CommandNotice] = [:]
    private(set) var submitted: UInt64 = 0
    private(set) var keys: [UInt64: String] = [:]
    private(set) var ladders: [UInt64: [Receipt.Event]] = [:]
    private(set) var acceptedIDs: Set<UInt64> = []

    init(_ name: String) {
        self.name = name
        var options = CommandOutbox.Options()
        options.producer = name
        options.resendAfter = 500
        machine = ProducerMachine(token: name, options: options, auditInterval: 4000)
    }

    override var nextDeadline: Milliseconds { machine.nextDeadline }
    override func connected(at now: Milliseconds) { machine.connected(at: now) }
    override func disconnected(at now: Milliseconds) { machine.disconnected(at: now) }
    override func received(_ message: ServerMessage, at now: Milliseconds) { machine.received(message, at: now) }
    override func timePassed(to now: Milliseconds) { machine.timePassed(to: now) }

    func submit(_ command: Command, at now: Milliseconds) {
        submitted += 1
        if case .raise(let raise) = command { keys[submitted] = raise.key }
        machine.ordered(.submit(id: submitted, .command(command), timeout: nil), at: now)
    }

    override func takeRequests(at now: Milliseconds) -> (requests: [Request], reopens: Bool) {
        var requests: [Request] = []
        var reopens = false
        for action in machine.takeActions() {
            switch action {
            case .send(let request): requests.append(request)
            case .reopen: reopens = true
            case .notify(.command(let notice)): heard(notice)
            case .notify(.receipt(let id, let receipt)): climbed(id, receipt)
            case .notify: break
            }
        }
        return (requests, reopens)
    }

    private func heard(_ notice: CommandNotice) {
        let id =
            switch notice {
            case .answered(let id, _), .failed(let id, _): id
            }
        if answered[id] != nil { faults.append("command \(id) of \(name) is answered twice") }
        answered[id] = notice
        if case .answered(_, .accepted) = notice { acceptedIDs.insert(id) }
    }

    private func climbed(_ id: UInt64, _ receipt: Receipt) {
        if receipt.key != keys[id] { faults.append("a receipt of \(receipt.key) came for \(keys[id] ?? "nothing")") }
        if !acceptedIDs.contains(id) { faults.append("a receipt of \(receipt.key) came before its acceptance") }
        let ladder = ladders[id, default: []]
        if ladder.last == receipt.event { faults.append("\(receipt.key) of \(name): \(receipt.event) twice in a row") }
        if ladder.contains(.ended) { faults.append("\(receipt.key) of \(name): \(receipt.event) after the end") }
        ladders[id] = ladder + [receipt.event]
    }
}
