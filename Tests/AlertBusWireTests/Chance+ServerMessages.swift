import AlertBusModel
import AlertBusWire

extension Chance {
    mutating func serverMessage() -> ServerMessage {
        switch below(16) {
        case 0: .reply(ref: ref(), .accepted(accepted()), watchers: maybe { $0.below(1000) })
        case 1:
            .reply(
                ref: ref(),
                .refused(
                    Refusal(pick(Reason.allCases), text(), retryAfter: clock(), instances: list(3) { $0.number() })),
                watchers: nil)
        case 2:
            .reply(ref: ref(), .done(Done(instance: number(), revision: revision(), count: below(9))), watchers: nil)
        case 3: .event(receipt())
        case 4: .reply(ref: Array("\"r\"".utf8), .event(receipt()), watchers: nil)
        case 5: .stream(stream(.show(alert())))
        case 6: .stream(stream(.update(alert())))
        case 7: .stream(stream(.hide(key: name(), instance: number())))
        case 8: .snapshot(snapshot())
        case 9: .alerts(AlertsPart(ref: ref(), alerts: list(3) { $0.summary() }, last: coin()))
        case 10: .subscribers(SubscribersPart(ref: ref(), subscribers: list(3) { $0.subscriber() }, last: coin()))
        case 11: .beat(Beat(surface: path(), epoch: number(), seq: number(), digest: ScreenDigest(of: [alert()]).text))
        case 12:
            .pong(
                Pong(
                    ref: ref(), epoch: number(), session: next(),
                    surfaces: list(3) { Pong.Position(surface: $0.path(), seq: $0.number()) }))
        case 13:
            coin()
                ? .unload(load: number())
                : .load(
                    LoadRequest(
                        load: number(), name: name(), request: coin() ? [] : json().bytes, timeout: clock()))
        case 14:
            .counters(
                CountersReport(ref: ref(), counters: (0..<below(4)).map { .init("counter_\($0)", number()) }))
        default: .explanation(ref: ref(), explanation())
        }
    }

    private mutating func accepted() -> Accepted {
        Accepted(
            surface: path(), key: name(), instance: number(), revision: revision(),
            state: pick(PresentationState.allCases), position: below(5))
    }

    private mutating func receipt() -> Receipt {
        Receipt(
            surface: path(), key: name(), instance: number(), revision: revision(), event: pick(Receipt.Event.allCases),
            reason: pick(Reason.allCases), answer: coin() ? [] : json().bytes, detail: text())
    }

    private mutating func stream(_ change: StreamMessage.Change) -> StreamMessage {
        StreamMessage(
            surface: path(), epoch: number(), seq: number(), reason: pick(Reason.allCases), detail: coin() ? "" : text(),
            change: change)
    }

    private mutating func alert() -> ShownAlert {
        var alert = ShownAlert(
            key: name(), producer: coin() ? "" : name(), instance: number(), revision: revision(),
            priority: UInt8(below(256)), presentation: maybe { _ in "modal" }, params: coin() ? [] : object().bytes,
            displayLeft: maybe { $0.clock() }, expiresAt: maybe { $0.time() })
        alert.data = (0..<below(3)).map { index in
            let rows = rows()
            var selected: [[UInt8]] = []
            for row in rows where coin() { selected.append(row.id) }
            return SourceData(name: "\(name())\(index)", rows: rows, selected: selected)
        }
        return alert
    }

    private mutating func snapshot() -> SnapshotPart {
        let epoch = number()
        return SnapshotPart(
            ref: ref(), scope: scope(), epoch: epoch,
            surfaces: list(3) {
                SurfaceSnapshot(
                    surface: $0.path(), epoch: epoch, seq: $0.number(), held: $0.coin(),
                    shown: $0.list(2) { $0.alert() })
            }, last: coin())
    }

    private mutating func summary() -> AlertSummary {
        AlertSummary(
            surface: path(), key: name(), producer: coin() ? "" : name(), instance: number(), revision: revision(),
            priority: UInt8(below(256)), state: pick(PresentationState.allCases), position: below(4),
            acceptedAt: time(),
            expiresAt: maybe { $0.time() })
    }

    private mutating func subscriber() -> SubscriberSummary {
        SubscriberSummary(
            session: next(), identity: coin() ? "" : name(), scopes: list(3) { $0.scope() }, silence: time(),
            backlog: below(1 << 30), resyncs: number(), toScreen: maybe { .init(p50: $0.time(), p99: $0.time()) },
            screens: list(2) {
                SubscriberSummary.Screen(
                    surface: $0.path(), sent: $0.number(), drawn: $0.maybe { $0.number() }, behind: $0.time(),
                    toScreen: $0.maybe { $0.time() })
            })
    }

    private mutating func explanation() -> Explanation {
        Explanation(
            surface: path(), key: name(), instance: number(), state: pick(PresentationState.allCases),
            rule: pick(["busy", "order", "held"]), above: number(), aboveKey: coin() ? "" : name(),
            until: maybe { $0.time() }, message: text())
    }
}
