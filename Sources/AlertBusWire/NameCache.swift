import AlertBusModel
import Glibc

/// Remembers names that passed their check, so that one that comes again costs neither the check nor an allocation.
///
/// The memory is fixed: a name takes the place of another one with the same fingerprint.
package final class NameCache {
    private struct Entry {
        var fingerprint: UInt64
        var name: String
    }

    private let entries: UnsafeMutablePointer<Entry>
    private static let size = 2048

    package init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(fingerprint: 0, name: ""), count: Self.size)
    }

    deinit {
        entries.deinitialize(count: Self.size)
        entries.deallocate()
    }

    /// The name with these bytes, behind which 16 bytes may be read; `make` is asked when it is not remembered.
    @inline(__always)
    package func name(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ make: () throws(WireFault) -> String
    ) throws(WireFault) -> String {
        let fingerprint = Self.fingerprint(bytes, count)
        let place = Int(truncatingIfNeeded: fingerprint >> 32) & (Self.size - 1)
        // Two places for each, or two names that come in turn would put each other out.
        let other = place ^ 1
        if entries[place].fingerprint == fingerprint && Self.equal(entries[place].name, bytes, count) {
            return entries[place].name
        }
        if entries[other].fingerprint == fingerprint && Self.equal(entries[other].name, bytes, count) {
            return entries[other].name
        }
        let name = try make()
        if name.utf8.count == count {
            entries[other] = entries[place]
            entries[place] = Entry(fingerprint: fingerprint, name: name)
        }
        return name
    }

    /// Mixes eight bytes at a time. A peer that finds clashes gains nothing: they cost the check that is saved otherwise.
    @inline(__always)
    private static func fingerprint(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        var hash = UInt64(truncatingIfNeeded: count)
        var at = 0
        while at + 8 <= count {
            hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        if at < count {
            let mask = (1 << (UInt64(count - at) * 8)) &- 1 as UInt64
            hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian & mask)
        }
        return hash | 1
    }

    /// Both halves of the product: the last bytes of a word, in which names mostly differ, reach only its upper one.
    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let (high, low) = (word ^ 0x2545_F491_4F6C_DD1D).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }

    @inline(__always)
    private static func equal(_ name: String, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let same = name.utf8.withContiguousStorageIfAvailable { stored in
            stored.count == count && stored.baseAddress.map { memcmp($0, bytes, count) == 0 } == true
        }
        return same == true
    }
}
