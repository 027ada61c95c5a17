import Glibc

/// A real arbiter in a process of its own, in a folder of its own.
final class ArbiterProcess {
    let folder: String
    /// Short, whatever the folder is: an ipc address has a hundred bytes at most.
    private let sockets: String
    var requests: String { "ipc://\(sockets)/requests" }
    private let program: String
    private var process: pid_t = 0
    var number: pid_t { process }

    init(program: String, folder: String) {
        self.program = program
        self.folder = folder
        var pattern = Array("/tmp/alertbus-benchmark-XXXXXX".utf8CString)
        guard let made = mkdtemp(&pattern) else { fail("cannot make a folder in /tmp") }
        sockets = String(cString: made)
        write(
            """
            [[policy]]
            surfaces = "**"
            capacity = 2000000
            preempt = "higher"
            covered = "hide"
            activation_delay_ms = 0

            [limits]
            alerts = 2000000
            alerts_per_producer = 2000000
            bytes = 4000000000

            """, to: "\(folder)/alertbus.toml")
    }

    deinit {
        stop()
        unlink("\(sockets)/requests")
        rmdir(sockets)
    }

    /// - Parameter journal: "memory", or nil for a file in the folder.
    /// - Returns: the microseconds until it said that it is ready.
    @discardableResult
    func start(journal: String? = nil) -> Int64 {
        let before = microseconds()
        let ready = "\(folder)/ready"
        unlink(ready)
        process = spawn(
            [
                program, "arbiter", "--config", "\(folder)/alertbus.toml", "--requests", requests, "--feed", "none",
                "--journal", journal ?? "\(folder)/journal", "--json",
            ], output: ready)
        let deadline = before + 120_000_000
        while size(of: ready) == 0 {
            guard microseconds() < deadline, waitpid(process, nil, WNOHANG) == 0 else { fail("the arbiter does not become ready") }
            usleep(500)
        }
        return microseconds() - before
    }

    func stop(_ signal: CInt = SIGTERM) {
        guard process > 0 else { return }
        kill(process, signal)
        waitpid(process, nil, 0)
        process = 0
    }

    var residentBytes: Int { field("VmRSS:") * 1024 }

    private func field(_ name: String) -> Int {
        for line in read("/proc/\(process)/status").split(separator: "\n") where line.hasPrefix(name) {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }

    /// Hundredths of a second of processor time so far.
    var processorTicks: Int {
        let text = read("/proc/\(process)/stat")
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }
}

func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}

func fail(_ text: String) -> Never {
    let line = Array("ServiceBenchmark: \(text)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    exit(1)
}

func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
        let byte = getc(file)
        if byte == EOF { break }
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
}

func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { fail("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
}

func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Starts a program with its output in a file.
func spawn(_ words: [String], output: String) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else { fail("cannot start \(words[0])") }
    return process
}
