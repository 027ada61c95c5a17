/// Entries that become durable together: all of them or none.
///
/// The entries are opaque. Each one is preceded in `bytes` by its length, an unsigned 32-bit number, least significant
/// byte first.
public struct JournalBatch: Equatable, Sendable {
    /// The most bytes that one batch may have: 64 MiB.
    public static let maximumBytes = 64 << 20

    /// The position of the first entry.
    public var first: UInt64
    /// How many entries there are.
    public private(set) var count: UInt64
    /// When the batch was made, in milliseconds since 1970. An input of the caller: the journal reads no clock for it.
    public var time: Int64
    /// The entries, each with its length before it.
    public private(set) var bytes: [UInt8]

    /// The position after the last entry.
    public var end: UInt64 { first + count }
    public var isEmpty: Bool { count == 0 }

    public init(first: UInt64, time: Int64 = 0, reservingBytes: Int = 0) {
        self.first = first
        self.time = time
        count = 0
        bytes = []
        bytes.reserveCapacity(reservingBytes)
    }

    /// Takes bytes that were encoded elsewhere.
    /// - Returns: nil when the lengths in `bytes` do not add up to exactly `count` entries.
    public init?(first: UInt64, count: UInt64, time: Int64, bytes: [UInt8]) {
        self.first = first
        self.count = count
        self.time = time
        self.bytes = bytes
        if !isWellFormed { return nil }
    }

    /// Adds an entry at the end.
    public mutating func append(_ entry: some Collection<UInt8>) {
        append { $0.append(contentsOf: entry) }
    }

    /// Adds an entry that `encode` writes in place, so that the caller needs no array of its own.
    /// - Parameter encode: may only append to what it is given.
    public mutating func append(encodedBy encode: (inout [UInt8]) -> Void) {
        let start = bytes.count
        withUnsafeBytes(of: UInt32(0)) { bytes.append(contentsOf: $0) }
        encode(&bytes)
        let length = UInt32(bytes.count - start - 4)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self) }
        count += 1
    }

    /// Adds an entry of a known size, which is the cheapest way.
    /// - Parameter fill: writes all of it.
    @inline(__always)
    public mutating func append(size: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        bytes.append(addingCapacity: 4 + size) { room in
            room.withUnsafeMutableBufferPointer { target, used in
                let target = UnsafeMutableRawBufferPointer(target)
                target.storeBytes(of: UInt32(size).littleEndian, as: UInt32.self)
                fill(UnsafeMutableRawBufferPointer(rebasing: target[4..<4 + size]))
                used = 4 + size
            }
        }
        count += 1
    }

    /// Whether the lengths add up to exactly `count` entries.
    var isWellFormed: Bool {
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            var found: UInt64 = 0
            while offset < bytes.count {
                guard bytes.count - offset >= 4 else { return false }
                let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
                guard bytes.count - offset - 4 >= length else { return false }
                offset += 4 + length
                found += 1
            }
            return found == count
        }
    }
}

extension JournalBatch {
    /// The entries with their positions, in order.
    public var entries: Entries { Entries(batch: self) }

    public struct Entries: Sequence, IteratorProtocol {
        private let batch: JournalBatch
        private var offset = 0
        private var position: UInt64

        init(batch: JournalBatch) {
            self.batch = batch
            position = batch.first
        }

        public mutating func next() -> (position: UInt64, bytes: ArraySlice<UInt8>)? {
            guard position < batch.end else { return nil }
            let length = (0..<4).reduce(0) { $0 | Int(batch.bytes[offset + $1]) << (8 * $1) }
            let start = offset + 4
            offset = start + length
            defer { position += 1 }
            return (position, batch.bytes[start..<offset])
        }
    }
}
