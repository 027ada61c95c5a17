import Glibc
import Synchronization
import TestSupport

/// A real process with a pipe to its input and one from its output. Killed with the last reference.
final class ChildProcess: Sendable {
    let id: pid_t
    private let input: CInt
    private let output: CInt
    private let unread = Mutex<[UInt8]>([])
    private let isReaped = Mutex(false)

    /// - Parameters:
    ///   - program: the name of an executable of this package, which lies beside the test bundle.
    ///   - errors: a file for what it says on its standard error; nil leaves that to the test's own.
    init(_ program: String, _ words: [String], errors: String? = nil) throws {
        let binary = BuiltProgram.path(program)
        var inPipe: [CInt] = [-1, -1]
        var outPipe: [CInt] = [-1, -1]
        guard pipe(&inPipe) == 0, pipe(&outPipe) == 0 else { throw Failure("no pipe: errno \(errno)") }
        // Closed in other children, or they would keep this one's input open.
        for descriptor in inPipe + outPipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inPipe[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outPipe[1], 1)
        if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        var arguments: [UnsafeMutablePointer<CChar>?] = ([binary] + words).map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, binary, &actions, nil, &arguments, environ)
        close(inPipe[0])
        close(outPipe[1])
        guard error == 0 else { throw Failure("cannot start \(binary): errno \(error)") }
        id = process
        input = inPipe[1]
        output = outPipe[0]
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(input)
        close(output)
        if isReaped.withLock({ $0 }) { return }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    func send(_ signal: CInt) { kill(id, signal) }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(input, bytes, bytes.count)
    }

    /// The next line of its output.
    func line(seconds: Int = 30) async throws -> String {
        var line: String?
        try await poll(seconds: seconds, "a line of process \(id)") {
            line = takeLine()
            return line != nil
        }
        return line!
    }

    private func takeLine() -> String? {
        unread.withLock { unread in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(output, &buffer, buffer.count)
                if count <= 0 { break }
                unread += buffer[..<count]
            }
            guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { unread.removeFirst(end + 1) }
            return String(decoding: unread[..<end], as: UTF8.self)
        }
    }

    /// Waits for its end; the exit code, or 128 and the signal.
    @discardableResult
    func ended(seconds: Int = 30) async throws -> CInt {
        var status: CInt = 0
        try await poll(seconds: seconds, "the end of process \(id)") { waitpid(id, &status, WNOHANG) == id }
        isReaped.withLock { $0 = true }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    func kill9() async throws {
        send(SIGKILL)
        try await ended()
    }

    /// What it holds in memory, in bytes.
    var residentBytes: Int {
        get throws {
            guard let file = fopen("/proc/\(id)/status", "r") else { throw Failure("process \(id) is not there") }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, 256, file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                guard text.hasPrefix("VmRSS:") else { continue }
                return (Int(text.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0) * 1024
            }
            throw Failure("process \(id) has no VmRSS")
        }
    }

}
