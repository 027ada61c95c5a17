import AlertBusJournalTestSupport
import Glibc
import TestSupport

/// `alertbus` in a process of its own, its output in files beside the journal.
final class ArbiterProcess {
    /// It lies beside the test bundle; `ALERTBUS_BINARY` names another one, such as a release build to be measured.
    static let binary: String = {
        if let chosen = getenv("ALERTBUS_BINARY") { return String(cString: chosen) }
        return BuiltProgram.path("alertbus")
    }()

    let pid: pid_t
    private let place: String
    private var status: Int32?

    /// - Parameter place: the beginning of the names of the files for its output.
    /// - Parameter settings: variables of its environment, as NAME=VALUE, beside the few that it needs.
    init(_ words: [String], place: String, binary: String = ArbiterProcess.binary, settings more: [String] = []) throws {
        self.place = place
        for end in [".out", ".err"] { writeFile(place + end, []) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, place + ".out", O_WRONLY | O_APPEND, 0)
        posix_spawn_file_actions_addopen(&actions, 2, place + ".err", O_WRONLY | O_APPEND, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([binary] + words).map { strdup($0) } + [nil]
        let environment = ["PATH", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap {
            (name: String) -> String? in
            getenv(name).map { "\(name)=" + String(cString: $0) }
        }
        let variables = environment + ["SWIFT_BACKTRACE=enable=no"] + more
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, binary, &actions, nil, &arguments, &settings)
        guard error == 0 else { throw Late("starting \(binary): errno \(error)") }
        pid = child
    }

    deinit { end(SIGKILL) }

    var output: String { String(decoding: readFile(place + ".out"), as: UTF8.self) }
    var errors: String { String(decoding: readFile(place + ".err"), as: UTF8.self) }

    /// The processor time that it has used.
    var cpuMilliseconds: Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// The memory that it takes.
    var residentBytes: Int {
        guard let file = fopen("/proc/\(pid)/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 200)
        let count = fread(&text, 1, text.count, file)
        let words = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    func send(_ signal: Int32) { if status == nil { kill(pid, signal) } }

    /// Sends a signal and waits for the end.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        send(signal)
        return wait() ?? -1
    }

    /// The exit code, or 128 and the signal; nil when it takes too long.
    func wait(seconds: Int64 = 30) -> Int32? {
        if let status { return status }
        let end = milliseconds() + seconds * 1000
        while milliseconds() < end {
            var code: Int32 = 0
            if waitpid(pid, &code, WNOHANG) == pid {
                status = code & 0x7F == 0 ? code >> 8 & 0xFF : 128 + code & 0x7F
                return status
            }
            usleep(500)
        }
        return nil
    }
}

/// Something did not happen in time.
struct Late: Error, CustomStringConvertible {
    let description: String
    init(_ what: String) { description = "waited too long for \(what)" }
}

func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Looks again and again until something holds.
func poll(_ what: @autoclosure () -> String, seconds: Int64 = 30, _ holds: () throws -> Bool) throws {
    let end = milliseconds() + seconds * 1000
    while try !holds() {
        if milliseconds() > end { throw Late(what()) }
        usleep(1000)
    }
}

/// Runs bodies on threads of their own and waits for all of them.
final class Threads {
    private var threads: [TestThread] = []

    func start(_ run: @escaping @Sendable () -> Void) { threads.append(TestThread(run)) }

    func join() {
        for thread in threads { thread.join() }
        threads = []
    }
}
