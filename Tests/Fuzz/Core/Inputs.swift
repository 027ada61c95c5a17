import AlertBusModel

/// Rules and inputs from bytes, with small alphabets so that everything meets everything.
struct Inputs {
    var source: ByteSource
    /// Loads that were asked for; some are answered twice, or too late.
    var loads: [UInt64] = []
    var lastInstance: UInt64 = 0
    private var epoch: UInt64 = 1

    init(_ source: ByteSource) { self.source = source }

    mutating func policies() -> PolicySet {
        var set = PolicySet(fallback: policy())
        if source.coin() { set.rules.append(PolicyRule(pattern: try! PathPattern("a/**"), policy: policy())) }
        return set
    }

    private mutating func policy() -> Policy {
        var policy = Policy()
        policy.order = source.pick(Order.allCases)
        policy.covered = source.pick(Covered.allCases)
        policy.preempt = source.pick(Preempt.allCases)
        policy.activationDelay = source.pick([350, 0, 1])
        policy.slots = source.pick([1, 2, 3])
        policy.capacity = source.pick([10_000, 1, 2])
        policy.overflow = source.pick(Overflow.allCases)
        policy.maxBatch = source.pick([0, 1, 3])
        policy.minShow = source.pick([0, 100, 350])
        policy.hold = source.below(8) == 1
        policy.maxPriority = source.pick([3, 1, 255])
        return policy
    }

    mutating func limits() -> Limits {
        var limits = Limits()
        if source.coin() {
            limits.surfaces = source.pick([100, 1, 2])
            limits.alerts = source.pick([100, 2, 5])
            limits.alertsPerProducer = source.pick([100, 1, 3])
            limits.bytes = source.pick([1 << 20, 1024])
            limits.memory = source.pick([100, 0, 2])
            limits.rows = source.pick([100, 1])
            limits.sources = source.pick([16, 0, 1])
        }
        return limits
    }

    mutating func pause() -> Milliseconds { source.pick([0, 1, 100, 350, 1000, 100_000]) }

    mutating func input() -> Input {
        switch source.below(24) {
        case 0: return .tick
        case 1:
            epoch += 1
            return .started(epoch: epoch)
        case 2: return .configured(policies(), limits())
        case 3: return .ownerLost(session: UInt64(source.below(4)))
        case 4, 5:
            return .loaded(
                load: load(), rows: (0..<source.below(3)).map { Row(id: Array("\($0)".utf8), json: Array("{\"id\":\($0)}".utf8)) })
        case 6: return .loadFailed(load: load(), message: "no")
        default:
            let command = command()
            return .command(command, from: requester())
        }
    }

    private mutating func load() -> UInt64 { loads.isEmpty ? UInt64(source.byte()) : source.pick(loads) }

    private mutating func requester() -> Requester {
        Requester(
            session: UInt64(source.below(4)), producer: source.pick(["p", "q", ""]),
            once: source.maybe { "t\($0.below(3))" }, mayBreakThrough: source.coin(),
            topPriority: source.pick([255, 1, 2]), maxAlerts: source.pick([0, 0, 1, 3]))
    }

    private mutating func surface() -> String { source.pick(["a/x", "a/y", "b"]) }
    private mutating func key() -> String { source.pick(["k", "l", "m", "n"]) }
    private mutating func scope() -> SurfaceScope { try! SurfaceScope(source.pick(["/", "a/", "a/x", "b"])) }

    private mutating func target() -> Target {
        switch source.below(3) {
        case 0: .key(key())
        case 1: .instance(max(1, lastInstance &- UInt64(source.below(4))))
        default: .top
        }
    }

    private mutating func command() -> Command {
        switch source.below(16) {
        case 0...6: .raise(Raise(surface: surface(), key: key(), content: content(), update: source.coin()))
        case 7: .update(update())
        case 8: .withdraw(surface: surface(), key: key(), revision: revision())
        case 9: .dismiss(surface: surface(), target(), revision: revision())
        case 10:
            .answer(
                surface: surface(), target(), revision: revision(),
                Answer(json: Array("1".utf8), chosen: source.coin() ? [.init(source: "x", ids: [Array("0".utf8)])] : []))
        case 11: .clear(scope(), shown: source.coin())
        case 12: .hold(scope())
        case 13: .release(scope())
        case 14: .status(surface: surface(), target())
        default: .refresh(surface: surface(), target(), source: source.pick(["x", "y"]), request: [])
        }
    }

    private mutating func revision() -> UInt32? { source.maybe { UInt32(1 + $0.below(3)) } }
    private mutating func span() -> Milliseconds { source.pick([1, 100, 350, 1000]) }

    private mutating func content() -> AlertContent {
        var content = AlertContent()
        content.priority = source.pick([1, 2, 3, 0, 255])
        content.intercept = source.coin()
        content.activate = source.coin()
        content.breakthrough = source.coin()
        content.closesOnOwnerLoss = source.coin()
        if source.coin() { content.ttl = span() }
        if source.coin() { content.display = span() }
        if source.coin() { content.minShow = span() }
        if source.coin() { content.params = Array("{\"n\":\(source.below(3))}".utf8) }
        for name in ["x", "y"] where source.below(4) == 1 {
            content.loadTimeout = source.maybe { _ in 500 }
            content.sources.append(
                Source(name: name, selected: source.coin() ? [Array("0".utf8)] : [], timeout: span(), isOptional: source.coin()))
        }
        return content
    }

    private mutating func update() -> Update {
        var update = Update(surface: surface(), key: key())
        update.revision = revision()
        if source.coin() { update.priority = source.byte() }
        if source.coin() { update.intercept = source.coin() }
        if source.coin() { update.activate = source.coin() }
        if source.coin() { update.ttl = span() }
        if source.coin() { update.display = span() }
        if source.coin() { update.params = Array("{\"n\":9}".utf8) }
        return update
    }
}
