import AlertBusCore
import AlertBusModel
import CoreOracle
import Testing

/// Speaks with the core in short words; each call returns what happened, a line for each effect.
///
/// After every step the invariants are checked, and the core is saved, read again and asked to go on from there.
struct Dialogue {
    var arbiter: Arbiter
    var now: Milliseconds = 0

    init(limits: Limits = Limits(), _ change: (inout Policy) -> Void = { _ in }) {
        var policy = Policy()
        change(&policy)
        arbiter = Arbiter(policies: PolicySet(fallback: policy), limits: limits)
    }

    mutating func effects(_ input: Input) -> [Effect] {
        var effects: [Effect] = []
        arbiter.step(input, at: now, into: &effects)
        let faults = arbiter.violations()
        #expect(faults == [], "after \(input.line)")
        do {
            let saved = arbiter.save()
            arbiter = try Arbiter(saved: saved)
            #expect(arbiter.save() == saved, "another state after saving and reading, after \(input.line)")
        } catch {
            Issue.record("it does not read what it saved after \(input.line): \(error)")
        }
        return effects
    }

    mutating func take(_ input: Input) -> [String] { effects(input).map(\.line) }

    mutating func command(
        _ command: Command, session: UInt64 = 0, producer: String = "", once: String? = nil, mayBreakThrough: Bool = true,
        topPriority: UInt8 = .max
    ) -> [String] {
        take(
            .command(
                command,
                from: Requester(
                    session: session, producer: producer, once: once, mayBreakThrough: mayBreakThrough,
                    topPriority: topPriority)))
    }

    @discardableResult
    mutating func raise(
        _ key: String, _ priority: UInt8 = 1, on surface: String = "s", session: UInt64 = 0, producer: String = "",
        update: Bool = false, once: String? = nil, mayBreakThrough: Bool = true, topPriority: UInt8 = .max,
        with change: (inout AlertContent) -> Void = { _ in }
    ) -> [String] {
        var content = AlertContent()
        content.priority = priority
        change(&content)
        return command(
            .raise(Raise(surface: surface, key: key, content: content, update: update)), session: session,
            producer: producer, once: once, mayBreakThrough: mayBreakThrough, topPriority: topPriority)
    }

    @discardableResult
    mutating func update(
        _ key: String, revision: UInt32? = nil, producer: String = "", _ change: (inout Update) -> Void
    ) -> [String] {
        var update = Update(surface: "s", key: key)
        update.revision = revision
        change(&update)
        return command(.update(update), producer: producer)
    }

    @discardableResult
    mutating func dismiss(
        _ key: String? = nil, instance: UInt64? = nil, revision: UInt32? = nil, once: String? = nil
    ) -> [String] {
        let target = instance.map { Target.instance($0) } ?? key.map { .key($0) } ?? .top
        return command(.dismiss(surface: "s", target, revision: revision), once: once)
    }

    mutating func answer(_ key: String, _ json: String, chosen: [Answer.Choice] = []) -> [String] {
        command(.answer(surface: "s", .key(key), revision: nil, Answer(json: Array(json.utf8), chosen: chosen)))
    }

    mutating func withdraw(_ key: String, revision: UInt32? = nil, producer: String = "") -> [String] {
        command(.withdraw(surface: "s", key: key, revision: revision), producer: producer)
    }

    mutating func clear(_ scope: String = "s", shown: Bool = false) -> [String] {
        command(.clear(Self.scope(scope), shown: shown))
    }

    @discardableResult
    mutating func hold(_ scope: String = "s") -> [String] { command(.hold(Self.scope(scope))) }

    @discardableResult
    mutating func release(_ scope: String = "s") -> [String] { command(.release(Self.scope(scope))) }

    @discardableResult
    mutating func wait(_ time: Milliseconds) -> [String] {
        now += time
        return take(.tick)
    }

    /// What is displayed, from the bottom to the top.
    func screen(_ surface: String = "s") -> [String] {
        arbiter.snapshots(in: Self.scope(surface)).flatMap { $0.shown.map(\.key) }
    }

    func why(_ key: String) -> Explanation? { try? arbiter.explain("s", .key(key)) }

    static func scope(_ text: String) -> SurfaceScope {
        do { return try SurfaceScope(text) } catch { preconditionFailure("not a scope: \(text)") }
    }
}

extension Row {
    /// A row with a number as its id.
    init(_ id: Int) {
        self.init(id: Array("\(id)".utf8), json: Array("{\"id\":\(id)}".utf8))
    }
}
