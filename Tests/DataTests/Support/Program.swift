import Foundation
import Glibc
import TestSupport
import Testing

/// A program of this package in a process of its own, its output in a file, so that it never waits for a reader.
final class Program: Sendable {
    private let directory: TemporaryDirectory
    let process: pid_t
    private let words: [String]
    /// Its standard input; -1 when it has none.
    private let input: CInt

    init(_ name: String, _ words: [String], requests: String, hasInput: Bool = false) throws {
        self.words = [name] + words
        directory = TemporaryDirectory("data")
        var ends: [CInt] = [-1, -1]
        if hasInput {
            guard pipe(&ends) == 0 else { throw TimeoutError(what: "a pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if hasInput {
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, directory.file("out"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, directory.file("err"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var variables = ProcessInfo.processInfo.environment
        variables["ALERTBUS_REQUESTS"] = requests
        variables["SWIFT_BACKTRACE"] = "enable=no"
        let path = BuiltProgram.path(name)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, path, &actions, nil, &arguments, &settings)
        guard error == 0 else { throw TimeoutError(what: "the start of \(name): errno \(error)") }
        if hasInput { close(ends[0]) }
        input = ends[1]
        self.process = process
    }

    deinit {
        if input >= 0 { close(input) }
        // Harmless when it has ended: its status was taken, and a number is not used again that quickly.
        if kill(process, 0) == 0 && waitpid(process, nil, WNOHANG) == 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    var output: String { directory.text("out") }
    var errors: String { directory.text("err") }

    func send(_ signal: CInt) { kill(process, signal) }

    func type(_ line: String) {
        let text = line + "\n"
        _ = text.withCString { write(input, $0, strlen($0)) }
    }

    /// The exit code, or 128 and the signal that ended it.
    func wait() async throws -> Int32 {
        var status: CInt = 0
        try await eventually("the end of \(words)") { waitpid(process, &status, WNOHANG) == process }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    func waitForOutput(_ text: String) async throws {
        try await eventually("\"\(text)\" from \(words); got \(output) \(errors)") { output.contains(text) }
    }

    func waitForErrors(_ text: String) async throws {
        try await eventually("\"\(text)\" from \(words); got \(errors)") { errors.contains(text) }
    }
}

/// An arbiter in a process of its own, on an ipc address that a second one can take over.
struct ArbiterProgram {
    let directory: TemporaryDirectory
    let program: Program
    let requests: String

    init(in directory: TemporaryDirectory = TemporaryDirectory("data"), journal: Bool = false) async throws {
        self.directory = directory
        requests = "ipc://\(directory.path)/bus"
        let journal = journal ? directory.file("journal") : "memory"
        program = try Program("alertbus", ["arbiter", "--feed", "none", "--journal", journal], requests: requests)
        try await program.waitForOutput("ready:")
    }

    func start(_ words: String...) throws -> Program { try Program("alertbus", words, requests: requests) }

    /// A provider that is registered.
    func provider(_ words: String...) async throws -> Program {
        let provider = try Program("alertbus", ["provide"] + words, requests: requests)
        try await provider.waitForOutput("ready:")
        return provider
    }

    /// Runs a command to its end.
    func run(_ words: String...) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program("alertbus", words, requests: requests)
        return (try await program.wait(), program.output, program.errors)
    }

    /// Waits until `list` has a line with all of these words.
    func waitForState(_ words: String...) async throws {
        try await eventually("an alert that is \(words)") {
            let list = try await run("list", "/").output.split(separator: "\n")
            return list.contains { line in words.allSatisfy { line.contains($0) } }
        }
    }
}
