import AlertBusModel
import AlertBusWire

/// A producer that raises, updates, withdraws and asks, and keeps to its limits. It vanishes now and then, and comes back.
final class ProducerPeer: Peer {
    private let name: String
    private let mean: Milliseconds
    private var next: Milliseconds
    private var vanishAt: Milliseconds
    private var nextPing: Milliseconds = 0
    private var tokens = 0
    private var last: (body: Request.Body, token: String)?

    /// - Parameter rate: commands a second.
    init(_ name: String, rate: Int, seed: UInt64, at now: Milliseconds) {
        self.name = name
        mean = Milliseconds(1000 / rate)
        next = now
        vanishAt = now + 5000
        super.init(seed: seed, name)
        vanishAt += dice.pause(every: 60_000)
    }

    override func act(at now: Milliseconds) throws {
        if now >= vanishAt {
            vanishAt = now + dice.pause(every: 120_000)
            return try leave(for: dice.time(100...12_000), at: now)
        }
        if now >= nextPing {
            nextPing = now + 1000
            try line.send(Request(.ping))
        }
        // What would have been said while it was away is not said.
        next = max(next, now - 200)
        while next <= now {
            next += dice.pause(every: mean)
            try command()
        }
    }

    override func took(_ message: ServerMessage, at now: Milliseconds) throws {
        guard case .reply(_, .refused(let refusal), _) = message else { return }
        if refusal.message.contains("rate_per_second") { throw MixFault("\(name) kept to its rate and was held back") }
    }

    private func command() throws {
        // Sending again what was sent under a token changes nothing, whatever it was.
        if let last, dice.happens(4) {
            try line.ask(last.body, once: last.token, producer: name)
            return
        }
        let body = body()
        var token: String?
        if dice.happens(8) {
            tokens += 1
            token = "\(name)-\(tokens)"
            last = (body, token!)
        }
        try line.ask(body, once: token, producer: name)
    }

    private func body() -> Request.Body {
        let surface = dice.pick(World.surfaces)
        let key = "k\(dice.number(0...19))"
        let revision: UInt32? = dice.happens(10) ? UInt32(dice.number(1...3)) : nil
        switch dice.number(0...99) {
        case 0..<18:
            var update = Update(surface: surface, key: key)
            update.revision = revision
            if dice.happens(40) { update.priority = UInt8(dice.number(1...3)) }
            if dice.happens(20) { update.intercept = dice.happens(50) }
            if dice.happens(20) { update.ttl = dice.time(1000...60_000) }
            if dice.happens(20) { update.display = dice.time(200...8000) }
            if dice.happens(60) { update.params = Contents.params(&dice) }
            return .command(.update(update))
        case 18..<36: return .command(.withdraw(surface: surface, key: key, revision: revision))
        case 36..<41: return .command(.status(surface: surface, .key(key)))
        default:
            return .command(
                .raise(Raise(surface: surface, key: key, content: Contents.any(&dice), update: dice.happens(25))))
        }
    }
}

/// What alerts say.
enum Contents {
    static func params(_ dice: inout Dice) -> [UInt8] {
        let text = String(repeating: "alert ", count: dice.number(1...30))
        return Array(#"{"title":"\#(dice.number(0...4))","text":"\#(text)"}"#.utf8)
    }

    static func any(_ dice: inout Dice) -> AlertContent {
        var content = AlertContent()
        content.priority = dice.happens(5) ? UInt8(dice.pick([0, 9, 255])) : UInt8(dice.number(1...3))
        content.intercept = !dice.happens(15)
        content.activate = !dice.happens(15)
        content.breakthrough = dice.happens(5)
        content.closesOnOwnerLoss = dice.happens(10)
        content.ttl = dice.happens(60) ? dice.time(500...60_000) : nil
        content.display = dice.happens(60) ? dice.time(100...4000) : nil
        content.minShow = dice.happens(10) ? dice.time(0...1500) : nil
        content.presentation = dice.happens(20) ? dice.pick(["modal", "banner", "sheet"]) : nil
        content.params = dice.happens(80) ? params(&dice) : []
        guard dice.happens(8) else { return content }
        content.loadTimeout = dice.happens(20) ? dice.time(500...5000) : nil
        for name in World.sources where dice.happens(50) {
            content.sources.append(
                Source(
                    name: name, request: Array(#"{"n":\#(dice.number(0...9))}"#.utf8),
                    selected: dice.happens(50) ? [Array("1".utf8)] : [], timeout: dice.time(300...6000),
                    isOptional: dice.happens(30)))
        }
        return content
    }
}
