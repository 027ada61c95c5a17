/// Finds the slots of a table by a hash. The caller computes the hash and compares what it finds.
///
/// Linear hashing: every insertion splits at most one bucket, so no insertion ever rebuilds the whole table, as a
/// Dictionary does. Chains are doubly linked through the slots, so removal costs the same for long chains.
/// Of equal hashes the newest comes first, whatever the splits; the rest of a chain's order depends on the hash seed of
/// the process and must never reach an effect.
struct SlotIndex: Sendable {
    static let none: Int32 = -1

    private struct Link: Sendable {
        var hash: UInt = 0
        var next: Int32 = SlotIndex.none
        var previous: Int32 = SlotIndex.none
    }

    private var buckets = Chunked<Int32>()
    private var links = Chunked<Link>()
    private var level: UInt = 16
    private var split: UInt = 0
    private(set) var count = 0

    init() {
        for _ in 0..<16 { buckets.append(Self.none) }
    }

    @inline(__always)
    private func bucket(of hash: UInt) -> Int {
        let low = hash & (level - 1)
        return Int(low < split ? hash & (level * 2 - 1) : low)
    }

    /// The first slot whose hash may be this one; go on with `next(after:)`.
    @inline(__always)
    func first(_ hash: UInt) -> Int32 {
        skip(buckets[bucket(of: hash)], to: hash)
    }

    @inline(__always)
    func next(after slot: Int32) -> Int32 {
        skip(links[slot].next, to: links[slot].hash)
    }

    @inline(__always)
    private func skip(_ start: Int32, to hash: UInt) -> Int32 {
        var slot = start
        while slot != Self.none && links[slot].hash != hash { slot = links[slot].next }
        return slot
    }

    mutating func insert(_ slot: Int32, hash: UInt) {
        while links.count <= Int(slot) { links.append(Link()) }
        push(slot, hash: hash, into: bucket(of: hash))
        count += 1
        if count > buckets.count { splitNext() }
    }

    mutating func remove(_ slot: Int32) {
        let link = links[slot]
        if link.previous == Self.none {
            buckets[bucket(of: link.hash)] = link.next
        } else {
            links[link.previous].next = link.next
        }
        if link.next != Self.none { links[link.next].previous = link.previous }
        count -= 1
    }

    private mutating func push(_ slot: Int32, hash: UInt, into bucket: Int) {
        let head = buckets[bucket]
        links[slot] = Link(hash: hash, next: head, previous: Self.none)
        if head != Self.none { links[head].previous = slot }
        buckets[bucket] = slot
    }

    private mutating func splitNext() {
        let old = Int(split)
        var slot = buckets[old]
        buckets[old] = Self.none
        buckets.append(Self.none)
        split += 1
        if split == level {
            level *= 2
            split = 0
        }
        // From the end, so that those of equal hash keep their order: each push puts one in front.
        while slot != Self.none && links[slot].next != Self.none { slot = links[slot].next }
        while slot != Self.none {
            let previous = links[slot].previous
            let hash = links[slot].hash
            push(slot, hash: hash, into: bucket(of: hash))
            slot = previous
        }
    }
}

/// Hashes of names by their bytes. The seed is the process's own, so that nobody can choose names that collide.
enum NameHash {
    @inline(__always)
    static func of(_ name: String, _ a: UInt64 = 0, _ b: UInt64 = 0) -> UInt {
        var hasher = Hasher()
        hasher.combine(a)
        hasher.combine(b)
        if name.utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in name.utf8 { hasher.combine(byte) }
        }
        return UInt(bitPattern: hasher.finalize())
    }

    @inline(__always)
    static func of(_ number: UInt64) -> UInt {
        // Instances are consecutive; a multiplication spreads them well enough and nobody chooses them.
        let mixed = number &* 0x9E37_79B9_7F4A_7C15
        return UInt(truncatingIfNeeded: mixed ^ (mixed >> 32))
    }
}

/// Names are equal when their bytes are; a String alone would also equate different Unicode normal forms.
@inline(__always)
func sameName(_ a: String, _ b: String) -> Bool {
    a == b && a.utf8.elementsEqual(b.utf8)
}
