import AlertBusModel
import AlertBusWire

extension Request.Body {
    /// Commands with the same lane keep their order. Questions have none, the empty one: they may be asked at any time.
    var lane: String {
        switch self {
        case .command(let command): command.lane
        case .list, .counters, .sync, .subscribe, .unsubscribe, .drawn, .why, .ping, .provide, .unprovide, .loaded,
            .loadFailed:
            ""
        }
    }

    /// Whether it needs a token that makes sending it again safe. A question may simply be asked again, and a token
    /// on `status` would bring the old answer.
    var changesState: Bool {
        guard case .command(let command) = self else { return false }
        if case .status = command { return false }
        return true
    }

    /// What it holds in memory and on the wire, roughly.
    var approximateBytes: Int {
        guard case .command(let command) = self else { return 128 }
        switch command {
        case .raise(let raise):
            return raise.content.sources.reduce(256 + raise.content.params.count) { sum, source in
                source.selected.reduce(sum + 64 + source.request.count) { $0 + $1.count }
            }
        case .update(let update): return 192 + (update.params?.count ?? 0)
        case .answer(_, _, _, let answer): return 192 + answer.json.count
        case .refresh(_, _, _, let request): return 192 + request.count
        case .withdraw, .dismiss, .clear, .hold, .release, .status: return 192
        }
    }
}

extension Command {
    var lane: String {
        switch self {
        case .raise(let raise): raise.surface
        case .update(let update): update.surface
        case .withdraw(let surface, _, _), .dismiss(let surface, _, _), .answer(let surface, _, _, _),
            .refresh(let surface, _, _, _):
            surface
        case .status: ""
        case .clear(let scope, _), .hold(let scope), .release(let scope): scope.text
        }
    }
}

extension ServerMessage {
    /// Of the request that it answers; empty when it answers none.
    var ref: [UInt8] {
        switch self {
        case .reply(let ref, _, _), .explanation(let ref, _): ref
        case .snapshot(let part): part.ref
        case .alerts(let part): part.ref
        case .subscribers(let part): part.ref
        case .counters(let report): report.ref
        case .pong(let pong): pong.ref
        case .event, .stream, .beat, .load, .unload, .unknown: []
        }
    }
}
