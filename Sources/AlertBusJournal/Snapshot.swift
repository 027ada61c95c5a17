/// Names a snapshot within one journal.
public struct SnapshotID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }
}

/// A snapshot to be stored: the state after all entries before `position`.
public struct SnapshotContent: Equatable, Sendable {
    /// The most bytes that are written between two commits: 256 KiB, so that a commit waits about a millisecond for them.
    public static let chunkBytes = 256 << 10

    /// How many entries the state contains.
    public var position: UInt64
    /// In milliseconds since 1970.
    public var time: Int64
    /// The digest of the state. Opaque.
    public var digest: [UInt8]
    /// The encoded state. Opaque.
    public var bytes: [UInt8]

    public init(position: UInt64, time: Int64, digest: [UInt8], bytes: [UInt8]) {
        self.position = position
        self.time = time
        self.digest = digest
        self.bytes = bytes
    }

    /// How many chunks it is written in.
    public var chunkCount: Int { (bytes.count + Self.chunkBytes - 1) / Self.chunkBytes }

    /// - Precondition: `index` is less than `chunkCount`.
    public func chunk(_ index: Int) -> ArraySlice<UInt8> {
        bytes[index * Self.chunkBytes..<min(bytes.count, (index + 1) * Self.chunkBytes)]
    }
}

/// A snapshot that is in the journal.
public struct SnapshotDescription: Equatable, Sendable {
    public var id: SnapshotID
    public var position: UInt64
    public var time: Int64
    public var digest: [UInt8]
    /// How many bytes it has.
    public var size: Int
}

/// A snapshot that is in the journal and cannot be used.
public struct SnapshotDamage: Error, Equatable, Sendable {
    public var id: SnapshotID
    /// As it is described; the description may be what is damaged.
    public var position: UInt64
    public var cause: JournalError

    public init(id: SnapshotID, position: UInt64, cause: JournalError) {
        self.id = id
        self.position = position
        self.cause = cause
    }
}

/// How much of the past is kept.
public struct Retention: Equatable, Sendable {
    /// How many of the newest complete snapshots are kept in any case, with the batches since the oldest of them; at least 1.
    /// With 2 a start can do without the newest one.
    public var snapshots = 2
    /// How much older history stays: snapshots before those, and the batches between them. Nil keeps none.
    public var history: History?

    /// Older history goes, a snapshot with the batches after it at a time, when there is more than this.
    public struct History: Equatable, Sendable {
        /// The bytes that everything may take in the file; nil is no limit.
        public var bytes: Int?
        /// Milliseconds between the oldest batch and the newest one; nil is no limit.
        public var age: Int64?

        public init(bytes: Int? = nil, age: Int64? = nil) {
            self.bytes = bytes
            self.age = age
        }
    }

    public init(snapshots: Int = 2, history: History? = nil) {
        self.snapshots = max(1, snapshots)
        self.history = history
    }
}

extension JournalStore {
    /// Stores a whole snapshot at once, without letting commits in between.
    public func storeSnapshot(_ content: SnapshotContent) throws(JournalError) {
        let id = try beginSnapshot(content)
        for index in 0..<content.chunkCount { try writeSnapshot(id, chunk: index, bytes: content.chunk(index)) }
        try finishSnapshot(id)
    }
}
