import Glibc
import TestSupport
import Testing

/// The real binary in a process of its own, its output in files, so that it never waits for a reader.
final class CommandProcess: Sendable {
    static let binary = BuiltProgram.path("alertbus")

    private let directory = TemporaryDirectory("command")
    private let process: pid_t
    private let words: [String]

    /// - Parameter environment: in place of the test's own, but for PATH and what the system needs.
    init(
        _ words: [String], binary: String = CommandProcess.binary, environment: [String: String] = [:],
        input: String = "", output: String? = nil
    ) throws {
        self.words = words
        let stdin = "\(directory.path)/in"
        TextFile.write(input, to: stdin)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, stdin, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output ?? "\(directory.path)/out", O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "\(directory.path)/err", O_WRONLY | O_CREAT, 0o600)
        var variables = environment
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME", "ASAN_OPTIONS", "TSAN_OPTIONS"] where variables[name] == nil {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        var arguments: [UnsafeMutablePointer<CChar>?] = ([binary] + words).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, binary, &actions, nil, &arguments, &settings)
        guard error == 0 else { throw Failure("cannot start \(binary): errno \(error)") }
        self.process = process
    }

    deinit {
        // Harmless when it has ended: wait() has taken its status, and a number is not used again that quickly.
        if kill(process, 0) == 0 && waitpid(process, nil, WNOHANG) == 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    var output: String { TextFile.read("\(directory.path)/out") ?? "" }
    var errors: String { TextFile.read("\(directory.path)/err") ?? "" }
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    func send(_ signal: CInt) { kill(process, signal) }

    /// The exit code, or 128 and the signal that ended it.
    func wait(seconds: Int = 30) async throws -> Int32 {
        var status: CInt = 0
        try await poll(seconds: seconds, "the end of \(words)") { waitpid(self.process, &status, WNOHANG) == self.process }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    func waitForOutput(_ text: String, seconds: Int = 30) async throws {
        try await poll(seconds: seconds, "\"\(text)\" from \(words); got \(output) \(errors)") { self.output.contains(text) }
    }

    func waitForErrors(_ text: String, seconds: Int = 30) async throws {
        try await poll(seconds: seconds, "\"\(text)\" from \(words)") { self.errors.contains(text) }
    }
}

/// What a command that has ended left behind.
struct Outcome {
    var code: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs a command to its end.
func run(
    _ words: [String], environment: [String: String] = [:], input: String = "", output: String? = nil
) async throws -> Outcome {
    let process = try CommandProcess(words, environment: environment, input: input, output: output)
    let code = try await process.wait()
    return Outcome(code: code, output: process.output, errors: process.errors)
}
