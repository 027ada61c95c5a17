import AlertBusModel
import TestSupport

/// Makes up rules and inputs from a seed, with small alphabets so that everything meets everything.
package struct RandomWorld {
    /// What a run may contain; turn one off to look at the rest.
    package struct Features: Sendable {
        package var sources = true
        package var hold = true
        package var configured = true
        package var started = true
        package var ownerLoss = true
        package var once = true
        package var smallLimits = true
        package var refresh = true

        package init() {}
    }

    var random: SplitMix64
    let features: Features
    package let policies: PolicySet
    package let limits: Limits
    /// Loads that were asked for; some are answered twice, or too late.
    var loads: [UInt64] = []
    var lastInstance: UInt64 = 0

    package init(seed: UInt64, features: Features) {
        random = SplitMix64(seed: seed)
        self.features = features
        policies = Self.policies(&random)
        limits = Self.limits(&random, features)
    }

    static func policies(_ random: inout SplitMix64) -> PolicySet {
        var set = PolicySet(fallback: policy(&random))
        if random.one(in: 2) {
            set.rules.append(PolicyRule(pattern: try! PathPattern("a/**"), policy: policy(&random)))
        }
        return set
    }

    static func policy(_ random: inout SplitMix64) -> Policy {
        var policy = Policy()
        policy.order = random.pick([.priority, .priority, .arrival])
        policy.covered = random.pick([.stay, .hide])
        policy.preempt = random.pick([.never, .higher])
        policy.activationDelay = random.pick([0, 1, 350, 350])
        policy.slots = random.pick([1, 1, 2, 3])
        policy.capacity = random.pick([2, 3, 10_000, 10_000])
        policy.overflow = random.pick([.refuse, .evictLowest])
        policy.maxBatch = random.pick([0, 0, 2, 3])
        policy.minShow = random.pick([0, 0, 100, 350])
        policy.hold = random.one(in: 8)
        policy.maxPriority = random.pick([3, 3, 2, 4])
        return policy
    }

    static func limits(_ random: inout SplitMix64, _ features: Features) -> Limits {
        var limits = Limits()
        if features.smallLimits && random.one(in: 4) {
            limits.surfaces = random.pick([2, 3])
            limits.alertsPerProducer = random.pick([3, 5, 100])
            limits.alerts = random.pick([6, 9, 18, 100])
            limits.sources = random.pick([1, 2])
            limits.rows = random.pick([1, 2])
            limits.memory = random.pick([1, 3, 100])
            limits.ownerGrace = random.pick([0, 350, 10_000])
        }
        return limits
    }

    /// When the next input comes: often at once, and often right on a deadline or beside it.
    package mutating func time(after now: Milliseconds, _ deadline: Milliseconds?) -> Milliseconds {
        let next = max(now, deadline ?? now + 350)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: return now
        case 9: return now + 1
        case 10, 11, 12: return next
        case 13: return max(now, next - 1)
        case 14: return next + 1
        case 15, 16: return now + 350
        case 17, 18: return now + Milliseconds.random(in: 0...500, using: &random)
        default: return random.one(in: 4) ? now + 31_000 : now + 1_000
        }
    }

    package mutating func input() -> Input {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: return .tick
        case 8..<12 where features.ownerLoss: return .ownerLost(session: UInt64.random(in: 1...4, using: &random))
        case 12..<22 where !loads.isEmpty: return loaded()
        case 22 where features.started && random.one(in: 2): return .started(epoch: 0)
        case 23 where features.configured && random.one(in: 2):
            // What is remembered already may stay longer than a new limit says, so that one stays.
            var limits = Self.limits(&random, features)
            limits.memory = self.limits.memory
            return .configured(Self.policies(&random), limits)
        default: return .command(command(), from: requester())
        }
    }

    package mutating func learn(from effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .load(let load): loads.append(load.load)
            case .reply(.accepted(let accepted)): lastInstance = max(lastInstance, accepted.instance)
            case .publish, .receipt, .reply, .unload: break
            }
        }
        if loads.count > 6 { loads.removeFirst() }
    }

    private mutating func loaded() -> Input {
        let load = random.pick(loads)
        if !random.one(in: 8) { loads.removeAll { $0 == load } }
        if random.one(in: 4) { return .loadFailed(load: load, message: "gone") }
        let rows = random.pick([[], [0], [1], [0, 1], [0, 1], [1, 1], [2, 1, 0]]).map {
            Row(id: Array("\($0)".utf8), json: Array("{\"id\":\($0)}".utf8))
        }
        return .loaded(load: load, rows: rows)
    }
}
