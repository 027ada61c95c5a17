import AlertBusModel
import AlertBusWire

/// People in front of the screens, and their operator.
final class PeoplePeer: Peer {
    private let mean: Milliseconds
    private var next: Milliseconds
    private var nextOrder: Milliseconds
    /// What is held and will be released, and when.
    private var held: [(scope: SurfaceScope, until: Milliseconds)] = []
    private var newest: UInt64 = 0
    /// The counters as the service told them last.
    private(set) var counters: CountersReport?

    /// - Parameter rate: things done a second.
    init(rate: Int, seed: UInt64, at now: Milliseconds) {
        mean = Milliseconds(1000 / rate)
        next = now
        nextOrder = now
        super.init(seed: seed, "people")
    }

    override func act(at now: Milliseconds) throws {
        next = max(next, now - 200)
        while next <= now {
            next += dice.pause(every: mean)
            try line.ask(try person())
        }
        for place in held.indices.reversed() where held[place].until <= now {
            try line.ask(.command(.release(held.remove(at: place).scope)))
        }
        guard now >= nextOrder else { return }
        nextOrder = now + dice.pause(every: 1000)
        try order(at: now)
    }

    override func took(_ message: ServerMessage, at now: Milliseconds) {
        switch message {
        case .reply(_, .done(let done), _): newest = max(newest, done.instance)
        case .counters(let report): counters = report
        default: break
        }
    }

    private func target() -> Target {
        switch dice.number(0...9) {
        case 0..<6: .top
        case 6..<8: .key("k\(dice.number(0...19))")
        default: .instance(newest + UInt64(dice.number(0...40)))
        }
    }

    private func person() throws -> Request.Body {
        let surface = dice.pick(World.surfaces)
        let revision: UInt32? = dice.happens(10) ? UInt32(dice.number(1...2)) : nil
        switch dice.number(0...99) {
        case 0..<55: return .command(.dismiss(surface: surface, target(), revision: revision))
        case 55..<90:
            let chosen = dice.happens(15) ? [Answer.Choice(source: dice.pick(World.sources), ids: [Array("1".utf8)])] : []
            return .command(.answer(surface: surface, target(), revision: revision, Self.answer(chosen)))
        case 90..<93:
            return .command(.refresh(surface: surface, target(), source: dice.pick(World.sources), request: []))
        default: return .why(surface: surface, target())
        }
    }

    private static func answer(_ chosen: [Answer.Choice]) -> Answer {
        let lists = chosen.map {
            #""\#($0.source)":[\#($0.ids.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ","))]"#
        }
        let selected = lists.isEmpty ? "" : #","selected":{\#(lists.joined(separator: ","))}"#
        return Answer(json: Array(#"{"action":"ok"\#(selected)}"#.utf8), chosen: chosen)
    }

    private func order(at now: Milliseconds) throws {
        let scope = try SurfaceScope(dice.pick(["lobby/", "desk/", "hall/1", "quiet/", "lobby/2/modal"]))
        switch dice.number(0...99) {
        case 0..<6:
            try line.ask(.command(.hold(scope)))
            held.append((scope, now + dice.time(500...15_000)))
        case 6..<10: try line.ask(.command(.clear(scope, shown: dice.happens(50))))
        case 10..<20: try line.ask(.list(scope, subscribers: dice.happens(30)))
        case 20..<30: try line.ask(.sync(scope))
        default: try line.ask(.counters)
        }
    }
}
