import CLinux
import CSQLite
import Glibc

/// The files of a journal: creating them whole, and telling what is wrong with them before SQLite touches them.
struct SQLiteFiles {
    let path: String
    var log: String { path + "-wal" }

    /// What tells one file from another under the same name.
    struct Identity: Equatable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
    }

    static func identity(of path: String) -> Identity? {
        var found = Identity(device: 0, inode: 0, size: 0)
        return linux_identity(path, &found.device, &found.inode, &found.size) == 0 ? found : nil
    }

    /// Whether there is a file. Checks that it can be a journal and that nobody else may read it.
    func exists() throws(JournalError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let number = errno
            guard number == ENOENT else { throw .system(number, path: path, doing: "looking for the journal") }
            if let left = Self.identity(of: log), left.size > 0 {
                throw JournalError(
                    .corrupt, path: path, detail: "the file is gone but its log \(log) is there; restore it or move both away")
            }
            return false
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError(.notAJournal, path: path, detail: "it is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw JournalError(.permissions, path: path, detail: "its mode 0\(mode) lets others in")
        }
        // A journal gets its name only when it is complete.
        guard status.st_size > 0 else { throw JournalError(.truncated, path: path, detail: "the file is empty") }
        return true
    }

    /// Creates an empty journal under its name in one step.
    func create(fileSystem: String?, time: Int64) throws(JournalError) {
        let draft = path + ".new"
        for name in [draft, draft + "-wal", draft + "-shm", draft + "-journal", log, path + "-shm"] { _ = unlink(name) }
        let descriptor = try systemCall("creating the journal", path) {
            Int(open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        _ = close(Int32(descriptor))
        do throws(JournalError) {
            try fill(draft, fileSystem: fileSystem, time: time)
        } catch {
            _ = unlink(draft)
            throw error
        }
        try systemCall("naming the journal", path) { Int(rename(draft, path)) }
        try synchroniseDirectory()
    }

    private func fill(_ draft: String, fileSystem: String?, time: Int64) throws(JournalError) {
        let connection = try SQLiteConnection(path: draft, mode: .readWrite, fileSystem: fileSystem)
        defer { connection.close() }
        let what = "creating the journal"
        try connection.execute("PRAGMA page_size=\(SQLiteFormat.pageSize); PRAGMA synchronous=FULL", doing: what)
        let identifier = Int64(bitPattern: UInt64.random(in: 1...UInt64.max))
        let identity = "INSERT INTO meta VALUES('journal',\(identifier)),('created',\(time)),('probe',0);"
        try connection.execute(
            "BEGIN;" + SQLiteFormat.creation + identity + "PRAGMA application_id=\(SQLiteFormat.applicationID);"
                + "PRAGMA user_version=\(SQLiteFormat.version);COMMIT;", doing: what)
        // Last, and closed after it, so that the one file is the whole journal.
        guard try connection.text("PRAGMA journal_mode=WAL", doing: what) == "wal" else {
            throw JournalError(.inputOutput, path: path, detail: "the file system allows no write-ahead log")
        }
    }

    /// Makes names durable that were given or taken.
    private func synchroniseDirectory() throws(JournalError) {
        let directory = JournalPath.parent(of: path)
        let descriptor = Int32(
            try systemCall("opening", directory) { Int(open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)) })
        defer { _ = close(descriptor) }
        try systemCall("making the name durable", directory) { Int(fsync(descriptor)) }
    }
}
