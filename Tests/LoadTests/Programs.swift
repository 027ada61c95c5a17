import Glibc
import TestSupport
import Testing

/// The bare program, running.
final class BareProgram {
    /// Where it listens.
    let requests: String
    private let child: Child

    init(_ arguments: [String]) throws {
        child = try Child("Bare", arguments)
        var line = ""
        while !line.contains("\n") {
            line += try #require(child.read(), "the bare program ended before it was ready")
        }
        let words = line.split(whereSeparator: \.isWhitespace)
        requests = String(try #require(words.first { $0.hasPrefix("requests=") }).dropFirst("requests=".count))
    }

    func stop() {
        child.terminate()
        _ = child.wait()
    }
}

/// A program of this package, started, with its output in a pipe.
struct Child {
    private let process: pid_t
    private let output: Int32

    /// The program lies beside the test bundle.
    init(_ program: String, _ arguments: [String]) throws {
        let path = BuiltProgram.path(program)

        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = ([String(path)] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, String(path), &actions, nil, words + [nil], nil)
        close(ends[1])
        try #require(code == 0, "cannot start \(path): \(String(cString: strerror(code)))")
        self.process = process
        output = ends[0]
    }

    /// What it printed next; nil when it has ended.
    func read() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let size = Glibc.read(output, &buffer, buffer.count)
        return size > 0 ? String(decoding: buffer[..<size], as: UTF8.self) : nil
    }

    func terminate() { kill(process, SIGTERM) }

    /// Waits for its end. Returns its exit code, or -1 when a signal ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        close(output)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }
}
