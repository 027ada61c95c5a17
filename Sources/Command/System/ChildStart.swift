import CLinux
import Glibc

/// What both kinds of children have in common: how they are started.
enum ChildStart {
    /// A pipe whose ends no child inherits by chance: one has to be given away on purpose.
    /// - Returns: nil, with the cause in `errno`.
    static func pipe() -> (read: CInt, write: CInt)? {
        var ends: [CInt] = [-1, -1]
        return pipe2(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Starts a program in a process group of its own, so that Ctrl-C is for this process alone and the child can be ended with its own
    /// children. It gets none of the signal settings of this process.
    ///
    /// - Parameters:
    ///   - streams: what it gets as 0, 1 and so on.
    ///   - environment: NAME=VALUE; nil is that of this process.
    /// - Returns: its number, or the error.
    static func start(
        _ program: String, _ words: [String], streams: [CInt], environment: [String]? = nil
    ) -> Result<pid_t, StartError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, CInt(target)) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let error =
            environment == nil
            ? posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
            : posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
        return error == 0 ? .success(process) : .failure(StartError(errno: error))
    }

    struct StartError: Error {
        let errno: CInt
    }
}
