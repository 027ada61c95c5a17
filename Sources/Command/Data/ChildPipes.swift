import Glibc
import Synchronization

/// The ends of a child's standard streams that stay here.
struct ChildPipes {
    var input: CInt
    var output: CInt
    var errors: CInt

    /// While a pipe exists that is not yet marked to be closed in children, no other child may be started.
    private static let spawning = Mutex(())

    /// Starts a command with the shell, in a process group of its own.
    ///
    /// - Parameter started: called with its number.
    static func spawn(_ command: String, _ started: (pid_t) -> Void) throws(RowFault) -> ChildPipes {
        let result = spawning.withLock { _ in
            Result { () throws(RowFault) in try spawnAlone(command, started) }
        }
        return try result.get()
    }

    private static func spawnAlone(_ command: String, _ started: (pid_t) -> Void) throws(RowFault) -> ChildPipes {
        var pipes: [(read: CInt, write: CInt)] = []
        func closeAll() {
            for pipe in pipes {
                close(pipe.read)
                close(pipe.write)
            }
        }
        for _ in 0..<3 {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let error = errno
                closeAll()
                throw failure("no pipe for the command", error)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append((ends[0], ends[1]))
        }
        let error = start(command, [pipes[0].read, pipes[1].write, pipes[2].write], started)
        close(pipes[0].read)
        close(pipes[1].write)
        close(pipes[2].write)
        let own = ChildPipes(input: pipes[0].write, output: pipes[1].read, errors: pipes[2].read)
        guard error == 0 else {
            for end in [own.input, own.output, own.errors] { close(end) }
            throw failure("the command cannot be started", error)
        }
        for end in [own.input, own.output, own.errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return own
    }

    private static func start(_ command: String, _ streams: [CInt], _ started: (pid_t) -> Void) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, CInt(target)) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that the shell's children can be ended with it; and none of the signal settings of this process.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let line = ["/bin/sh", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
        if error == 0 { started(process) }
        return error
    }

    private static func failure(_ what: String, _ error: CInt) -> RowFault {
        RowFault("\(what): \(String(cString: strerror(error))) (errno \(error))")
    }
}
