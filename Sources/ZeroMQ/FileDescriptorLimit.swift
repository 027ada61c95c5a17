import Glibc

/// How many files and connections this process may have open. Each connection of libzmq takes one.
///
/// At the limit libzmq's I/O thread spins at full load and says nothing, so raise it at the start and keep the number
/// of connections below it.
public struct FileDescriptorLimit: Equatable, Sendable {
    /// The limit in force.
    public var soft: UInt64
    /// The bound to which the process may raise it.
    public var hard: UInt64

    public static func current() throws(ZMQError) -> FileDescriptorLimit {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
            throw .last("getrlimit", "RLIMIT_NOFILE")
        }
        return FileDescriptorLimit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    }

    /// Raises the soft limit to the hard one, and returns what is in force then.
    public static func raise() throws(ZMQError) -> FileDescriptorLimit {
        let before = try current()
        if before.soft >= before.hard { return before }
        var limit = rlimit(rlim_cur: rlim_t(before.hard), rlim_max: rlim_t(before.hard))
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
            throw .last("setrlimit", "RLIMIT_NOFILE \(before.hard)")
        }
        return try current()
    }

    /// How many descriptors are open now. Reads a directory: for a metric, not for a hot path.
    public static func openCount() throws(ZMQError) -> Int {
        guard let directory = opendir("/proc/self/fd") else { throw .last("opendir", "/proc/self/fd") }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
        }
        // The directory itself was one of them.
        return count - 1
    }
}
