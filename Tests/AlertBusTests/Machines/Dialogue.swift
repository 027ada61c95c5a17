import AlertBus
import AlertBusModel
import AlertBusWire

/// Names for what the dialogues speak of.
enum Words {
    static let lobby = try! SurfaceScope("lobby/")

    static func alert(_ key: String, _ instance: UInt64, revision: UInt32 = 1) -> ShownAlert {
        ShownAlert(key: key, instance: instance, revision: revision, priority: 1)
    }

    static func show(_ key: String, _ instance: UInt64, seq: UInt64, epoch: UInt64 = 1, on surface: String = "lobby/a")
        -> ServerMessage
    {
        .stream(StreamMessage(surface: surface, epoch: epoch, seq: seq, reason: .raised, change: .show(alert(key, instance))))
    }

    static func hide(_ key: String, _ instance: UInt64, seq: UInt64, epoch: UInt64 = 1, on surface: String = "lobby/a")
        -> ServerMessage
    {
        .stream(
            StreamMessage(surface: surface, epoch: epoch, seq: seq, reason: .dismissed, change: .hide(key: key, instance: instance))
        )
    }

    static func snapshot(_ ref: [UInt8], epoch: UInt64 = 1, _ surfaces: [(String, UInt64, [ShownAlert])], last: Bool = true)
        -> ServerMessage
    {
        .snapshot(
            SnapshotPart(
                ref: ref, scope: lobby, epoch: epoch,
                surfaces: surfaces.map { SurfaceSnapshot(surface: $0.0, epoch: epoch, seq: $0.1, shown: $0.2) }, last: last))
    }

    static func pong(session: UInt64 = 7, epoch: UInt64 = 1, _ surfaces: [(String, UInt64)] = []) -> ServerMessage {
        .pong(Pong(epoch: epoch, session: session, surfaces: surfaces.map { Pong.Position(surface: $0.0, seq: $0.1) }))
    }
}

/// Everything that a machine did, in short words.
func short<Machine: ClientMachine>(_ machine: inout Machine) -> [String] where Machine.Notice == ScreenNotice {
    machine.takeActions().flatMap { action -> [String] in
        switch action {
        case .send(let request): [short(request)]
        case .reopen: ["reopen"]
        case .notify(.changed(let events, _)): events.map(short)
        case .notify(.link(let link)): [link.rawValue]
        case .notify(.repairs): []
        case .notify(.command(let notice)): [short(notice)]
        case .notify(.failed(let error)): ["failed \(error.reason?.rawValue ?? "\(error)")"]
        }
    }
}

func short(_ machine: inout ProducerMachine) -> [String] {
    machine.takeActions().map { action in
        switch action {
        case .send(let request): short(request)
        case .reopen: "reopen"
        case .notify(.command(let notice)): short(notice)
        case .notify(.receipt(let id, let receipt)): "\(id): \(receipt.event.rawValue) \(receipt.reason.rawValue)"
        case .notify(.link(let link)): link.rawValue
        case .notify(.failed): "failed"
        }
    }
}

private func short(_ event: ScreenEvent) -> String {
    switch event {
    case .show(_, let alert, let reason): "show \(alert.key)\(reason == nil ? " again" : "")"
    case .update(_, let alert, _): "update \(alert.key) \(alert.revision)"
    case .hide(_, let alert, let reason): "hide \(alert.key)\(reason == nil ? " again" : "")"
    case .link(let link): link.rawValue
    }
}

private func short(_ notice: CommandNotice) -> String {
    switch notice {
    case .answered(let id, .accepted(let accepted, _)): "\(id): accepted \(accepted.instance)"
    case .answered(let id, .done): "\(id): done"
    case .answered(let id, _): "\(id): answered"
    case .failed(let id, let error): "\(id): \(error.reason?.rawValue ?? String("\(error)".prefix(24)))"
    }
}

private func short(_ request: Request) -> String {
    switch request.body {
    case .subscribe(let scope): "subscribe \(scope)"
    case .sync(let scope): "sync \(scope)"
    case .ping: "ping"
    case .drawn(let surface, _, let seq): "drawn \(surface) \(seq)"
    case .command(.raise(let raise)): "raise \(raise.key)\(request.once.map { " \($0)" } ?? "")"
    case .command(.withdraw(_, let key, _)): "withdraw \(key)"
    case .command(.status(_, let target)): "status \(target)"
    case .provide(let name): "provide \(name)"
    case .loaded(let load, let rows): "loaded \(load) \(rows.count)"
    case .loadFailed(let load, let message): "failed \(load) \(message)"
    default: "\(request.body)"
    }
}

func ref(_ number: Int) -> [UInt8] { Array("\"s\(number)\"".utf8) }
func commandRef(_ number: Int) -> [UInt8] { Array("\"c\(number)\"".utf8) }
