import AlertBusModel

extension RandomWorld {
    mutating func requester() -> Requester {
        Requester(
            session: UInt64.random(in: 0...4, using: &random), producer: random.pick(["", "p", "p", "q"]),
            once: features.once && random.one(in: 10) ? "t\(Int.random(in: 0..<20, using: &random))" : nil,
            mayBreakThrough: !random.one(in: 6), topPriority: random.pick([.max, .max, .max, 2]))
    }

    mutating func command() -> Command {
        let surface = surface()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: return .dismiss(surface: surface, target(), revision: revision())
        case 14..<19: return .answer(surface: surface, target(), revision: revision(), answer())
        case 19..<26: return .withdraw(surface: surface, key: key(), revision: revision())
        case 26..<34: return .update(update(surface))
        case 34..<36: return .clear(scope(), shown: random.one(in: 2))
        case 36..<39 where features.hold: return .hold(scope())
        case 39..<45 where features.hold: return .release(scope())
        case 45..<49: return .status(surface: surface, target())
        case 49..<51 where features.refresh && features.sources:
            return .refresh(surface: surface, target(), source: random.pick(["x", "y"]), request: random.pick([[], [49]]))
        default:
            return .raise(
                Raise(surface: surface, key: key(), content: content(), update: random.one(in: 5)))
        }
    }

    private mutating func surface() -> String { random.pick(["a/x", "a/x", "a/x", "a/y", "b"]) }
    private mutating func key() -> String { random.pick(["k", "l", "m", "n", "o"]) }
    private mutating func scope() -> SurfaceScope { try! SurfaceScope(random.pick(["a/x", "a/x", "a/", "b", "/"])) }

    private mutating func revision() -> UInt32? { random.one(in: 6) ? random.pick([1, 1, 2, 3]) : nil }

    private mutating func target() -> Target {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: .top
        case 5..<8: .key(key())
        default: .instance(UInt64.random(in: 0...(lastInstance + 1), using: &random))
        }
    }

    private mutating func answer() -> Answer {
        var answer = Answer(json: Array("{}".utf8))
        if random.one(in: 3) {
            answer.chosen = [.init(source: random.pick(["x", "y"]), ids: [Array(random.pick(["0", "1"]).utf8)])]
        }
        return answer
    }

    private mutating func content() -> AlertContent {
        var content = AlertContent()
        content.priority = UInt8.random(in: 0...5, using: &random)
        content.intercept = !random.one(in: 4)
        content.activate = !random.one(in: 4)
        content.breakthrough = random.one(in: 6)
        content.closesOnOwnerLoss = random.one(in: 4)
        content.ttl = random.one(in: 5) ? span() : nil
        content.display = random.one(in: 5) ? span() : nil
        content.minShow = random.one(in: 4) ? random.pick([0, 100, 350]) : nil
        content.params = random.one(in: 4) ? Array("{\"n\":1}".utf8) : []
        if features.sources && random.one(in: 6) {
            content.loadTimeout = random.one(in: 4) ? span() : nil
            for name in random.pick([["x"], ["y"], ["x", "y"]]) {
                content.sources.append(
                    Source(
                        name: name, selected: random.one(in: 2) ? [Array("1".utf8)] : [], timeout: span(),
                        isOptional: random.one(in: 3)))
            }
        }
        return content
    }

    private mutating func span() -> Milliseconds { random.pick([1, 100, 350, 350, 700, 1_000]) }

    private mutating func update(_ surface: String) -> Update {
        var update = Update(surface: surface, key: key())
        update.revision = revision()
        if random.one(in: 2) { update.priority = UInt8.random(in: 0...5, using: &random) }
        if random.one(in: 4) { update.intercept = random.one(in: 2) }
        if random.one(in: 4) { update.activate = random.one(in: 2) }
        if random.one(in: 4) { update.ttl = span() }
        if random.one(in: 4) { update.display = span() }
        if random.one(in: 6) { update.presentation = "banner" }
        if random.one(in: 4) { update.params = Array("{\"n\":2}".utf8) }
        return update
    }
}
