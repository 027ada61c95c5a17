import Glibc

/// This program again, as a child that ends with this process.
final class ChildProgram {
    let process: pid_t
    let input: CInt
    let output: CInt
    private var unread: [UInt8] = []
    private var isReaped = false

    /// Read by the child: it asks the system for a signal when this process ends, however that happens.
    static let variable = "ALERTBUS_END_WITH_PARENT"

    /// - Parameters:
    ///   - words: the command line without the program.
    ///   - settings: more variables of its environment.
    init(_ words: [String], settings: [String: String] = [:]) throws(CommandFailure) {
        guard let toChild = ChildStart.pipe() else { throw Self.failure("no pipe for a child", errno) }
        guard let fromChild = ChildStart.pipe() else {
            let error = errno
            for end in [toChild.read, toChild.write] { close(end) }
            throw Self.failure("no pipe for a child", error)
        }
        let result = ChildStart.start(
            "/proc/self/exe", ["alertbus"] + words, streams: [toChild.read, fromChild.write],
            environment: Self.environment(with: settings))
        close(toChild.read)
        close(fromChild.write)
        switch result {
        case .success(let child): process = child
        case .failure(let error):
            close(toChild.write)
            close(fromChild.read)
            throw Self.failure("cannot start another process of this program", error.errno)
        }
        input = toChild.write
        output = fromChild.read
    }

    deinit {
        if !isReaped { _ = end(within: 0) }
        close(input)
        close(output)
    }

    private static func environment(with settings: [String: String]) -> [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return variables + ["\(variable)=\(getpid())"] + settings.map { "\($0.key)=\($0.value)" }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(input, bytes, bytes.count)
    }

    /// Takes what has come.
    /// - Returns: false at the end.
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(output, &buffer, buffer.count)
        if count > 0 { unread += buffer[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }

    /// The next whole line that was read.
    func takeLine() -> String? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    /// Everything that was read and not taken.
    func takeRest() -> String {
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Waits until there is something to read.
    func waitToRead(milliseconds: CInt) -> Bool {
        var item = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, milliseconds) > 0
    }

    /// Asks it to end, waits for that, and insists when it takes too long.
    /// - Returns: the exit code, or 128 and the signal that ended it.
    func end(within milliseconds: Int) -> CInt {
        if isReaped { return 0 }
        _ = kill(process, milliseconds > 0 ? SIGTERM : SIGKILL)
        let deadline = SystemClock.monotonic() + Int64(milliseconds)
        var status: CInt = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if SystemClock.monotonic() > deadline { _ = kill(process, SIGKILL) }
            usleep(2000)
        }
        isReaped = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private static func failure(_ what: String, _ error: CInt) -> CommandFailure {
        .refused("\(what): \(String(cString: strerror(error))) (errno \(error))")
    }
}
