import AlertBusCore
import AlertBusModel

/// Runs the same inputs under other rules beside the real run, and tells which alerts would have fared differently.
package struct PolicyComparison {
    /// One alert in both runs.
    package struct Difference: Equatable, Sendable {
        package var surface: String
        package var key: String
        package var was: [StoryLine]
        package var would: [StoryLine]
    }

    private struct Pair {
        var was: [StoryLine] = []
        var would: [StoryLine] = []
    }

    private let policies: PolicySet
    private let filter: StoryFilter
    private var other: Arbiter
    private var here = Origins()
    private var there = Origins()
    private var loads: LoadPairs
    private var open: [UInt64: Pair] = [:]
    /// Alerts that were compared.
    package private(set) var compared = 0
    package private(set) var differences: [Difference] = []

    /// - Parameter start: the state from which the real run starts.
    package init(start: Arbiter, policies: PolicySet, filter: StoryFilter) {
        self.policies = policies
        self.filter = filter
        other = start
        loads = LoadPairs(start.pendingLoads)
        var effects: [Effect] = []
        let newest = other.newestInstance
        other.step(.configured(policies, other.limits), at: other.now, into: &effects)
        note(
            JournalReplay.Step(position: 0, time: other.now, cause: nil, effects: effects, newestBefore: newest),
            inOther: true)
    }

    /// Takes a step of the real run.
    package mutating func take(_ step: JournalReplay.Step) {
        note(step, inOther: false)
        if let cause = step.cause {
            if !cause.isStart { passTime(to: step.time, step.position) }
            if let input = translated(cause) { stepOther(input, at: step.time, step) }
        } else {
            passTime(to: step.time, step.position)
        }
        closeFinished()
    }

    private mutating func passTime(to time: Milliseconds, _ position: UInt64) {
        while let due = other.nextDeadline, due <= time {
            let newest = other.newestInstance
            var effects: [Effect] = []
            other.step(.tick, at: due, into: &effects)
            note(
                JournalReplay.Step(position: position, time: other.now, cause: nil, effects: effects, newestBefore: newest),
                inOther: true)
        }
    }

    private mutating func stepOther(_ input: Input, at time: Milliseconds, _ real: JournalReplay.Step) {
        let newest = other.newestInstance
        var effects: [Effect] = []
        other.step(input, at: time, into: &effects)
        loads.pair(real.effects, effects)
        note(
            JournalReplay.Step(
                position: real.position, time: other.now, cause: input, effects: effects, newestBefore: newest), inOther: true)
    }

    /// Numbers of alerts and loads as the other run knows them. Nil when it has none.
    private func translated(_ input: Input) -> Input? {
        switch input {
        case .configured(_, let limits): return .configured(policies, limits)
        case .loaded(let load, let rows): return loads.other(load).map { .loaded(load: $0, rows: rows) }
        case .loadFailed(let load, let message): return loads.other(load).map { .loadFailed(load: $0, message: message) }
        case .command(let command, let requester):
            return .command(command.retargeted { there.instance(of: here.origin(of: $0)) ?? .max }, from: requester)
        case .tick, .started, .ownerLost: return input
        }
    }

    private mutating func note(_ step: JournalReplay.Step, inOther: Bool) {
        let lines = Storyteller.lines(of: step)
        for line in lines where line.event == "accepted" {
            inOther ? there.add(line.instance, raisedAt: line.position) : here.add(line.instance, raisedAt: line.position)
        }
        for line in lines {
            guard let origin = origin(of: line, inOther) else { continue }
            if inOther { open[origin, default: Pair()].would.append(line) } else { open[origin, default: Pair()].was.append(line) }
            touched.insert(origin)
        }
    }

    /// Nil when the line is not about one alert's life.
    private func origin(of line: StoryLine, _ inOther: Bool) -> UInt64? {
        if line.event == "refused" { return line.cause.op == "raise" ? line.position : nil }
        if line.event == "repeated" || line.instance == 0 { return nil }
        return (inOther ? there : here).origin(of: line.instance)
    }

    private var touched: Set<UInt64> = []

    /// Pairs that are over on both sides are compared and let go.
    private mutating func closeFinished() {
        for origin in touched.sorted() {
            guard let pair = open[origin], pair.was.last?.isEnd == true, pair.would.last?.isEnd == true else { continue }
            close(origin)
        }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func close(_ origin: UInt64) {
        guard let pair = open.removeValue(forKey: origin) else { return }
        let named = pair.was.first ?? pair.would.first
        guard let named, (pair.was + pair.would).contains(where: filter.contains) else { return }
        compared += 1
        if Self.isSame(pair.was, pair.would) { return }
        differences.append(Difference(surface: named.surface, key: named.key, was: pair.was, would: pair.would))
    }

    private static func isSame(_ a: [StoryLine], _ b: [StoryLine]) -> Bool {
        a.count == b.count
            && zip(a, b).allSatisfy { ($0.time, $0.event, $0.reason) == ($1.time, $1.event, $1.reason) }
    }

    /// At the end: what is still on its way is compared as far as it went.
    package mutating func finish() {
        for origin in open.keys.sorted() { close(origin) }
        differences.sort { ($0.was.first ?? $0.would[0]).position < ($1.was.first ?? $1.would[0]).position }
    }
}

/// Which raise an alert came from: two runs give it different numbers.
private struct Origins {
    private var origins: [UInt64: UInt64] = [:]
    private var instances: [UInt64: UInt64] = [:]

    mutating func add(_ instance: UInt64, raisedAt position: UInt64) {
        origins[instance] = position
        instances[position] = instance
    }

    /// An alert that was there at the start has the same number in both runs.
    func origin(of instance: UInt64) -> UInt64 { origins[instance] ?? 1 << 63 | instance }

    func instance(of origin: UInt64) -> UInt64? {
        origin >> 63 == 1 ? origin & (1 << 63 - 1) : instances[origin]
    }
}

/// Which request for data of the other run is the one that was answered in the real one.
private struct LoadPairs {
    private var pairs: [UInt64: UInt64] = [:]

    /// What is on the way in the start state has the same numbers in both runs.
    init(_ pending: [Load]) {
        for load in pending { pairs[load.load] = load.load }
    }

    mutating func pair(_ real: [Effect], _ other: [Effect]) {
        var candidates = Self.loads(other)
        for load in Self.loads(real) {
            guard let place = candidates.firstIndex(where: { $0.name == load.name && $0.request == load.request }) else { continue }
            pairs[load.load] = candidates.remove(at: place).load
        }
    }

    func other(_ load: UInt64) -> UInt64? { pairs[load] }

    private static func loads(_ effects: [Effect]) -> [Load] {
        effects.compactMap { if case .load(let load) = $0 { load } else { nil } }
    }
}

extension Command {
    /// The same command with the numbers of alerts replaced.
    fileprivate func retargeted(_ number: (UInt64) -> UInt64) -> Command {
        func target(_ target: Target) -> Target {
            if case .instance(let instance) = target { .instance(number(instance)) } else { target }
        }
        switch self {
        case .dismiss(let surface, let old, let revision):
            return .dismiss(surface: surface, target(old), revision: revision)
        case .answer(let surface, let old, let revision, let answer):
            return .answer(surface: surface, target(old), revision: revision, answer)
        case .status(let surface, let old): return .status(surface: surface, target(old))
        case .refresh(let surface, let old, let source, let request):
            return .refresh(surface: surface, target(old), source: source, request: request)
        case .raise, .update, .withdraw, .clear, .hold, .release: return self
        }
    }
}
