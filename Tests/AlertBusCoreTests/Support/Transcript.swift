import AlertBusCore
import AlertBusModel
import CoreOracle

/// Runs a story: lines at the margin are inputs, the lines below each are what followed, with the time at which it did.
///
///     at 350 raise lobby/a door priority=3 session=1
///       350 lobby/a#1 show door raised
///       350 accepted 1 r1 shown
///
/// Lines that begin with `#` and empty lines stay. `policy` must come first. Deadlines are taken at their own time.
struct Transcript {
    private var arbiter = Arbiter()
    private var now: Milliseconds = 0
    private(set) var output: [String] = []

    /// - Returns: the same text with the outputs that the core gives.
    static func run(_ text: String) throws -> String {
        var transcript = Transcript()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("  ") { continue }
            transcript.output.append(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            try transcript.obey(line)
        }
        return transcript.output.joined(separator: "\n")
    }

    private static let flags: Set<String> = [
        "no-intercept", "no-activate", "breakthrough", "closes", "update", "shown", "held", "may-not-break-through",
    ]

    private mutating func obey(_ line: String) throws {
        var line = line
        if line.hasPrefix("at ") {
            let words = TranscriptWords(line)
            guard let time = Milliseconds(try words.position(1, "the time")) else { throw words.fault("no time") }
            line = words.line.split(separator: " ").dropFirst(2).joined(separator: " ")
            // A start comes after a time in which nobody was there.
            if !line.hasPrefix("started") { pass(to: time) }
            now = time
        }
        var words = TranscriptWords(line, flags: Self.flags)
        switch try words.position(0, "the command") {
        case "policy": try start(&words)
        case "pass": break
        case "list": list()
        case "why": try why(words)
        case "screen": screen()
        default: take(try input(&words))
        }
        try words.end()
    }

    private mutating func start(_ words: inout TranscriptWords) throws {
        arbiter = Arbiter(policies: PolicySet(fallback: try words.policy()))
    }

    private mutating func pass(to time: Milliseconds) {
        while let due = arbiter.nextDeadline, due <= time {
            now = due
            take(.tick)
        }
    }

    private mutating func take(_ input: Input) {
        var effects: [Effect] = []
        arbiter.step(input, at: now, into: &effects)
        output += effects.map { "  \(now) \($0.line)" }
        output += arbiter.violations().map { "  \(now) VIOLATION \($0)" }
    }

    // MARK: Inputs

    private func input(_ words: inout TranscriptWords) throws -> Input {
        switch words.positions[0] {
        case "started": return .started(epoch: try number(words))
        case "lost": return .ownerLost(session: try number(words))
        case "loaded":
            let ids = (words.text("rows") ?? "").split(separator: ",").map { Array($0.utf8) }
            return .loaded(
                load: try number(words), rows: ids.map { Row(id: $0, json: Array("{\"id\":".utf8) + $0 + Array("}".utf8)) })
        case "failed": return .loadFailed(load: try number(words), message: "it failed")
        case "configured": return .configured(PolicySet(fallback: try words.policy()), arbiter.limits)
        default:
            let requester = try words.requester()
            return .command(try command(&words), from: requester)
        }
    }

    private func number(_ words: TranscriptWords) throws -> UInt64 {
        guard let number = UInt64(try words.position(1, "a number")) else { throw words.fault("no number") }
        return number
    }

    private func command(_ words: inout TranscriptWords) throws -> Command {
        let surface = try words.position(1, "the surface")
        switch words.positions[0] {
        case "raise":
            return .raise(
                Raise(
                    surface: surface, key: try words.position(2, "the key"), content: try words.content(),
                    update: words.flag("update")))
        case "update":
            var update = Update(surface: surface, key: try words.position(2, "the key"))
            update.revision = try words.number("revision")
            update.priority = try words.number("priority")
            update.ttl = try words.number("ttl")
            update.display = try words.number("display")
            return .update(update)
        case "withdraw":
            return .withdraw(
                surface: surface, key: try words.position(2, "the key"), revision: try words.number("revision"))
        case "dismiss": return .dismiss(surface: surface, try words.target(2), revision: try words.number("revision"))
        case "answer":
            let chosen = (words.text("chosen") ?? "").split(separator: ",").map { Array($0.utf8) }
            let choices = words.text("source").map { [Answer.Choice(source: $0, ids: chosen)] } ?? []
            return .answer(
                surface: surface, try words.target(2), revision: try words.number("revision"),
                Answer(json: Array("{}".utf8), chosen: choices))
        case "clear": return .clear(try words.scope(1), shown: words.flag("shown"))
        case "hold": return .hold(try words.scope(1))
        case "release": return .release(try words.scope(1))
        case "status": return .status(surface: surface, try words.target(2))
        case "refresh":
            return .refresh(surface: surface, try words.target(2), source: words.text("source") ?? "", request: [])
        default: throw words.fault("there is no such command")
        }
    }

    // MARK: Questions

    private mutating func list() {
        for alert in arbiter.alerts(in: .all) {
            let position = alert.position > 0 ? " \(alert.position)" : ""
            output.append(
                "  \(now) \(alert.surface) \(alert.instance) \(alert.key) r\(alert.revision) p\(alert.priority) \(alert.state.rawValue)\(position)"
            )
        }
    }

    private mutating func screen() {
        for snapshot in arbiter.snapshots(in: .all) {
            let held = snapshot.held ? " held" : ""
            output.append(
                "  \(now) \(snapshot.surface)#\(snapshot.seq)\(held): " + snapshot.shown.map(\.key).joined(separator: " "))
        }
    }

    private mutating func why(_ words: TranscriptWords) throws {
        do {
            let why = try arbiter.explain(try words.position(1, "the surface"), try words.target(2))
            let until = why.until.map { " until \($0)" } ?? ""
            output.append("  \(now) \(why.rule)\(until): \(why.message)")
        } catch let refusal as Refusal {
            output.append("  \(now) refused \(refusal.reason.rawValue): \(refusal.message)")
        }
    }
}
