import Glibc

/// This program again, as a child that ends with this process.
final class ChildProgram {
    let process: pid_t
    let input: CInt
    let output: CInt
    private var unread: [UInt8] = []
    private var isReaped = false

    /// Read by the child: it asks the system for a signal when this process ends, however that happens.
    static let variable = "ALERTBUS_END_WITH_PARENT"

    /// - Parameters:
    ///   - words: the command line without the program.
    ///   - settings: more variables of its environment.
    init(_ words: [String], settings: [String: String] = [:]) throws(CommandFailure) {
        var pipes: [CInt] = []
        for _ in 0..<2 {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else {
                for end in pipes { close(end) }
                throw Self.failure("no pipe for a child", errno)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes += ends
        }
        var child: pid_t = 0
        let error = Self.spawn(words, settings, pipes[0], pipes[3], &child)
        close(pipes[0])
        close(pipes[3])
        guard error == 0 else {
            close(pipes[1])
            close(pipes[2])
            throw Self.failure("cannot start another process of this program", error)
        }
        process = child
        input = pipes[1]
        output = pipes[2]
    }

    deinit {
        if !isReaped { _ = end(within: 0) }
        close(input)
        close(output)
    }

    private static func spawn(
        _ words: [String], _ settings: [String: String], _ input: CInt, _ output: CInt, _ process: inout pid_t
    ) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: Ctrl-C is for this process, which ends its children when it is done with them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        variables.append("\(variable)=\(getpid())")
        variables += settings.map { "\($0.key)=\($0.value)" }
        var arguments: [UnsafeMutablePointer<CChar>?] = (["alertbus"] + words).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, &environment)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(input, bytes, bytes.count)
    }

    /// Takes what has come.
    /// - Returns: false at the end.
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(output, &buffer, buffer.count)
        if count > 0 { unread += buffer[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }

    /// The next whole line that was read.
    func takeLine() -> String? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    /// Everything that was read and not taken.
    func takeRest() -> String {
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Waits until there is something to read.
    func waitToRead(milliseconds: CInt) -> Bool {
        var item = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, milliseconds) > 0
    }

    /// Asks it to end, waits for that, and insists when it takes too long.
    /// - Returns: the exit code, or 128 and the signal that ended it.
    func end(within milliseconds: Int) -> CInt {
        if isReaped { return 0 }
        _ = kill(process, milliseconds > 0 ? SIGTERM : SIGKILL)
        let deadline = SystemClock.monotonic() + Int64(milliseconds)
        var status: CInt = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if SystemClock.monotonic() > deadline { _ = kill(process, SIGKILL) }
            usleep(2000)
        }
        isReaped = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private static func failure(_ what: String, _ error: CInt) -> CommandFailure {
        .refused("\(what): \(String(cString: strerror(error))) (errno \(error))")
    }
}
