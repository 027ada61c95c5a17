import Glibc
import TestSupport
import Testing

/// How long anything here may take before the test fails; generous, because the machine may be busy.
let patience: Int64 = 20_000

/// A sanitizer keeps what was freed for a while, and shadows of everything.
let memoryFactor = getenv("ASAN_OPTIONS") == nil && getenv("TSAN_OPTIONS") == nil ? 1 : 8

struct TooLate: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited too long for \(what)" }
}

func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Looks again and again until something holds, and fails after the deadline.
func poll(_ what: @autoclosure () -> String, within: Int64 = patience, _ holds: () throws -> Bool) throws {
    let end = milliseconds() + within
    while try !holds() {
        if milliseconds() > end { throw TooLate(what: what()) }
        usleep(2000)
    }
}

func text(of path: String) -> String { TextFile.read(path) ?? "" }

/// Replaces the file whole, as an editor does.
func write(_ text: String, to path: String) {
    guard let file = fopen(path + ".new", "w") else { preconditionFailure("cannot write \(path): errno \(errno)") }
    fputs(text, file)
    fclose(file)
    precondition(rename(path + ".new", path) == 0, "cannot write \(path): errno \(errno)")
}

/// A directory that goes with the test that made it.
final class Directory {
    let path: String

    init() {
        var template = Array("/tmp/alertbus-security-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp failed with errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }
}

/// The real binary in a process of its own, its output in files, so that it never waits for a reader.
final class Process {
    /// `alertbus` lies beside the test bundle.
    static let binary: String = {
        let program = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        var parts = program.split(separator: "/", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            parts.removeLast()
            let candidate = parts.joined(separator: "/") + "/alertbus"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        preconditionFailure("alertbus is not beside \(program): build it with `swift build`")
    }()

    let directory: Directory
    private(set) var pid: pid_t = 0
    private var code: Int32?
    private let serial: String

    /// - Parameter descriptors: the most files that it may have open; nil leaves the limit of this process.
    init(
        _ words: [String], in directory: Directory = Directory(), environment: [String: String] = [:], descriptors: Int? = nil
    ) throws {
        self.directory = directory
        serial = "\(UInt32.random(in: 0 ... .max))"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "\(directory.path)/out-\(serial)", O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "\(directory.path)/err-\(serial)", O_WRONLY | O_CREAT, 0o600)
        var variables = environment
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        var line = [Self.binary] + words
        if let descriptors { line = ["/bin/sh", "-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\""] + line }
        var arguments: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        let error = posix_spawn(&pid, line[0], &actions, nil, &arguments, &settings)
        try #require(error == 0, "cannot start \(Self.binary): errno \(error)")
    }

    deinit {
        guard code == nil else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    var output: String { text(of: "\(directory.path)/out-\(serial)") }
    var errors: String { text(of: "\(directory.path)/err-\(serial)") }
    var isRunning: Bool {
        if code != nil { return false }
        var status: CInt = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return true }
        code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return false
    }

    func send(_ signal: CInt) { if code == nil { kill(pid, signal) } }

    /// The exit code, or 128 and the signal that ended it.
    func wait() throws -> Int32 {
        try poll("the end of the process; it said \(output) \(errors)") { !isRunning }
        return code ?? -1
    }
}

struct Outcome {
    var code: Int32
    var output: String
    var errors: String
    var milliseconds: Int64
}

/// Runs a command to its end.
func run(_ words: String..., environment: [String: String] = [:]) throws -> Outcome {
    let start = milliseconds()
    let process = try Process(words, environment: environment)
    let code = try process.wait()
    return Outcome(code: code, output: process.output, errors: process.errors, milliseconds: milliseconds() - start)
}
