import AlertBusModel

extension ServerMessageDecoder {
    func alerts(_ ref: [UInt8]) throws(WireFault) -> AlertsPart {
        var part = AlertsPart(ref: ref, alerts: [], last: try fields.boolean(.last) ?? true)
        try fields.list(.alerts) { (token) throws(WireFault) in
            let alert = try collect(token)
            part.alerts.append(
                AlertSummary(
                    surface: try alert.surface(), key: try alert.requiredName(.key),
                    producer: try alert.repeatedName(.producer) ?? "", instance: try alert.requiredInteger(.instance),
                    revision: try alert.revision(),
                    priority: UInt8(truncatingIfNeeded: try alert.requiredInteger(.priority, 0...255)),
                    state: try alert.word(.state, states),
                    position: Int(try alert.integer(.position, count) ?? 0),
                    acceptedAt: try alert.time(.acceptedAt) ?? 0, expiresAt: try alert.time(.expiresAt)))
        }
        return part
    }

    func subscribers(_ ref: [UInt8]) throws(WireFault) -> SubscribersPart {
        var part = SubscribersPart(ref: ref, subscribers: [], last: try fields.boolean(.last) ?? true)
        try fields.list(.subscribers) { (token) throws(WireFault) in
            part.subscribers.append(try subscriber(try collect(token)))
        }
        return part
    }

    func counters(_ ref: [UInt8]) throws(WireFault) -> CountersReport {
        var report = CountersReport(ref: ref, counters: [])
        guard let token = fields[.counters], text.first(token) == UInt8(ascii: "{") else {
            throw fields.fault(.counters, expected: "an object")
        }
        try text.forEachMember(token) { (name, value) throws(WireFault) in
            guard let number = text.unsigned(value) else {
                throw WireFault(.malformed, at: "counters", "expected an integer, got \(text.excerpt(value))")
            }
            report.counters.append(.init(text.string(name), number))
        }
        return report
    }

    private func subscriber(_ entry: Fields) throws(WireFault) -> SubscriberSummary {
        var result = SubscriberSummary(
            session: try entry.session(), identity: try entry.string(.identity) ?? "", scopes: [],
            silence: try entry.time(.silence) ?? 0, backlog: Int(try entry.integer(.backlog, count) ?? 0),
            resyncs: try entry.integer(.resyncs, 0...UInt64.max) ?? 0)
        if let p50 = try entry.time(.toScreenMedian), let p99 = try entry.time(.toScreenTail) {
            result.toScreen = .init(p50: p50, p99: p99)
        }
        try entry.list(.scopes) { (token) throws(WireFault) in
            guard entry.isString(token), let scope = try? SurfaceScope(text.string(token)) else {
                throw WireFault(.malformed, at: "", "expected a surface path, got \(text.excerpt(token))")
            }
            result.scopes.append(scope)
        }
        if entry[.screens] == nil { return result }
        try entry.list(.screens) { (token) throws(WireFault) in
            let screen = try collect(token)
            result.screens.append(
                SubscriberSummary.Screen(
                    surface: try screen.surface(), sent: try screen.requiredInteger(.sent),
                    drawn: try screen.integer(.drawn, 0...UInt64.max), behind: try screen.time(.behind) ?? 0,
                    toScreen: try screen.time(.toScreen)))
        }
        return result
    }
}
