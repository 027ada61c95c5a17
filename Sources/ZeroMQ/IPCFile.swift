import Glibc

/// The file of an ipc endpoint. libzmq deletes whatever lies at the path of a bind; this looks first.
struct IPCFile {
    let path: String

    /// nil for an endpoint without a file: another transport, the abstract namespace, or a path that libzmq invents.
    init?(_ endpoint: Endpoint) {
        guard case .ipc(let path) = endpoint, !path.hasPrefix("@"), path != "*" else { return nil }
        self.path = path
    }

    /// Removes a socket file that nobody answers. Two processes that do this at the same moment can still collide.
    ///
    /// - Throws: `inUse`, `notASocket`, `ipcPathTooLong`, or the system's error.
    func prepareForBind() throws(EndpointFault) {
        if path.utf8.count > Endpoint.longestIPCPath { throw .ipcPathTooLong(path, bytes: path.utf8.count) }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return try checkDirectory() }
            throw .system(.last("lstat", path))
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        guard try !isAnswered() else { throw .inUse(path: path) }
        // It may be gone by now; that is what was wanted.
        if unlink(path) != 0 && errno != ENOENT { throw .system(.last("unlink", path)) }
    }

    func setMode(_ mode: UInt32) throws(ZMQError) {
        if chmod(path, mode) != 0 { throw .last("chmod", path) }
    }

    /// libzmq would say no more than "no such file".
    private func checkDirectory() throws(EndpointFault) {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if access(directory, W_OK | X_OK) != 0 { throw .system(.last("access", directory)) }
    }

    /// Whether a process listens at the path: only a refused connection says that none does.
    private func isAnswered() throws(EndpointFault) -> Bool {
        // Without blocking, so that a listener with a full backlog, which counts as alive, cannot hang us.
        let probe = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .system(.last("socket", path)) }
        defer { _ = Glibc.close(probe) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                retryingInterrupts { Glibc.connect(probe, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        if result == 0 { return true }
        switch errno {
        case ECONNREFUSED, ENOENT: return false
        case EAGAIN, EINPROGRESS: return true
        default: throw .system(.last("connect", path))
        }
    }
}
