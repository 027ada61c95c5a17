/// What is wrong with a journal, where, and what to do. The causes of the layers below stay inside.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// No space, or a quota is used up.
        case diskFull
        /// The file, its directory or the file system is read-only.
        case readOnly
        /// A system call failed below the journal.
        case inputOutput
        /// Something stored is not what was written.
        case corrupt
        /// The file is shorter than what was acknowledged.
        case truncated
        /// The process may not open it, or others may.
        case permissions
        /// The file is something else.
        case notAJournal
        /// It was written by a newer version of the program.
        case newerFormat(found: Int, supported: Int)
        /// Another process has it open for writing. 0 when its id is not known.
        case locked(by: Int32)
        /// A reader in the middle of a reading keeps the log from being emptied.
        case held
        /// There is no journal there to read.
        case missing
        /// The position was deleted after a snapshot.
        case pruned(oldest: UInt64)
        /// The caller broke a rule of the interface.
        case invalid
        /// It is closed.
        case closed
    }

    public var kind: Kind
    /// The file or directory, when there is one.
    public var path: String
    /// What happened.
    public var detail: String
    /// SQLite's primary result code; 0 when SQLite had no part in it.
    public var sqliteCode: Int32
    /// SQLite's extended result code.
    public var sqliteExtendedCode: Int32
    /// The error number of the system call; 0 when it is not known.
    public var errno: Int32

    public init(
        _ kind: Kind, path: String = "", detail: String, sqliteExtendedCode: Int32 = 0, errno: Int32 = 0
    ) {
        self.kind = kind
        self.path = path
        self.detail = detail
        self.sqliteCode = sqliteExtendedCode & 0xFF
        self.sqliteExtendedCode = sqliteExtendedCode
        self.errno = errno
    }

    /// What a person can do about it.
    public var remedy: String {
        switch kind {
        case .diskFull: "Free space on the file system of the journal; it goes on by itself."
        case .readOnly: "Make the journal and its directory writable for this user, or remount the file system read-write."
        case .inputOutput: "Look at the kernel's log for errors of the disk, and at the limits of the process."
        case .corrupt:
            "Keep a copy of the files, then restore the journal from a backup, or move it away to start an empty one."
        case .truncated:
            "Restore the files. If an older journal was put back on purpose, remove the file with the ending .lock."
        case .permissions: "The journal must belong to this user and have mode 0600, its directory 0700."
        case .notAJournal: "Name another file; this one was left as it is."
        case .newerFormat: "Use the version of the program that wrote it, or a newer one."
        case .locked: "Stop the other arbiter first, or give this one a journal of its own."
        case .held:
            "End the program that reads the journal, such as a stopped replay or a database shell; it goes on by itself."
        case .missing: "Check the path; an arbiter creates the journal when it starts."
        case .pruned: "Start from the newest snapshot."
        case .invalid: "This is a fault of the program; please report it."
        case .closed: "Open the journal again."
        }
    }

    public var description: String {
        var text = path.isEmpty ? "journal: \(detail)" : "journal \(path): \(detail)"
        var causes: [String] = []
        if errno != 0 { causes.append("errno \(errno): \(describe(errno: errno))") }
        if sqliteCode != 0 { causes.append("SQLite code \(sqliteCode), extended \(sqliteExtendedCode)") }
        if !causes.isEmpty { text += " (" + causes.joined(separator: "; ") + ")" }
        return text + ". " + remedy
    }
}
