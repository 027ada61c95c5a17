import Glibc

/// The ends of a child's standard streams that stay here.
struct ChildPipes {
    var input: CInt
    var output: CInt
    var errors: CInt

    /// Starts a command with the shell, in a process group of its own.
    ///
    /// - Parameter started: called with its number.
    static func spawn(_ command: String, _ started: (pid_t) -> Void) throws(RowFault) -> ChildPipes {
        var pipes: [(read: CInt, write: CInt)] = []
        for _ in 0..<3 {
            guard let pipe = ChildStart.pipe() else {
                let error = errno
                for pipe in pipes {
                    close(pipe.read)
                    close(pipe.write)
                }
                throw failure("no pipe for the command", error)
            }
            pipes.append(pipe)
        }
        let result = ChildStart.start(
            "/bin/sh", ["/bin/sh", "-c", command], streams: [pipes[0].read, pipes[1].write, pipes[2].write])
        close(pipes[0].read)
        close(pipes[1].write)
        close(pipes[2].write)
        let own = ChildPipes(input: pipes[0].write, output: pipes[1].read, errors: pipes[2].read)
        switch result {
        case .success(let process): started(process)
        case .failure(let error):
            for end in [own.input, own.output, own.errors] { close(end) }
            throw failure("the command cannot be started", error.errno)
        }
        for end in [own.input, own.output, own.errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return own
    }

    private static func failure(_ what: String, _ error: CInt) -> RowFault {
        RowFault("\(what): \(String(cString: strerror(error))) (errno \(error))")
    }
}
