import AlertBusModel

/// Runs a core and the simple model side by side.
package struct Comparison<Real: Machine> {
    let makeReal: (PolicySet, Limits, UInt64) -> Real

    package init(makeReal: @escaping (PolicySet, Limits, UInt64) -> Real) { self.makeReal = makeReal }

    /// Makes up rules and inputs from the seed and returns the first difference, made as short as it can be.
    package func compare(
        seed: UInt64, steps: Int, features: RandomWorld.Features = RandomWorld.Features()
    ) -> Difference? {
        var world = RandomWorld(seed: seed, features: features)
        var pair = pair(world.policies, world.limits)
        var inputs: [TimedInput] = []
        var now: Milliseconds = 1_000
        var epoch: UInt64 = 1
        for _ in 0..<steps {
            now = world.time(after: now, pair.model.nextDeadline)
            var input = world.input()
            if case .started = input {
                epoch += 1
                input = .started(epoch: epoch)
            }
            inputs.append(TimedInput(now, input))
            let outcome = pair.step(inputs.last!)
            if outcome.isDifferent {
                var difference = shrink(inputs, world.policies, world.limits)
                difference.seed = seed
                return difference
            }
            world.learn(from: outcome.effects)
        }
        return nil
    }

    /// All sequences of up to `length` of these inputs, each so long after the one before.
    ///
    /// - Returns: how many steps were compared, and the first difference.
    package func exhaust(
        _ alphabet: [(wait: Milliseconds, input: Input)], length: Int, policies: PolicySet, limits: Limits = Limits()
    ) -> (steps: Int, difference: Difference?) {
        var steps = 0
        var inputs: [TimedInput] = []
        func descend(_ pair: Pair<Real>, _ now: Milliseconds) -> Difference? {
            if inputs.count == length { return nil }
            for letter in alphabet {
                var next = pair
                inputs.append(TimedInput(now + letter.wait, letter.input))
                steps += 1
                if next.step(inputs.last!).isDifferent { return shrink(inputs, policies, limits) }
                if let difference = descend(next, now + letter.wait) { return difference }
                inputs.removeLast()
            }
            return nil
        }
        let difference = descend(pair(policies, limits), 1_000)
        return (steps, difference)
    }

    /// The first difference in a given sequence, if there is one.
    package func replay(
        _ inputs: [TimedInput], _ policies: PolicySet, _ limits: Limits = Limits(), restEvery: Int = 1
    ) -> Difference? {
        var pair = pair(policies, limits)
        pair.restEvery = restEvery
        for (index, input) in inputs.enumerated() {
            let outcome = pair.step(input)
            if outcome.isDifferent {
                return Difference(
                    policies: policies, limits: limits, inputs: Array(inputs[...index]),
                    expected: outcome.effects.map(\.exact), found: outcome.faults + outcome.found.map(\.exact),
                    dump: pair.model.dump)
            }
        }
        return nil
    }

    /// Takes steps away (the numbers of alerts and loads may follow), long runs of them first, as long as some difference remains.
    private func shrink(_ inputs: [TimedInput], _ policies: PolicySet, _ limits: Limits) -> Difference {
        var best = replay(inputs, policies, limits) ?? replay(inputs, policies, limits, restEvery: 16)!
        var size = max(1, best.inputs.count / 2)
        while true {
            var start = 0
            var isSmaller = false
            while start < best.inputs.count {
                var fewer = best.inputs
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                let renumbered = fewer.map { TimedInput($0.time, $0.input.renumbered(by: size)) }
                if let difference = replay(fewer, policies, limits) ?? replay(renumbered, policies, limits) {
                    best = difference
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1 && !isSmaller { return best }
            if !isSmaller { size = max(1, size / 2) }
        }
    }

    private func pair(_ policies: PolicySet, _ limits: Limits) -> Pair<Real> {
        Pair(
            model: SimpleArbiter(policies: policies, limits: limits, epoch: 1), real: makeReal(policies, limits, 1),
            driven: makeReal(policies, limits, 1))
    }
}

/// The model, a core that is called only for inputs, and one that is called at its own deadlines too.
struct Pair<Real: Machine> {
    var model: SimpleArbiter
    var real: Real
    var driven: Real
    private var steps = 0
    /// Rests cost more than steps.
    var restEvery = 16

    init(model: SimpleArbiter, real: Real, driven: Real) {
        self.model = model
        self.real = real
        self.driven = driven
    }

    mutating func step(_ step: TimedInput) -> Outcome {
        let effects = model.step(step.input, at: step.time)
        let expected = effects.map(\.comparable)
        let found = real.step(step.input, at: step.time)
        if found.map(\.comparable) != expected { return Outcome(effects: effects, found: found, isDifferent: true) }
        var late: [Effect] = []
        var calls = 0
        // A new epoch begins after a time in which nobody called.
        if case .started = step.input { calls = 1_000 }
        while calls < 1_000, let deadline = driven.nextDeadline, deadline <= step.time {
            late += driven.step(.tick, at: deadline)
            calls += 1
            precondition(calls < 1_000, "the deadline \(deadline) does not pass")
        }
        late += driven.step(step.input, at: step.time)
        steps += 1
        let faults = steps % restEvery == 0 ? driven.rest() : []
        return Outcome(
            effects: effects, found: late, faults: faults,
            isDifferent: !faults.isEmpty || late.map(\.comparable) != expected)
    }

    struct Outcome {
        /// Of the model.
        var effects: [Effect]
        /// Of the core that differed.
        var found: [Effect]
        var faults: [String] = []
        var isDifferent: Bool
    }
}
