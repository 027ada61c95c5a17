import AlertBusModel
import CoreOracle

/// Speaks with the model in short words; each call returns what happened, a line for each effect.
struct Dialogue {
    var model: SimpleArbiter
    var now: Milliseconds = 0

    init(limits: Limits = Limits(), _ change: (inout Policy) -> Void = { _ in }) {
        var policy = Policy()
        change(&policy)
        model = SimpleArbiter(policies: PolicySet(fallback: policy), limits: limits, epoch: 1)
    }

    mutating func take(_ input: Input) -> [String] { model.step(input, at: now).map(\.line) }

    mutating func command(_ command: Command, session: UInt64 = 0, producer: String = "", once: String? = nil)
        -> [String]
    {
        take(.command(command, from: Requester(session: session, producer: producer, once: once)))
    }

    mutating func raise(
        _ key: String, _ priority: UInt8 = 1, session: UInt64 = 0, producer: String = "", update: Bool = false,
        once: String? = nil, _ change: (inout AlertContent) -> Void = { _ in }
    ) -> [String] {
        var content = AlertContent()
        content.priority = priority
        change(&content)
        return command(
            .raise(Raise(surface: "s", key: key, content: content, update: update)), session: session,
            producer: producer, once: once)
    }

    mutating func dismiss(_ key: String? = nil, revision: UInt32? = nil, once: String? = nil) -> [String] {
        command(.dismiss(surface: "s", key.map { .key($0) } ?? .top, revision: revision), once: once)
    }

    mutating func wait(_ time: Milliseconds) -> [String] {
        now += time
        return take(.tick)
    }
}
