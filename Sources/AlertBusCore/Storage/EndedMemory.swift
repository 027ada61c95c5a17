import AlertBusModel

/// The outcomes of alerts that ended recently, so that a late question gets a true answer. The oldest is forgotten first.
///
/// Of several outcomes of one name only the newest is found by it; all are found by instance.
struct EndedMemory: Sendable {
    struct Outcome: Sendable {
        var surface: Int32
        var receipt: Receipt
        var producer: String
        fileprivate var isNewestOfName = true
        fileprivate var isNewestOfKey = true

        init(surface: Int32, receipt: Receipt, producer: String) {
            self.surface = surface
            self.receipt = receipt
            self.producer = producer
        }
    }

    private var ring = Chunked<Outcome>()
    private var next = 0
    private var byInstance = SlotIndex()
    private var byName = SlotIndex()
    private var byKey = SlotIndex()

    mutating func remember(_ outcome: Outcome, limit: Int) {
        guard limit > 0 else { return }
        let receipt = outcome.receipt
        let slot: Int32
        if next >= ring.count { next = 0 }
        // It grows only where the oldest one is the first, so that the order stays the order.
        if ring.count < limit && next == 0 {
            slot = Int32(ring.count)
            ring.append(outcome)
        } else {
            slot = Int32(next)
            next += 1
            byInstance.remove(slot)
            if ring[slot].isNewestOfName { byName.remove(slot) }
            if ring[slot].isNewestOfKey { byKey.remove(slot) }
            ring[slot] = outcome
        }
        if let older = slotOfName(outcome.surface, outcome.producer, receipt.key) {
            byName.remove(older)
            ring[older].isNewestOfName = false
        }
        if let older = slotOfKey(outcome.surface, receipt.key) {
            byKey.remove(older)
            ring[older].isNewestOfKey = false
        }
        byInstance.insert(slot, hash: NameHash.of(receipt.instance))
        byName.insert(slot, hash: Self.nameHash(outcome.surface, outcome.producer, receipt.key))
        byKey.insert(slot, hash: NameHash.of(receipt.key, UInt64(UInt32(bitPattern: outcome.surface))))
    }

    func find(instance: UInt64) -> Outcome? {
        var slot = byInstance.first(NameHash.of(instance))
        while slot != SlotIndex.none {
            if ring[slot].receipt.instance == instance { return ring[slot] }
            slot = byInstance.next(after: slot)
        }
        return nil
    }

    /// The newest one with this key on the surface, of this producer or of any.
    func find(surface: Int32, key: String, producer: String? = nil) -> Outcome? {
        let slot = producer.map { slotOfName(surface, $0, key) } ?? slotOfKey(surface, key)
        return slot.map { ring[$0] }
    }

    private func slotOfName(_ surface: Int32, _ producer: String, _ key: String) -> Int32? {
        var slot = byName.first(Self.nameHash(surface, producer, key))
        while slot != SlotIndex.none {
            if ring[slot].surface == surface, sameName(ring[slot].receipt.key, key),
                sameName(ring[slot].producer, producer)
            {
                return slot
            }
            slot = byName.next(after: slot)
        }
        return nil
    }

    private func slotOfKey(_ surface: Int32, _ key: String) -> Int32? {
        var slot = byKey.first(NameHash.of(key, UInt64(UInt32(bitPattern: surface))))
        while slot != SlotIndex.none {
            if ring[slot].surface == surface, sameName(ring[slot].receipt.key, key) { return slot }
            slot = byKey.next(after: slot)
        }
        return nil
    }

    private static func nameHash(_ surface: Int32, _ producer: String, _ key: String) -> UInt {
        NameHash.of(key, UInt64(UInt32(bitPattern: surface)), UInt64(truncatingIfNeeded: NameHash.of(producer)))
    }

    /// After the limit changed: keeps the newest, and begins the ring with the oldest, so that it grows at its end only.
    mutating func trim(to limit: Int) {
        guard ring.count > limit || (ring.count < limit && next != 0) else { return }
        let kept = outcomes.suffix(limit)
        self = EndedMemory()
        for outcome in kept {
            remember(.init(surface: outcome.surface, receipt: outcome.receipt, producer: outcome.producer), limit: limit)
        }
    }

    /// From the oldest to the newest.
    var outcomes: [Outcome] {
        (0..<ring.count).map { ring[(next + $0) % ring.count] }
    }
}

/// The first replies to commands that carried a `once` token. The oldest is forgotten first.
struct OnceMemory: Sendable {
    struct Entry: Sendable {
        var producer: String
        var token: String
        var reply: Reply
    }

    private var ring = Chunked<Entry>()
    private var next = 0
    private var index = SlotIndex()

    func find(producer: String, token: String) -> Reply? {
        var slot = index.first(Self.hash(producer, token))
        while slot != SlotIndex.none {
            if sameName(ring[slot].token, token), sameName(ring[slot].producer, producer) { return ring[slot].reply }
            slot = index.next(after: slot)
        }
        return nil
    }

    mutating func remember(_ entry: Entry, limit: Int) {
        guard limit > 0 else { return }
        let slot: Int32
        if next >= ring.count { next = 0 }
        // It grows only where the oldest one is the first, so that the order stays the order.
        if ring.count < limit && next == 0 {
            slot = Int32(ring.count)
            ring.append(entry)
        } else {
            slot = Int32(next)
            next += 1
            index.remove(slot)
            ring[slot] = entry
        }
        index.insert(slot, hash: Self.hash(entry.producer, entry.token))
    }

    private static func hash(_ producer: String, _ token: String) -> UInt {
        NameHash.of(token, UInt64(truncatingIfNeeded: NameHash.of(producer)))
    }

    /// After the limit changed: keeps the newest, and begins the ring with the oldest, so that it grows at its end only.
    mutating func trim(to limit: Int) {
        guard ring.count > limit || (ring.count < limit && next != 0) else { return }
        let kept = entries.suffix(limit)
        self = OnceMemory()
        for entry in kept { remember(entry, limit: limit) }
    }

    /// From the oldest to the newest.
    var entries: [Entry] {
        (0..<ring.count).map { ring[(next + $0) % ring.count] }
    }
}
