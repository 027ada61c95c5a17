import AlertBusModel

extension SimpleArbiter {
    /// Carries a command out. A token that is remembered gets the first reply again and changes nothing,
    /// but that the sender of a raise hears what follows.
    mutating func reply(to command: Command, from requester: Requester) -> Reply {
        guard let token = requester.once else { return carryOut(command, requester) }
        let producer = requester.producer
        if let known = tokens.first(where: { $0.producer == producer && $0.token == token }) {
            if case .accepted(let accepted) = known.reply,
                let index = alerts.firstIndex(where: { $0.instance == accepted.instance })
            {
                alerts[index].attach(requester.session)
            }
            return known.reply
        }
        let reply = carryOut(command, requester)
        tokens.append((producer, token, reply))
        while tokens.count > limits.memory { tokens.removeFirst() }
        return reply
    }

    private mutating func carryOut(_ command: Command, _ requester: Requester) -> Reply {
        switch command {
        case .raise(let raise): return accept(raise, requester)
        case .update(let update):
            return withOwn(update.surface, update.key, requester, update.revision) { $0.update($1, update, requester) }
        case .withdraw(let surface, let key, let revision):
            return withOwn(surface, key, requester, revision) { arbiter, alert in
                arbiter.end(alert.instance, .withdrawn)
                arbiter.settle(surface)
                return .done(Done(instance: alert.instance, revision: alert.revision, count: 1))
            }
        case .dismiss(let surface, let target, let revision):
            return with(surface, target, revision) { $0.close($1, .dismissed) }
        case .answer(let surface, let target, let revision, let answer):
            return with(surface, target, revision) { arbiter, alert in
                if !alert.offers(answer.chosen) { return refuse(.malformed) }
                return arbiter.close(alert, .answered, answer: answer.json)
            }
        case .clear(let scope, let shown): return .done(Done(count: clear(scope, shown: shown)))
        case .hold(let scope): return .done(Done(count: setHold(scope, true)))
        case .release(let scope): return .done(Done(count: setHold(scope, false)))
        case .status(let surface, let target): return status(surface, target, requester)
        case .refresh(let surface, let target, let source, let request):
            return with(surface, target, nil) { $0.refresh($1, source, request) }
        }
    }

    // MARK: - Finding what a command means

    private enum Found {
        case alert(SimpleAlert)
        case ended(Receipt)
        case refused(Reply)
    }

    /// With a sender that has a name its own alerts are meant before those of others.
    private func find(_ surface: String, _ target: Target, _ sender: String?) -> Found {
        switch target {
        case .top:
            let top = surfaces.contains { $0.name == surface } ? stack(of: surface).last(where: \.onTop) : nil
            return top.map { .alert($0) } ?? .refused(refuse(.unknownAlert))
        case .instance(let instance):
            if let alert = alerts.first(where: { $0.instance == instance }) {
                return alert.surface == surface ? .alert(alert) : .refused(refuse(.unknownAlert))
            }
            let known = outcomes.last { $0.receipt.instance == instance && $0.receipt.surface == surface }
            return known.map { .ended($0.receipt) } ?? .refused(refuse(.unknownAlert))
        case .key(let key):
            let all = alerts(on: surface).filter { $0.key == key }
            let own = all.filter { $0.producer == sender }
            let meant = own.isEmpty ? all : own
            let ended = outcomes.filter { $0.receipt.surface == surface && $0.receipt.key == key }
            let ownEnded = ended.last { $0.producer == sender }
            if own.isEmpty, let ownEnded, sender != "" || all.isEmpty { return .ended(ownEnded.receipt) }
            if meant.count > 1 { return .refused(refuse(.unknownAlert, instances: meant.map(\.instance))) }
            if let alert = meant.first { return .alert(alert) }
            return ended.last.map { .ended($0.receipt) } ?? .refused(refuse(.unknownAlert))
        }
    }

    private mutating func with(
        _ surface: String, _ target: Target, _ revision: UInt32?,
        _ body: (inout SimpleArbiter, SimpleAlert) -> Reply
    ) -> Reply {
        switch find(surface, target, nil) {
        case .alert(let alert): check(alert, revision) ?? body(&self, alert)
        case .ended: refuse(.alreadyEnded)
        case .refused(let reply): reply
        }
    }

    /// `update` and `withdraw` mean the sender's own alert.
    private mutating func withOwn(
        _ surface: String, _ key: String, _ requester: Requester, _ revision: UInt32?,
        _ body: (inout SimpleArbiter, SimpleAlert) -> Reply
    ) -> Reply {
        let producer = requester.producer
        if let alert = alerts(on: surface).first(where: { $0.key == key && $0.producer == producer }) {
            return check(alert, revision) ?? body(&self, alert)
        }
        let known = outcomes.contains {
            $0.producer == producer && $0.receipt.surface == surface && $0.receipt.key == key
        }
        return refuse(known ? .alreadyEnded : .unknownAlert)
    }

    private func check(_ alert: SimpleAlert, _ revision: UInt32?) -> Reply? {
        guard let revision, revision != alert.revision else { return nil }
        return refuse(revision < alert.revision ? .stale : .unknownAlert)
    }

    /// Where an alert stands. The sender hears what follows.
    private mutating func status(_ surface: String, _ target: Target, _ requester: Requester) -> Reply {
        switch find(surface, target, requester.producer) {
        case .alert(let alert):
            self[alert.instance].attach(requester.session)
            return .event(
                Receipt(
                    surface: surface, key: alert.key, instance: alert.instance, revision: alert.revision,
                    event: alert.reason == .resumed ? .resumed : alert.state.event, reason: alert.reason))
        case .ended(let receipt): return .event(receipt)
        case .refused(let reply): return reply
        }
    }
}

/// The sentence is left to the real one.
func refuse(_ reason: Reason, instances: [UInt64] = []) -> Reply {
    .refused(Refusal(reason, "", instances: instances))
}

extension PresentationState {
    fileprivate var event: Receipt.Event {
        switch self {
        case .loading: .loading
        case .deferred: .deferred
        case .shown: .shown
        case .covered: .covered
        case .ended: .ended
        }
    }
}

extension SimpleAlert {
    /// Whether every chosen id was among the rows of its source.
    fileprivate func offers(_ chosen: [Answer.Choice]) -> Bool {
        chosen.allSatisfy { choice in
            guard let source = data.first(where: { $0.name == choice.source }) else { return false }
            return choice.ids.allSatisfy { id in source.rows.contains { $0.id == id } }
        }
    }
}
