import AlertBusModel

extension SimpleArbiter {
    mutating func ask(for source: Source, of instance: UInt64, isRefresh: Bool = false) {
        lastLoad += 1
        let deadline = now + min(source.timeout, isRefresh ? .max : self[instance].content.loadTimeout ?? .max)
        self[instance].loads.append(
            SimpleLoad(number: lastLoad, source: source, deadline: deadline, isRefresh: isRefresh))
        effects.append(
            .load(Load(load: lastLoad, name: source.name, request: source.request, deadline: deadline)))
    }

    /// A provider brought rows. A load that nobody waits for is ignored.
    mutating func finish(_ number: UInt64, _ rows: [Row]) {
        guard let alert = alert(loading: number) else { return }
        if rows.count > limits.rows { return fail(number, "too many rows") }
        if Set(rows.map(\.id)).count < rows.count { return fail(number, "the same id twice") }
        if bytes + rows.reduce(0, { $0 + $1.json.count }) > limits.bytes { return fail(number, "too many bytes") }
        let load = alert.loads.first { $0.number == number }!
        let wanted = load.source.selected
        var data = alert.data.filter { $0.name != load.source.name }
        data.append(
            SourceData(
                name: load.source.name, rows: rows, selected: rows.map(\.id).filter { wanted.contains($0) }))
        let order = alert.content.sources.map(\.name)
        data.sort { order.firstIndex(of: $0.name)! < order.firstIndex(of: $1.name)! }
        self[alert.instance].data = data
        drop(number, of: alert.instance)
        if load.isRefresh { changed(alert.instance) } else { arriveIfComplete(alert.instance) }
    }

    mutating func fail(_ number: UInt64, _ message: String) {
        guard let alert = alert(loading: number) else { return }
        let load = alert.loads.first { $0.number == number }!
        drop(number, of: alert.instance)
        if load.isRefresh {
            // The old rows stay; the screen hears why they are old.
            if alert.state == .shown { publish(alert.surface, .loadFailed, .update(picture(of: alert))) }
            return
        }
        if load.source.isOptional { return arriveIfComplete(alert.instance) }
        end(alert.instance, .loadFailed, detail: "\(load.source.name): \(message)")
        settle(alert.surface)
    }

    /// The provider may still be at work, so it hears that nobody waits.
    mutating func late(_ number: UInt64) {
        effects.append(.unload(number))
        fail(number, "late")
    }

    private mutating func drop(_ number: UInt64, of instance: UInt64) {
        self[instance].loads.removeAll { $0.number == number }
    }

    private func alert(loading number: UInt64) -> SimpleAlert? {
        alerts.first { $0.loads.contains { $0.number == number } }
    }

    /// An alert arrives when its data is complete.
    private mutating func arriveIfComplete(_ instance: UInt64) {
        let alert = self[instance]
        guard alert.state == .loading, alert.loads.isEmpty else { return }
        place(instance, placement(of: alert))
        settle(alert.surface)
    }

    /// Loads one source again; a load of it that still runs is superseded.
    mutating func refresh(_ alert: SimpleAlert, _ name: String, _ request: [UInt8]) -> Reply {
        guard var source = alert.content.sources.first(where: { $0.name == name }) else { return refuse(.malformed) }
        if alert.state == .loading { return refuse(.unsupported) }
        if bytes + request.count > limits.bytes { return refuse(.overLimit) }
        for load in alert.loads where load.source.name == name {
            effects.append(.unload(load.number))
            drop(load.number, of: alert.instance)
        }
        if !request.isEmpty { source.request = request }
        ask(for: source, of: alert.instance, isRefresh: true)
        return .done(Done(instance: alert.instance, revision: alert.revision, count: 1))
    }

    /// Parameters, sources and rows of everything that lives.
    var bytes: Int {
        alerts.reduce(0) { sum, alert in
            sum + SimpleArbiter.size(of: alert.content) + alert.loads.reduce(0) { $0 + $1.source.request.count }
                + alert.data.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.json.count } }
        }
    }

    static func size(of content: AlertContent) -> Int {
        content.params.count
            + content.sources.reduce(0) { $0 + $1.request.count + $1.selected.reduce(0) { $0 + $1.count } }
    }
}
