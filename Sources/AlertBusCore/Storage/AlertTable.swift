import AlertBusModel

/// All alerts that have not ended, by slot, by instance, and by name.
struct AlertTable: Sendable {
    private var records = Chunked<AlertRecord>()
    private var free: [Int32] = []
    private var byInstance = SlotIndex()
    private var byName = SlotIndex()
    private var byKey = SlotIndex()
    private(set) var count = 0
    /// One more than the highest slot ever used.
    var slots: Int { records.count }

    subscript(slot: Int32) -> AlertRecord {
        @inline(__always) _read { yield records[slot] }
        @inline(__always) _modify { yield &records[slot] }
    }

    mutating func insert(_ record: AlertRecord) -> Int32 {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            records[slot] = record
        } else {
            slot = Int32(records.count)
            records.append(record)
        }
        byInstance.insert(slot, hash: NameHash.of(record.instance))
        byName.insert(slot, hash: Self.nameHash(record.surface, record.producer, record.key))
        byKey.insert(slot, hash: Self.keyHash(record.surface, record.key))
        count += 1
        return slot
    }

    mutating func remove(_ slot: Int32) {
        byInstance.remove(slot)
        byName.remove(slot)
        byKey.remove(slot)
        records[slot].instance = 0
        records[slot].key = ""
        records[slot].content = AlertContent()
        records[slot].data = []
        free.append(slot)
        count -= 1
    }

    @inline(__always)
    func find(instance: UInt64) -> Int32? {
        var slot = byInstance.first(NameHash.of(instance))
        while slot != SlotIndex.none {
            if records[slot].instance == instance { return slot }
            slot = byInstance.next(after: slot)
        }
        return nil
    }

    @inline(__always)
    func find(surface: Int32, producer: Int32, key: String) -> Int32? {
        var slot = byName.first(Self.nameHash(surface, producer, key))
        while slot != SlotIndex.none {
            if records[slot].surface == surface, records[slot].producer == producer, sameName(records[slot].key, key) {
                return slot
            }
            slot = byName.next(after: slot)
        }
        return nil
    }

    /// The alerts of any producer with this key, at most `limit` of them: the newest first.
    func find(surface: Int32, key: String, limit: Int) -> [Int32] {
        var found: [Int32] = []
        var slot = byKey.first(Self.keyHash(surface, key))
        while slot != SlotIndex.none && found.count < limit {
            if records[slot].surface == surface, sameName(records[slot].key, key) { found.append(slot) }
            slot = byKey.next(after: slot)
        }
        return found
    }

    private static func nameHash(_ surface: Int32, _ producer: Int32, _ key: String) -> UInt {
        NameHash.of(key, UInt64(UInt32(bitPattern: surface)), UInt64(UInt32(bitPattern: producer)) + 1)
    }

    private static func keyHash(_ surface: Int32, _ key: String) -> UInt {
        NameHash.of(key, UInt64(UInt32(bitPattern: surface)))
    }
}
