import Glibc

struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Looks again and again until something is so, or throws when it takes too long.
func poll(seconds: Int, _ what: @autoclosure () -> String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        if ContinuousClock.now > end { throw Failure("\(seconds) s were not enough for \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// The real binary in a process of its own, its output in files, so that it never waits for a reader.
final class Program: Sendable {
    static let binary: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        for path in [own] + CommandLine.arguments.filter({ $0.contains(".xctest") }) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            for depth in 1...4 where parts.count > depth {
                let binary = parts.dropLast(depth).joined(separator: "/") + "/alertbus"
                if access(binary, X_OK) == 0 { return binary }
            }
        }
        preconditionFailure("alertbus is not beside \(own): build it with `swift build`")
    }()

    private let directory: Scratch
    let process: pid_t
    private let words: [String]

    /// - Parameter errors: where its standard error goes; nil is a file.
    init(_ words: [String], environment: [String: String] = [:], errors: String? = nil) throws {
        self.words = words
        directory = try Scratch()
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

    var output: String { Scratch.text(directory.path("out")) ?? "" }
    var errors: String { Scratch.text(directory.path("err")) ?? "" }

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
        let text = Scratch.text("/proc/\(process)/task/\(process)/children") ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    static func isAlive(_ process: pid_t) -> Bool {
        guard let text = Scratch.text("/proc/\(process)/stat") else { return false }
        // One that has ended and is not collected yet counts as ended.
        return !text.contains(") Z ")
    }
}

/// A directory that goes with the test that made it.
final class Scratch: Sendable {
    let directory: String

    init() throws {
        var template = Array("/tmp/alertbus-swarmtest-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp failed with errno \(errno)") }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(directory) }

    private static func remove(_ directory: String) {
        guard let entries = opendir(directory) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if unlink("\(directory)/\(name)") != 0 { remove("\(directory)/\(name)") }
        }
        closedir(entries)
        rmdir(directory)
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    func file(_ name: String, _ text: String) throws -> String {
        guard let file = fopen(path(name), "w") else { throw Failure("cannot write \(name): errno \(errno)") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failure("cannot write \(name): errno \(errno)") }
        return path(name)
    }

    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
