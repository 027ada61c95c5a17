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

/// Hashes of names by their bytes. The seed is the process's own and secret, so that nobody can choose names that collide.
enum NameHash {
    /// Swift's hasher draws a seed for each process; this takes it from there once.
    private static let seed = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

    @inline(__always)
    static func of(_ name: String, _ a: UInt64 = 0, _ b: UInt64 = 0) -> UInt {
        let start = fold(a ^ seed, b ^ 0x9E37_79B9_7F4A_7C15)
        let hash = name.utf8.withContiguousStorageIfAvailable { of(UnsafeRawBufferPointer($0), start) }
        return UInt(truncatingIfNeeded: hash ?? of(Array(name.utf8), start))
    }

    private static func of(_ bytes: [UInt8], _ start: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { of($0, start) }
    }

    /// Eight bytes at a time, each folded in by a full multiplication.
    @inline(__always)
    private static func of(_ bytes: UnsafeRawBufferPointer, _ start: UInt64) -> UInt64 {
        var hash = start ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), 0xD6E8_FEB8_6659_FD93)
            offset += 8
        }
        if offset < bytes.count && bytes.count >= 8 {
            // The last eight, some of them for the second time.
            let rest = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            return fold(hash ^ rest, seed)
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return fold(hash ^ rest, seed)
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high ^ low
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
package func sameName(_ a: String, _ b: String) -> Bool {
    // Short names lie in the value itself, and copies of a long one share its bytes.
    if MemoryLayout<String>.size == 16 {
        let (x, y) = (unsafeBitCast(a, to: (UInt64, UInt64).self), unsafeBitCast(b, to: (UInt64, UInt64).self))
        if x == y { return true }
    }
    let (a, b) = (a.utf8, b.utf8)
    if a.count != b.count { return false }
    let same = a.withContiguousStorageIfAvailable { a in
        b.withContiguousStorageIfAvailable { b in
            var offset = 0
            let (a, b) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
            if a.count >= 8 {
                // The last step overlaps the one before it.
                while true {
                    if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    {
                        return false
                    }
                    if offset == a.count - 8 { return true }
                    offset = min(offset + 8, a.count - 8)
                }
            }
            while offset < a.count {
                if a[offset] != b[offset] { return false }
                offset += 1
            }
            return true
        }
    }
    return (same ?? nil) ?? a.elementsEqual(b)
}
