import Glibc
import Testing

/// A TCP connection that speaks ZMTP byte by byte, or does not.
final class RawConnection {
    let descriptor: CInt

    /// - Parameter endpoint: `tcp://127.0.0.1:PORT`
    init(_ endpoint: String) throws {
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0, "errno \(errno)")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "errno \(errno)")
        // The other side may not read; a test must not hang on that.
        var time = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    /// - Returns: false when the other side has hung up or does not read.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Whether the other side has hung up.
    var isClosed: Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&item, 1, 0) == 1 else { return false }
        if item.revents & Int16(POLLHUP | POLLERR) != 0 { return true }
        var buffer = [UInt8](repeating: 0, count: 4096)
        return recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) == 0
    }

    static func greeting(_ mechanism: String = "NULL", minor: UInt8 = 0) -> [UInt8] {
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, minor] + Array(mechanism.utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        return greeting
    }

    static func ready(_ type: String, identity: String = "") -> [UInt8] {
        var ready: [UInt8] = [5] + Array("READY".utf8)
        for (name, value) in [("Socket-Type", type), ("Identity", identity)] {
            ready += [UInt8(name.utf8.count)] + Array(name.utf8)
            ready += [0, 0, 0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        return [4, UInt8(ready.count)] + ready
    }

    /// Greets, says READY and waits for the other side's.
    func shakeHands(as type: String, identity: String = "") throws {
        write(Self.greeting() + Self.ready(type, identity: identity))
        let header = try read(64 + 2)
        _ = try read(Int(header[65]))
    }

    func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&item, 1, CInt(patience)) == 1, "the server is silent")
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = Glibc.read(descriptor, &part, part.count)
            try #require(got > 0, "the server hung up")
            bytes += part[..<got]
        }
        return bytes
    }

    /// A long frame. `more`: others follow.
    static func frame(_ body: [UInt8], more: Bool = false) -> [UInt8] {
        var size = UInt64(body.count).bigEndian
        let length = withUnsafeBytes(of: &size) { Array($0) }
        return [2 | (more ? 1 : 0)] + length + body
    }
}
