import Glibc

/// The terminal that standard output is.
enum Terminal {
    /// Its columns; nil when standard output is none.
    static var width: Int? {
        guard StandardOutput.isTerminal else { return nil }
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 { return Int(size.ws_col) }
        return 80
    }

    /// Whether colours may be used: on a terminal, unless NO_COLOR is set to something or it can show none.
    static var hasColours: Bool {
        guard StandardOutput.isTerminal else { return false }
        if let word = getenv("NO_COLOR"), word.pointee != 0 { return false }
        if let kind = getenv("TERM"), strcmp(kind, "dumb") == 0 { return false }
        return true
    }
}
