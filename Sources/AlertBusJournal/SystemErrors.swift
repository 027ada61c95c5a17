import Glibc

/// The system's sentence for an error number.
func describe(errno number: Int32) -> String {
    // Safe from several threads since glibc 2.32.
    String(cString: strerror(number))
}

extension JournalError {
    /// The error for a system call that set `errno`.
    static func system(_ number: Int32, path: String, doing what: String) -> JournalError {
        let kind: Kind =
            switch number {
            case ENOSPC, EDQUOT: .diskFull
            case EROFS: .readOnly
            case EACCES, EPERM: .permissions
            case ENOENT: .missing
            default: .inputOutput
            }
        return JournalError(kind, path: path, detail: "\(what) failed", errno: number)
    }
}

/// Calls again as long as a signal interrupted the call.
/// - Throws: what the call reported.
@discardableResult
func systemCall(
    _ what: @autoclosure () -> String, _ path: String, _ call: () -> Int
) throws(JournalError) -> Int {
    while true {
        let result = call()
        if result >= 0 { return result }
        let number = errno
        if number != EINTR { throw .system(number, path: path, doing: what()) }
    }
}
