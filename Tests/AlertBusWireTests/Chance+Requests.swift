import AlertBusModel
import AlertBusWire

extension Chance {
    mutating func request() -> Request {
        Request(
            body(), ref: ref(), once: maybe { $0.name() }, producer: maybe { $0.coin() ? "" : $0.name() })
    }

    private mutating func target() -> Target {
        switch below(3) {
        case 0: .key(name())
        case 1: .instance(number())
        default: .top
        }
    }

    private mutating func body() -> Request.Body {
        switch below(21) {
        case 0, 1: .command(.raise(raise()))
        case 2: .command(.update(update()))
        case 3: .command(.withdraw(surface: path(), key: name(), revision: maybe { $0.revision() }))
        case 4: .command(.dismiss(surface: path(), target(), revision: maybe { $0.revision() }))
        case 5: .command(.answer(surface: path(), target(), revision: maybe { $0.revision() }, answer()))
        case 6: .command(.clear(scope(), shown: coin()))
        case 7: .command(.hold(scope()))
        case 8: .command(.release(scope()))
        case 9: .command(.status(surface: path(), target()))
        case 10: .command(.refresh(surface: path(), target(), source: name(), request: coin() ? [] : json().bytes))
        case 11: coin() ? .counters : .list(scope(), subscribers: coin())
        case 12: .sync(scope())
        case 13: .subscribe(scope())
        case 14: .unsubscribe(scope())
        case 15: .drawn(surface: path(), epoch: number(), seq: number())
        case 16: .why(surface: path(), target())
        case 17: .ping
        case 18: coin() ? .provide(name: name()) : .unprovide(name: name())
        case 19: .loaded(load: number(), rows: rows())
        default: .loadFailed(load: number(), message: text())
        }
    }

    private mutating func raise() -> Raise {
        var raise = Raise(surface: path(), key: name(), update: coin())
        raise.content.priority = UInt8(below(256))
        raise.content.intercept = coin()
        raise.content.activate = coin()
        raise.content.breakthrough = coin()
        raise.content.closesOnOwnerLoss = coin()
        raise.content.ttl = maybe { $0.clock() }
        raise.content.display = maybe { $0.clock() }
        raise.content.loadTimeout = maybe { Milliseconds($0.below(3_600_000) + 1) }
        raise.content.minShow = maybe { $0.coin() ? 0 : $0.clock() }
        raise.content.presentation = maybe { $0.pick(["modal", "banner", "übergroß"]) }
        raise.content.params = coin() ? [] : object().bytes
        raise.content.sources = (0..<below(3)).map { index in
            Source(
                name: "\(name())\(index)", request: coin() ? [] : json().bytes, selected: list(3) { $0.id() },
                timeout: coin() ? Source.defaultTimeout : 3_600_000, isOptional: coin())
        }
        return raise
    }

    private mutating func update() -> Update {
        var update = Update(surface: path(), key: name())
        update.revision = maybe { $0.revision() }
        update.priority = maybe { UInt8($0.below(256)) }
        update.intercept = maybe { $0.coin() }
        update.activate = maybe { $0.coin() }
        update.ttl = maybe { $0.clock() }
        update.display = maybe { $0.clock() }
        update.presentation = maybe { $0.pick(["modal", "sheet"]) }
        update.params = maybe { $0.object().bytes }
        return update
    }

    private mutating func answer() -> Answer {
        if coin() { return Answer(json: coin() ? json(0).bytes : JSONValue.array([json(), json()]).bytes) }
        let chosen = (0..<below(3)).map { Answer.Choice(source: "\(name())\($0)", ids: list(3) { $0.id() }) }
        var text = #"{"button":"ok","selected":{"#
        text += chosen.map { choice in
            let ids = choice.ids.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
            return "\(JSONValue.string(choice.source).text):[\(ids)]"
        }.joined(separator: ",")
        return Answer(json: Array((text + "}}").utf8), chosen: chosen)
    }
}
