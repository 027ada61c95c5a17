import AlertBusModel

extension Arbiter {
    /// The format of `save`. A newer one is refused, older ones are read.
    public static let savedFormat: UInt64 = 1

    /// The whole state as bytes. Equal states give equal bytes, whatever way led to them.
    public func save() -> [UInt8] {
        var writer = ByteWriter()
        writer.number(Self.savedFormat)
        writer.policies(policies)
        writer.limits(limits)
        writer.number(epoch)
        writer.signed(now)
        writer.number(lastInstance)
        writer.number(lastLoad)
        writer.list(holds) { writer, hold in
            writer.text(hold.scope.text)
            writer.flag(hold.isHeld)
        }
        writer.number(surfaces.count)
        for id in 0..<Int32(surfaces.count) { save(id, &writer) }
        writer.list(ended.outcomes) { writer, outcome in
            writer.number(Int(outcome.surface))
            writer.receipt(outcome.receipt)
            writer.text(outcome.producer)
        }
        writer.list(once.entries) { writer, entry in
            writer.text(entry.producer)
            writer.text(entry.token)
            writer.reply(entry.reply)
        }
        return writer.bytes
    }

    /// A fingerprint of the whole state: FNV-1a, 64 bits, over `save()`, as 16 hexadecimal digits.
    public func digest() -> String { Self.digest(of: save()) }

    public static func digest(of saved: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in saved {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func save(_ id: Int32, _ writer: inout ByteWriter) {
        let surface = surfaces[id]
        writer.text(surface.path)
        writer.flag(surface.isHeld)
        writer.number(surface.seq)
        writer.number(surface.allowance)
        writer.optional(surface.gapEnd) { $0.signed($1) }
        writer.optional(surface.lastRemoval) { $0.signed($1) }
        writer.optional(surface.urgentAt) { $0.signed($1) }
        writer.number(surface.dismissals)
        writer.list(alerts(on: id)) { writer, slot in save(alert: slot, &writer) }
        writer.list(stack(on: id)) { writer, slot in
            writer.number(alerts[slot].instance)
            writer.optional(alerts[slot].onTopSince) { $0.signed($1) }
        }
    }

    private func save(alert slot: Int32, _ writer: inout ByteWriter) {
        let record = alerts[slot]
        writer.number(record.instance)
        writer.text(record.key)
        writer.text(producers.name(record.producer))
        writer.content(record.content)
        writer.number(UInt64(record.revision))
        writer.byte(record.priority)
        writer.byte(record.topPriority)
        writer.byte((record.breaksThrough ? 1 : 0) | (record.isUrgent ? 2 : 0))
        writer.text(record.state.rawValue)
        writer.text(record.reason.rawValue)
        writer.signed(record.acceptedAt)
        writer.signed(record.expiresAt)
        writer.signed(record.displayLeft)
        writer.signed(record.shownAt)
        writer.optional(record.orphanedUntil) { $0.signed($1) }
        writer.list(owners(of: slot)) { $0.number($1) }
        writer.list(record.data) { $0.sourceData($1) }
        writer.optional(loading[record.instance]) { $0.loading($1) }
    }

    // MARK: Reading

    /// The state that `save` wrote.
    ///
    /// - Throws: `StateFault` when the bytes are not such a state, or one of a newer format.
    public init(saved bytes: [UInt8]) throws(StateFault) {
        var reader = ByteReader(bytes)
        let format = try reader.number()
        guard format <= Self.savedFormat else {
            throw reader.fault(
                "the format \(format) is newer than \(Self.savedFormat); use the version that wrote it, or a newer one")
        }
        self.init(policies: try reader.policies(), limits: try reader.limits(), epoch: try reader.number())
        now = try reader.time()
        lastInstance = try reader.counter()
        lastLoad = try reader.counter()
        holds = try reader.list { reader throws(StateFault) in
            let text = try reader.text()
            guard let scope = try? SurfaceScope(text) else { throw reader.fault("\"\(text)\" is not a scope") }
            return HoldOverride(scope: scope, isHeld: try reader.flag())
        }
        for _ in 0..<(try reader.count()) { try readSurface(&reader) }
        let surfaceCount = surfaces.count
        for outcome in try reader.list({ reader throws(StateFault) in
            let surface = try reader.integer()
            guard surface >= 0 && surface < surfaceCount else { throw reader.fault("there is no surface \(surface)") }
            return EndedMemory.Outcome(
                surface: Int32(surface), receipt: try reader.receipt(), producer: try reader.text())
        }) {
            ended.remember(outcome, limit: limits.memory)
        }
        for entry in try reader.list({ reader throws(StateFault) in
            OnceMemory.Entry(producer: try reader.text(), token: try reader.text(), reply: try reader.reply())
        }) {
            once.remember(entry, limit: limits.memory)
        }
        guard reader.isAtEnd else { throw reader.fault("more follows than expected") }
        if let violation = violations().first { throw reader.fault("it cannot be: \(violation)") }
    }

    private mutating func readSurface(_ reader: inout ByteReader) throws(StateFault) {
        let path = try reader.text()
        guard surfaceNames.find(path) == nil else { throw reader.fault("the surface \"\(path)\" comes twice") }
        let id = surfaceNames.use(path)
        surfaces.append(Surface(path: path, policy: policies.policy(for: path), isHeld: try reader.flag()))
        surfaces[id].seq = try reader.counter()
        let allowance = try reader.count()
        let gapEnd = try reader.optional { reader throws(StateFault) in try reader.time() }
        let lastRemoval = try reader.optional { reader throws(StateFault) in try reader.time() }
        let urgentAt = try reader.optional { reader throws(StateFault) in try reader.time() }
        surfaces[id].dismissals = try reader.count()
        for _ in 0..<(try reader.number()) { try readAlert(on: id, &reader) }
        for _ in 0..<(try reader.number()) {
            let instance = try reader.number()
            let onTopSince = try reader.optional { reader throws(StateFault) in try reader.time() }
            guard let slot = alerts.find(instance: instance), alerts[slot].surface == id, alerts[slot].state == .shown else {
                throw reader.fault("the stack names instance \(instance), which is not shown on \(path)")
            }
            guard surfaces[id].bottom != slot && alerts[slot].below == SlotIndex.none else {
                throw reader.fault("the stack names instance \(instance) twice")
            }
            restack(slot, on: id, onTopSince: onTopSince)
        }
        surfaces[id].allowance = allowance
        surfaces[id].gapEnd = gapEnd
        surfaces[id].lastRemoval = lastRemoval
        surfaces[id].urgentAt = urgentAt
        surfaceDeadlines.set(id, surfaces[id].deadline, tie: UInt64(id))
    }

    private mutating func restack(_ slot: Int32, on id: Int32, onTopSince: Milliseconds?) {
        alerts[slot].below = surfaces[id].top
        if surfaces[id].top == SlotIndex.none { surfaces[id].bottom = slot } else { alerts[surfaces[id].top].above = slot }
        surfaces[id].top = slot
        surfaces[id].shownCount += 1
        surfaces[id].shownBytes += alerts[slot].weight
        alerts[slot].onTopSince = onTopSince
        if onTopSince != nil {
            if surfaces[id].lowestOnTop == SlotIndex.none { surfaces[id].lowestOnTop = slot }
            surfaces[id].onTopCount += 1
        }
        refreshDeadline(slot)
    }

    private mutating func readAlert(on id: Int32, _ reader: inout ByteReader) throws(StateFault) {
        let instance = try reader.number()
        let newest = surfaces[id].lastAlert == SlotIndex.none ? 0 : alerts[surfaces[id].lastAlert].instance
        guard instance > newest, instance <= lastInstance, alerts.find(instance: instance) == nil else {
            throw reader.fault("instance \(instance) comes twice or out of order")
        }
        let key = try reader.text()
        let producer = producers.use(try reader.text())
        guard alerts.find(surface: id, producer: producer, key: key) == nil else {
            throw reader.fault("the key \"\(key)\" comes twice on \(surfaces[id].path)")
        }
        let content = try reader.content()
        var record = AlertRecord(
            instance: instance, key: key, content: content, surface: id, producer: producer,
            revision: try reader.narrow(), priority: try reader.byte(), topPriority: try reader.byte(),
            breaksThrough: false, state: .deferred, reason: .raised, acceptedAt: 0, expiresAt: never,
            displayLeft: never, owner: 0)
        guard record.revision > 0 && record.revision <= .max / 2 else {
            throw reader.fault("the revision \(record.revision) is out of range")
        }
        let flags = try reader.byte()
        record.breaksThrough = flags & 1 != 0
        let isUrgent = flags & 2 != 0
        record.state = try reader.word()
        record.reason = try reader.word()
        record.acceptedAt = try reader.time()
        record.expiresAt = try reader.clock()
        record.displayLeft = try reader.clock()
        record.shownAt = try reader.time()
        record.orphanedUntil = try reader.optional { reader throws(StateFault) in try reader.time() }
        let owners = try reader.list { reader throws(StateFault) in try reader.number() }
        record.data = try reader.list { reader throws(StateFault) in try reader.sourceData() }
        let state = try reader.optional { reader throws(StateFault) in try reader.loading() }
        let orphanedUntil = record.orphanedUntil
        let slot = alerts.insert(record)
        bytes += alerts[slot].weight
        link(slot, onSurface: id)
        for owner in owners { attach(owner, to: slot) }
        alerts[slot].orphanedUntil = orphanedUntil
        try restore(state, of: slot, isUrgent: isUrgent, &reader)
        refreshDeadline(slot)
    }

    private mutating func restore(
        _ state: LoadingState?, of slot: Int32, isUrgent: Bool, _ reader: inout ByteReader
    ) throws(StateFault) {
        guard (alerts[slot].state == .loading) == (state.map { !$0.isRefresh } ?? false) else {
            throw reader.fault(
                "instance \(alerts[slot].instance) is \(alerts[slot].state.rawValue), and what it loads does not fit")
        }
        if let state { try restore(state, of: slot, &reader) }
        switch alerts[slot].state {
        case .deferred, .covered: enqueue(slot, alerts[slot].state, alerts[slot].reason, urgently: isUrgent)
        case .loading: surfaces[alerts[slot].surface].loadingCount += 1
        case .shown: break
        case .ended: throw reader.fault("an alert that has ended is among the living")
        }
    }

    private mutating func restore(
        _ state: LoadingState, of slot: Int32, _ reader: inout ByteReader
    ) throws(StateFault) {
        loading[alerts[slot].instance] = state
        bytes += state.weight
        var sources = Set<Int>()
        for part in state.parts {
            guard alerts[slot].content.sources.indices.contains(part.source), sources.insert(part.source).inserted else {
                throw reader.fault("a load is for a source that the alert does not have, or has asked for already")
            }
            guard part.isPending else { continue }
            guard part.load <= lastLoad, loads[part.load] == nil else {
                throw reader.fault("the load \(part.load) comes twice or has not been yet")
            }
            loads[part.load] = LoadTicket(instance: alerts[slot].instance, source: part.source)
        }
        // One that waits for nothing would wait for ever; of a refresh nothing is kept but what is on its way.
        let pending = state.parts.count(where: \.isPending)
        let expected = state.isRefresh ? pending : alerts[slot].content.sources.count
        guard pending > 0 && state.parts.count == expected else {
            throw reader.fault("what instance \(alerts[slot].instance) loads is not complete")
        }
    }
}
