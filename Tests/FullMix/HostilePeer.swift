import AlertBusModel
import AlertBusWire

/// Runs into every limit that it can reach, all the time, and says things that nobody says.
final class HostilePeer: Peer {
    private let mean: Milliseconds
    private var next: Milliseconds
    private var vanishAt: Milliseconds
    private var count = 0
    /// Refusals by reason.
    private(set) var refused: [Reason: Int] = [:]
    /// Limits that a refusal named.
    private(set) var limitsMet: Set<String> = []

    static let limits = [
        "rate_per_second", "alerts_per_producer", "(surfaces)", "(sources)", "snapshot_requests_per_second",
        "subscriptions_per_session", "provided_names_per_session", "capacity", "the message has",
    ]

    /// - Parameter rate: messages a second; more than a connection may send.
    init(rate: Int, seed: UInt64, at now: Milliseconds) {
        mean = Milliseconds(max(1, 1000 / rate))
        next = now
        vanishAt = now + 20_000
        super.init(seed: seed, "hostile")
    }

    override func act(at now: Milliseconds) throws {
        if now >= vanishAt {
            // A new connection has a full bucket and no subscriptions.
            vanishAt = now + dice.pause(every: 20_000)
            return try leave(for: dice.time(0...500), at: now)
        }
        next = max(next, now - 200)
        while next <= now {
            next += dice.pause(every: mean)
            count += 1
            try attack()
        }
    }

    override func take(at now: Milliseconds) throws {
        try line.receive { message in
            guard case .reply(_, .refused(let refusal), _) = message else { return }
            refused[refusal.reason, default: 0] += 1
            for limit in Self.limits where refusal.message.contains(limit) { limitsMet.insert(limit) }
        }
    }

    private func attack() throws {
        switch dice.number(0...99) {
        case 0..<50:
            // So many that the waiting ones stay below nobody's limit.
            let surface = dice.happens(3) ? "grab/\(count)" : dice.pick(World.surfaces)
            try raise(surface, "h\(count)", Contents.any(&dice))
        case 50..<53:
            var content = AlertContent()
            content.sources = (0..<6).map { Source(name: "s\($0)") }
            try raise(dice.pick(World.surfaces), "s\(count)", content)
        case 53..<60: try line.send(Request(.sync(.all), ref: [0x31]))
        case 60..<66: try line.send(Request(.subscribe(try SurfaceScope("grab/\(count)")), ref: [0x32]))
        case 66..<70: try line.send(Request(.provide(name: "p\(count)"), ref: [0x33]))
        case 70..<75: try line.send(Request(.loaded(load: UInt64(dice.number(0...count)), rows: []), ref: [0x34]))
        case 75..<80: try line.send(Request(.drawn(surface: "lobby/1/modal", epoch: 1, seq: UInt64(count))))
        case 80..<84: try line.send(Array(#"{"v":1,"op":"explode","ref":1}"#.utf8))
        case 84..<88: try line.send(Array(#"{"v":1,"op":"raise","surface":"lobby/1/modal""#.utf8))
        case 88..<90: try line.send([UInt8](repeating: 0x5b, count: 2000))
        case 90..<92:
            let text = String(repeating: "x", count: World.messageBytes)
            try line.send(Array(#"{"v":1,"op":"raise","ref":1,"surface":"a","key":"k","params":{"x":"\#(text)"}}"#.utf8))
        case 92..<96: try line.send((0..<dice.number(0...100)).map { _ in UInt8(dice.number(0...255)) })
        default:
            try line.send(Request(.command(.dismiss(surface: "nowhere", .top, revision: nil)), ref: [0x35], producer: "hostile"))
        }
    }

    private func raise(_ surface: String, _ key: String, _ content: AlertContent) throws {
        try line.send(
            Request(.command(.raise(Raise(surface: surface, key: key, content: content))), ref: [0x36], producer: "hostile"))
    }
}
