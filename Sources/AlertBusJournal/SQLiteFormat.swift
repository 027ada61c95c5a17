import CSQLite

/// What the file is and how it is laid out.
///
/// Every row that matters carries an XXH64 of its bytes and numbers: SQLite's log has checksums, its pages have none.
package enum SQLiteFormat {
    /// "AlBu", in the header of the file.
    static let applicationID: Int64 = 0x416C_4275
    /// Raised with each change that an older program cannot read.
    static let version: Int64 = 1
    /// Of new files; a file keeps what it was created with. Larger pages mean less work for a large batch and more bytes for a small one:
    /// with 16 KiB the arbiter takes 6 % more messages under full load than with 4, and a commit of one message writes 16 KiB.
    static let pageSize = 16_384

    static let creation = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE epochs(epoch INTEGER PRIMARY KEY, position INTEGER NOT NULL, time INTEGER NOT NULL,
            checksum INTEGER NOT NULL);
        CREATE TABLE batches(first INTEGER PRIMARY KEY, count INTEGER NOT NULL, epoch INTEGER NOT NULL,
            time INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE TABLE snapshots(id INTEGER PRIMARY KEY, complete INTEGER NOT NULL, position INTEGER NOT NULL,
            time INTEGER NOT NULL, size INTEGER NOT NULL, checksum INTEGER NOT NULL, digest BLOB NOT NULL);
        CREATE TABLE chunks(id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
        """

    /// Chunks of one snapshot are numbered from its id times this.
    static let chunksPerSnapshot: Int64 = 1 << 20

    /// Settings of a connection that writes. `secure_delete` would write every deleted page again; checkpoints are made
    /// on purpose, between commits.
    static let writerSettings = """
        PRAGMA synchronous=FULL; PRAGMA secure_delete=OFF; PRAGMA wal_autocheckpoint=0; PRAGMA cell_size_check=ON;
        PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384; PRAGMA journal_size_limit=67108864;
        """

    /// Checks that the file is a journal, in a format that this program reads.
    /// - Returns: the format of the file.
    @discardableResult
    static func check(_ connection: SQLiteConnection) throws(JournalError) -> Int64 {
        let what = "reading the header"
        let application = try connection.integer("PRAGMA application_id", doing: what) ?? 0
        guard application == applicationID else {
            throw JournalError(
                .notAJournal, path: connection.path, detail: "it is a database, but no journal (application id \(application))")
        }
        let found = try connection.integer("PRAGMA user_version", doing: what) ?? 0
        guard found <= version else {
            throw JournalError(
                .newerFormat(found: Int(found), supported: Int(version)), path: connection.path,
                detail: "it has format \(found); this program reads up to \(version)")
        }
        guard found >= 1 else {
            throw JournalError(.corrupt, path: connection.path, detail: "it has format \(found), which never existed")
        }
        return found
    }

    static func checksum(epoch: UInt64, position: UInt64, time: Int64) -> UInt64 {
        XXH64.hash(UnsafeRawBufferPointer(start: nil, count: 0), with: [epoch, position, UInt64(bitPattern: time)])
    }

    package static func checksum(_ batch: JournalBatch, epoch: UInt64) -> UInt64 {
        batch.bytes.withUnsafeBytes {
            XXH64.hash($0, with: [batch.first, batch.count, epoch, UInt64(bitPattern: batch.time)])
        }
    }

    static func checksum(_ snapshot: SnapshotDescription) -> UInt64 {
        let numbers = [snapshot.id.number, snapshot.time, Int64(snapshot.size)].map { UInt64(bitPattern: $0) }
        return snapshot.digest.withUnsafeBytes { XXH64.hash($0, with: numbers + [snapshot.position]) }
    }

    static func checksum(_ chunk: UnsafeRawBufferPointer, id: Int64) -> UInt64 {
        XXH64.hash(chunk, with: [UInt64(bitPattern: id)])
    }
}
