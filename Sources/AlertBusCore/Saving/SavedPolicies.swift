import AlertBusModel

// Rules and limits as bytes: in a saved state, and in the journal when a configuration is loaded.
extension ByteWriter {
    mutating func policy(_ policy: Policy) {
        text(policy.order.rawValue)
        text(policy.covered.rawValue)
        text(policy.preempt.rawValue)
        signed(policy.activationDelay)
        number(policy.slots)
        number(policy.capacity)
        text(policy.overflow.rawValue)
        number(policy.maxBatch)
        signed(policy.minShow)
        flag(policy.hold)
        byte(policy.maxPriority)
    }

    mutating func policies(_ policies: PolicySet) {
        list(policies.rules) { writer, rule in
            writer.text(rule.pattern.text)
            writer.policy(rule.policy)
        }
        policy(policies.fallback)
    }

    mutating func limits(_ limits: Limits) {
        for value in [
            limits.surfaces, limits.alertsPerProducer, limits.alerts, limits.bytes, limits.sources, limits.rows,
            limits.memory,
        ] {
            number(value)
        }
        signed(limits.ownerGrace)
    }
}

extension ByteReader {
    mutating func policy() throws(StateFault) -> Policy {
        var policy = Policy()
        policy.order = try word()
        policy.covered = try word()
        policy.preempt = try word()
        policy.activationDelay = try time()
        policy.slots = try count()
        policy.capacity = try count()
        policy.overflow = try word()
        policy.maxBatch = try count()
        policy.minShow = try time()
        policy.hold = try flag()
        policy.maxPriority = try byte()
        guard policy.slots > 0 && policy.maxPriority > 0 && policy.activationDelay >= 0 && policy.minShow >= 0 else {
            throw fault("a policy that no surface can have")
        }
        return policy
    }

    mutating func policies() throws(StateFault) -> PolicySet {
        let rules = try list { reader throws(StateFault) in
            let text = try reader.text()
            guard let pattern = try? PathPattern(text) else { throw reader.fault("\"\(text)\" is not a pattern") }
            return PolicyRule(pattern: pattern, policy: try reader.policy())
        }
        return PolicySet(rules: rules, fallback: try policy())
    }

    mutating func limits() throws(StateFault) -> Limits {
        var limits = Limits()
        limits.surfaces = try count()
        limits.alertsPerProducer = try count()
        limits.alerts = try count()
        limits.bytes = try count()
        limits.sources = try count()
        limits.rows = try count()
        limits.memory = try count()
        limits.ownerGrace = try time()
        return limits
    }
}

/// The form in which the journal keeps a configuration.
public enum SavedConfiguration {
    public static func encode(_ policies: PolicySet, _ limits: Limits) -> [UInt8] {
        var writer = ByteWriter()
        writer.policies(policies)
        writer.limits(limits)
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(StateFault) -> (PolicySet, Limits) {
        var reader = ByteReader(bytes)
        let policies = try reader.policies()
        let limits = try reader.limits()
        guard reader.isAtEnd else { throw reader.fault("more follows than expected") }
        return (policies, limits)
    }
}
