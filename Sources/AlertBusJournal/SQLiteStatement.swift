import CSQLite

/// A prepared statement. Parameters are numbered from 1, columns from 0.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Numbers are stored by their bits, so that check values have room.
    func bind(_ index: Int32, _ value: UInt64) { sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }

    /// - Returns: whether there is a row.
    func step(doing what: String) throws(JournalError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = connection.error(code, doing: what)
            reset()
            throw error
        }
    }

    /// Runs a statement that returns no rows.
    func run(doing what: String) throws(JournalError) {
        _ = try step(doing: what)
        reset()
    }

    /// Runs it with bytes that are not copied.
    func run(binding bytes: UnsafeRawBufferPointer, at index: Int32, doing what: String) throws(JournalError) {
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            // No destructor: the bytes outlive the step below, and are unbound after it.
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
        }
        defer { sqlite3_bind_null(handle, index) }
        try run(doing: what)
    }

    /// The same for bytes that an array holds.
    func run(binding bytes: ArraySlice<UInt8>, at index: Int32, doing what: String) throws(JournalError) {
        // Errors with a type cannot pass through `withUnsafeBytes`.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JournalError) in try run(binding: bytes, at: index, doing: what) }
        }
        try result.get()
    }

    /// Ends the reading of rows, and the read transaction with it.
    func reset() { sqlite3_reset(handle) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }
    func text(_ column: Int32) -> String { sqlite3_column_text(handle, column).map { String(cString: $0) } ?? "" }

    /// The bytes of a column, which must be a blob; nil when it is something else.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
