import Glibc

/// Where a journal is kept when nobody says otherwise.
public enum JournalPath {
    /// `/var/lib/alertbus/journal` for root; otherwise `$XDG_STATE_HOME/alertbus/journal`, or
    /// `~/.local/state/alertbus/journal` when that variable is not an absolute path.
    ///
    /// - Throws: `missing` when neither variable nor home directory is known.
    public static func standard() throws(JournalError) -> String {
        try standard(isRoot: geteuid() == 0, environment: environmentVariable)
    }

    /// The same for a given user and environment.
    package static func standard(isRoot: Bool, environment: (String) -> String?) throws(JournalError) -> String {
        if isRoot { return "/var/lib/alertbus/journal" }
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/alertbus/journal" }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw JournalError(.missing, detail: "neither XDG_STATE_HOME nor HOME names a directory")
        }
        return home + "/.local/state/alertbus/journal"
    }

    /// Creates the directory of a journal, mode 0700, with the directories above it. One that exists stays as it is.
    public static func createDirectory(for path: String) throws(JournalError) {
        let directory = parent(of: path)
        var built = directory.hasPrefix("/") ? "/" : ""
        for part in directory.split(separator: "/") {
            built += (built.isEmpty || built.hasSuffix("/") ? "" : "/") + part
            if mkdir(built, 0o700) != 0 && errno != EEXIST {
                throw .system(errno, path: built, doing: "creating the directory")
            }
        }
    }

    /// The directory of a file.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
