import AlertBusModel

/// The data of one alert that is on its way: before it is shown, or again while it is shown.
struct LoadingState: Sendable {
    struct Part: Sendable {
        var source: Int
        var load: UInt64
        var request: [UInt8]
        var deadline: Milliseconds
        var rows: [Row]?
        /// Bytes of the rows; they are counted while the other sources are awaited.
        var rowBytes = 0
        var isMissing = false

        var isPending: Bool { rows == nil && !isMissing }
    }

    var parts: [Part] = []
    /// It is shown already; a part that fails leaves the old data.
    var isRefresh: Bool

    var deadline: Milliseconds? { parts.lazy.filter(\.isPending).map(\.deadline).min() }
    /// Bytes of requests on their way and of rows that have come.
    var weight: Int { parts.reduce(0) { $0 + ($1.isPending ? $1.request.count : $1.rowBytes) } }
}

/// Which alert and which source a load is for.
struct LoadTicket: Sendable {
    var instance: UInt64
    var source: Int
}

extension Arbiter {
    /// Every change of what is loading goes through here, so that its bytes are counted.
    mutating func changeLoading(_ instance: UInt64, _ change: (inout LoadingState) -> Void) {
        var state = loading.removeValue(forKey: instance) ?? LoadingState(isRefresh: true)
        bytes -= state.weight
        change(&state)
        bytes += state.weight
        if !state.parts.isEmpty { loading[instance] = state }
    }

    /// Asks for all sources at once.
    mutating func startLoading(_ slot: Int32, _ effects: inout [Effect]) {
        surfaces[alerts[slot].surface].loadingCount += 1
        alerts[slot].state = .loading
        alerts[slot].reason = .raised
        for (index, source) in alerts[slot].content.sources.enumerated() {
            ask(slot, index, source.request, at: now, &effects)
        }
        refreshDeadline(slot)
    }

    private mutating func ask(
        _ slot: Int32, _ index: Int, _ request: [UInt8], at now: Milliseconds, _ effects: inout [Effect]
    ) {
        let source = alerts[slot].content.sources[index]
        lastLoad += 1
        let isRefresh = alerts[slot].state != .loading
        let deadline = now + loadingTime(of: source, slot)
        loads[lastLoad] = LoadTicket(instance: alerts[slot].instance, source: index)
        let part = LoadingState.Part(source: index, load: lastLoad, request: request, deadline: deadline)
        changeLoading(alerts[slot].instance) { state in
            state.isRefresh = isRefresh
            state.parts.append(part)
        }
        effects.append(.load(Load(load: lastLoad, name: source.name, request: request, deadline: deadline)))
    }

    /// How long the provider of a source may take.
    private func loadingTime(of source: Source, _ slot: Int32) -> Milliseconds {
        guard alerts[slot].state == .loading, let all = alerts[slot].content.loadTimeout else { return source.timeout }
        return min(source.timeout, all)
    }

    /// Nobody waits for its data any more.
    mutating func stopLoading(_ slot: Int32, _ effects: inout [Effect]) {
        guard let state = loading[alerts[slot].instance] else { return }
        changeLoading(alerts[slot].instance) { $0.parts = [] }
        for part in state.parts where part.isPending {
            loads[part.load] = nil
            effects.append(.unload(part.load))
        }
    }

    /// After a new start nobody remembers the old requests.
    mutating func restartLoading(_ slot: Int32, at time: Milliseconds, _ effects: inout [Effect]) {
        let old = loading[alerts[slot].instance]!
        changeLoading(alerts[slot].instance) { $0.parts.removeAll(where: \.isPending) }
        for part in old.parts where part.isPending {
            loads[part.load] = nil
            ask(slot, part.source, part.request, at: time, &effects)
        }
    }

    // MARK: What providers bring

    mutating func loaded(_ load: UInt64, _ rows: [Row], _ effects: inout [Effect]) {
        guard let ticket = loads[load] else { return }
        if let fault = fault(in: rows) ?? screenFault(rows, ticket) {
            loadFailed(load, fault, &effects)
            return
        }
        loads[load] = nil
        guard let slot = alerts.find(instance: ticket.instance) else { return }
        setPart(load, of: ticket.instance) { part in
            part.rows = rows
            part.rowBytes = Self.size(of: rows)
        }
        partArrived(slot, ticket.source, &effects)
    }

    mutating func loadFailed(_ load: UInt64, _ message: String, _ effects: inout [Effect]) {
        guard let ticket = loads.removeValue(forKey: load), let slot = alerts.find(instance: ticket.instance) else { return }
        let id = alerts[slot].surface
        let source = alerts[slot].content.sources[ticket.source]
        if loading[ticket.instance]!.isRefresh {
            changeLoading(ticket.instance) { $0.parts.removeAll { $0.load == load } }
            refreshDeadline(slot)
            guard alerts[slot].state == .shown else { return }
            publish(id, .loadFailed, .update(shownAlert(slot)), detail: "\(source.name): \(message)", &effects)
        } else if source.isOptional {
            setPart(load, of: ticket.instance) { $0.isMissing = true }
            partArrived(slot, ticket.source, &effects)
        } else {
            setPart(load, of: ticket.instance) { $0.isMissing = true }
            end(slot, .loadFailed, detail: "\(source.name): \(message)", &effects)
            settle(id, &effects)
        }
    }

    mutating func loadingClockRanOut(_ slot: Int32, _ effects: inout [Effect]) {
        let state = loading[alerts[slot].instance]
        for part in state?.parts ?? [] where part.isPending && part.deadline <= now {
            let limit = loadingTime(of: alerts[slot].content.sources[part.source], slot)
            effects.append(.unload(part.load))
            loadFailed(part.load, "no provider answered within \(limit) ms", &effects)
            return
        }
    }

    private mutating func setPart(_ load: UInt64, of instance: UInt64, _ change: (inout LoadingState.Part) -> Void) {
        guard let index = loading[instance]?.parts.firstIndex(where: { $0.load == load }) else { return }
        changeLoading(instance) { change(&$0.parts[index]) }
    }

    private mutating func partArrived(_ slot: Int32, _ source: Int, _ effects: inout [Effect]) {
        let instance = alerts[slot].instance
        if loading[instance]!.isRefresh {
            refreshArrived(slot, source, &effects)
        } else if loading[instance]!.parts.allSatisfy({ !$0.isPending }) {
            dataCompleted(slot, &effects)
        } else {
            refreshDeadline(slot)
        }
    }

    /// All data is there: the alert arrives, with the place among equals that its acceptance gave it.
    private mutating func dataCompleted(_ slot: Int32, _ effects: inout [Effect]) {
        let id = alerts[slot].surface
        let parts = loading[alerts[slot].instance]!.parts
        changeLoading(alerts[slot].instance) { $0.parts = [] }
        for part in parts { if let rows = part.rows { setData(slot, part.source, rows) } }
        refreshDeadline(slot)
        let placement = placement(
            on: id, priority: alerts[slot].priority, intercept: alerts[slot].content.intercept,
            activate: alerts[slot].content.activate, breaksThrough: alerts[slot].breaksThrough)
        if case .refuse = placement {} else { surfaces[id].loadingCount -= 1 }
        place(slot, placement, isNew: false, &effects)
        settle(id, &effects)
    }

    /// Replaces the data of one source, with what is selected marked. Data comes in the order in which the producer named the sources.
    private mutating func setData(_ slot: Int32, _ source: Int, _ rows: [Row]) {
        let sources = alerts[slot].content.sources
        let wanted = Set(sources[source].selected)
        let fresh = SourceData(
            name: sources[source].name, rows: rows, selected: rows.lazy.map(\.id).filter { wanted.contains($0) })
        let before = alerts[slot].weight
        alerts[slot].data.removeAll { sameName($0.name, fresh.name) }
        let following = sources[(source + 1)...]
        let place = alerts[slot].data.firstIndex { data in following.contains { sameName($0.name, data.name) } }
        alerts[slot].data.insert(fresh, at: place ?? alerts[slot].data.endIndex)
        let growth = alerts[slot].weight - before
        bytes += growth
        if alerts[slot].state == .shown { surfaces[alerts[slot].surface].shownBytes += growth }
    }

    private static func size(of rows: [Row]) -> Int { rows.reduce(0) { $0 + $1.json.count } }

    /// What a shown alert loads again may be too much for a screen with many others.
    private func screenFault(_ rows: [Row], _ ticket: LoadTicket) -> String? {
        let size = Self.size(of: rows)
        guard let slot = alerts.find(instance: ticket.instance), isTooMuch(size, on: slot) else { return nil }
        return
            "it brought \(size) bytes, and the screen has no room for them beside \(surfaces[alerts[slot].surface].shownCount - 1) others"
    }

    private func fault(in rows: [Row]) -> String? {
        if rows.count > limits.rows { return "it brought \(rows.count) rows; the limit is \(limits.rows) (rows)" }
        let size = Self.size(of: rows)
        if bytes + size > limits.bytes {
            return "it brought \(size) bytes; the alerts hold \(bytes) of \(limits.bytes), the limit (bytes)"
        }
        var ids = Set<[UInt8]>()
        for row in rows where !ids.insert(row.id).inserted {
            return "it brought the id \(String(decoding: row.id, as: UTF8.self)) twice"
        }
        return nil
    }

    // MARK: Loading again

    mutating func refreshed(
        _ path: String, _ target: Target, _ source: String, _ request: [UInt8], _ effects: inout [Effect]
    ) throws(Refusal) -> Done {
        let slot = try find(target, on: path)
        guard let index = alerts[slot].content.sources.firstIndex(where: { sameName($0.name, source) }) else {
            throw Refusal(.malformed, "source: the alert \"\(alerts[slot].key)\" on \(path) has no source \"\(source)\".")
        }
        if alerts[slot].state == .loading {
            throw Refusal(.unsupported, "The alert is still loading; a source can be refreshed when it has its data.")
        }
        let instance = alerts[slot].instance
        let wanted = request.isEmpty ? alerts[slot].content.sources[index].request : request
        try checkBytes(wanted.count)
        // A newer request for the same source takes the place of one that is on its way.
        for part in loading[instance]?.parts ?? [] where part.source == index {
            loads[part.load] = nil
            effects.append(.unload(part.load))
        }
        changeLoading(instance) { $0.parts.removeAll { $0.source == index } }
        ask(slot, index, wanted, at: now, &effects)
        refreshDeadline(slot)
        return Done(instance: instance, revision: alerts[slot].revision, count: 1)
    }

    private mutating func refreshArrived(_ slot: Int32, _ source: Int, _ effects: inout [Effect]) {
        let instance = alerts[slot].instance
        let part = loading[instance]!.parts.first { $0.source == source }!
        changeLoading(instance) { $0.parts.removeAll { $0.source == source } }
        refreshDeadline(slot)
        setData(slot, source, part.rows!)
        alerts[slot].revision += 1
        if alerts[slot].state == .shown { publish(alerts[slot].surface, .updated, .update(shownAlert(slot)), &effects) }
    }

    // MARK: Answers

    /// What a person chose must have been offered.
    func check(_ answer: Answer, for slot: Int32) throws(Refusal) {
        for choice in answer.chosen {
            guard let data = alerts[slot].data.first(where: { sameName($0.name, choice.source) }) else {
                throw Refusal(.malformed, "answer.selected.\(choice.source): the alert offers no such list.")
            }
            let offered = Set(data.rows.map(\.id))
            for id in choice.ids where !offered.contains(id) {
                throw Refusal(
                    .malformed,
                    "answer.selected.\(choice.source): the id \(String(decoding: id, as: UTF8.self)) was not offered.")
            }
        }
    }
}
