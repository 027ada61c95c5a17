/// Names with numbers, so that records stay small and comparisons are of integers. A name is forgotten when nothing uses it.
package struct NameTable: Sendable {
    private struct Entry: Sendable {
        var name: String
        var uses: Int
    }

    private var entries = Chunked<Entry>()
    private var index = SlotIndex()
    private var free: [Int32] = []

    package init() {}

    @inline(__always)
    package func find(_ name: String) -> Int32? {
        let hash = NameHash.of(name)
        var id = index.first(hash)
        while id != SlotIndex.none {
            if sameName(entries[id].name, name) { return id }
            id = index.next(after: id)
        }
        return nil
    }

    @inline(__always)
    package func name(_ id: Int32) -> String { entries[id].name }
    @inline(__always)
    package func uses(_ id: Int32) -> Int { entries[id].uses }

    package mutating func use(_ name: String) -> Int32 {
        if let id = find(name) {
            entries[id].uses += 1
            return id
        }
        let id: Int32
        if let reused = free.popLast() {
            id = reused
            entries[id] = Entry(name: name, uses: 1)
        } else {
            id = Int32(entries.count)
            entries.append(Entry(name: name, uses: 1))
        }
        index.insert(id, hash: NameHash.of(name))
        return id
    }

    package mutating func release(_ id: Int32) {
        entries[id].uses -= 1
        if entries[id].uses == 0 {
            index.remove(id)
            entries[id].name = ""
            free.append(id)
        }
    }
}
