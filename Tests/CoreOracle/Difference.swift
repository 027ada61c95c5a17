import AlertBusModel

/// The first step in which a core did something else than the simple model.
package struct Difference: CustomStringConvertible {
    package var seed: UInt64?
    package var policies: PolicySet
    package var limits: Limits
    /// Everything up to the difference, the last one included.
    package var inputs: [TimedInput]
    package var expected: [String]
    package var found: [String]
    /// The state of the model after that step.
    package var dump: String

    package var description: String {
        var lines = ["a difference after \(inputs.count) inputs" + (seed.map { ", seed \($0)" } ?? "")]
        for rule in policies.rules { lines.append("policy \(rule.pattern): \(rule.policy.line)") }
        lines.append("policy of the rest: \(policies.fallback.line)")
        if limits != Limits() { lines.append("\(limits)") }
        for step in inputs { lines.append("  at \(step.time) \(step.input.line)") }
        lines.append("the model says:")
        lines += expected.map { "  \($0)" }
        lines.append("the core says:")
        lines += found.map { "  \($0)" }
        lines.append("the model's state afterwards:")
        lines.append(dump)
        return lines.joined(separator: "\n")
    }
}

extension Effect {
    /// Everything that must be equal, in one line.
    var exact: String {
        "\(line)   \(comparable)"
    }
}

extension Policy {
    /// What differs from the defaults.
    var line: String {
        let normal = Policy()
        var words: [String] = []
        func say(_ name: String, _ value: some Equatable, _ usual: some Equatable) {
            if "\(value)" != "\(usual)" { words.append("\(name) \(value)") }
        }
        say("order", order, normal.order)
        say("covered", covered, normal.covered)
        say("preempt", preempt, normal.preempt)
        say("activation_delay_ms", activationDelay, normal.activationDelay)
        say("slots", slots, normal.slots)
        say("capacity", capacity, normal.capacity)
        say("overflow", overflow, normal.overflow)
        say("max_batch", maxBatch, normal.maxBatch)
        say("min_show_ms", minShow, normal.minShow)
        say("hold", hold, normal.hold)
        say("max_priority", maxPriority, normal.maxPriority)
        return words.isEmpty ? "default" : words.joined(separator: ", ")
    }
}
