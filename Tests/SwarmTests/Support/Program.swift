import Glibc
import TestSupport

/// The real binary in a process of its own, its output in files, so that it never waits for a reader.
final class Program: Sendable {
    static let binary = BuiltProgram.path("alertbus")

    private let directory: TemporaryDirectory
    let process: pid_t
    private let words: [String]

    /// - Parameter errors: where its standard error goes; nil is a file.
    init(_ words: [String], environment: [String: String] = [:], errors: String? = nil) throws {
        self.words = words
        directory = TemporaryDirectory("swarm")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, directory.path("out"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors ?? directory.path("err"), O_WRONLY | O_CREAT, 0o600)
        var variables = environment
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] where variables[name] == nil {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        var arguments: [UnsafeMutablePointer<CChar>?] = ([Self.binary] + words).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, Self.binary, &actions, nil, &arguments, &settings)
        guard error == 0 else { throw Failure("cannot start \(Self.binary): errno \(error)") }
        self.process = process
    }

    deinit {
        if kill(process, 0) == 0 && waitpid(process, nil, WNOHANG) == 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    var output: String { directory.text("out") }
    var errors: String { directory.text("err") }

    func send(_ signal: CInt) { kill(process, signal) }

    /// The exit code, or 128 and the signal that ended it.
    func wait(seconds: Int = 60) async throws -> Int32 {
        var status: CInt = 0
        try await poll(seconds: seconds, "the end of \(words): \(output) \(errors)") {
            waitpid(process, &status, WNOHANG) == process
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Its children, as the system knows them.
    var children: [pid_t] {
        let text = TextFile.read("/proc/\(process)/task/\(process)/children") ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    static func isAlive(_ process: pid_t) -> Bool {
        guard let text = TextFile.read("/proc/\(process)/stat") else { return false }
        // One that has ended and is not collected yet counts as ended.
        return !text.contains(") Z ")
    }
}
