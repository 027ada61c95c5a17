import Glibc

/// A plain HTTP client on a socket, so that the tests can send what no well-behaved client sends, and read slowly.
final class HTTPClient {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let socket: Int32
    private(set) var received: [UInt8] = []
    private(set) var isAtEnd = false

    init(port: UInt16, receiveBuffer: Int32? = nil) throws(Failure) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, 16) }
        }
        if result != 0 { throw Failure(description: "cannot connect to port \(port): error \(errno)") }
    }

    deinit { close(socket) }

    var text: String { String(decoding: received, as: UTF8.self) }

    /// Begins anew with what is read next.
    func forget() { received = [] }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads until the text is there, the connection ends, or the time is over.
    @discardableResult
    func read(until wanted: String, seconds: Int = 20) throws(Failure) -> String {
        let deadline = Self.now() + seconds * 1000
        var searched = 0
        while !contains(wanted, from: searched) {
            searched = max(0, received.count - wanted.utf8.count)
            if isAtEnd { throw Failure(description: "\"\(wanted)\" did not come; got \(text.suffix(400))") }
            try readOnce(deadline: deadline, for: wanted)
        }
        return text
    }

    private func contains(_ wanted: String, from start: Int) -> Bool {
        received.withUnsafeBytes { bytes in
            var wanted = wanted
            return wanted.withUTF8 { wanted in
                guard let base = bytes.baseAddress, let pattern = wanted.baseAddress, let first = wanted.first else {
                    return wanted.isEmpty
                }
                var at = start
                while at + wanted.count <= bytes.count {
                    guard let found = memchr(base + at, Int32(first), bytes.count - wanted.count - at + 1) else { return false }
                    if memcmp(found, pattern, wanted.count) == 0 { return true }
                    at = base.distance(to: UnsafeRawPointer(found)) + 1
                }
                return false
            }
        }
    }

    @discardableResult
    func readToEnd(seconds: Int = 10) throws(Failure) -> String {
        let deadline = Self.now() + seconds * 1000
        while !isAtEnd { try readOnce(deadline: deadline, for: "the end") }
        return text
    }

    private func readOnce(deadline: Int, for wanted: String) throws(Failure) {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let left = deadline - Self.now()
        if left <= 0 || poll(&descriptor, 1, Int32(left)) == 0 {
            throw Failure(description: "\(wanted) did not come in time; got \(text.suffix(400))")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { isAtEnd = true } else { received += buffer[..<count] }
    }

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// One request on a connection of its own.
    static func request(
        _ method: String, _ path: String, port: UInt16, headers: [String: String] = [:], body: String? = nil
    ) throws(Failure) -> String {
        let client = try HTTPClient(port: port)
        var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        all.merge(headers) { $1 }
        if let body { all["Content-Length"] = all["Content-Length"] ?? String(body.utf8.count) }
        client.send("\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + (body ?? ""))
        return try client.readToEnd()
    }
}

/// Asks again until something is so, for at most ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = HTTPClient.now() + 10_000
    while HTTPClient.now() < deadline {
        if condition() { return true }
        usleep(2_000)
    }
    return condition()
}

/// How many entries a folder has.
func countEntries(_ path: String) -> Int {
    guard let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
