import Glibc
import Testing
import ZeroMQ

/// A TCP client that speaks ZMTP byte by byte, for what libzmq's own sockets do not do.
final class RawClient {
    private let descriptor: CInt

    init(_ endpoint: Endpoint) throws {
        guard case .tcp(_, let port) = endpoint else { preconditionFailure("tcp only") }
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { Glibc.close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// The greeting, a READY with this identity, and one message of one byte.
    func greetAndClaim(_ identity: String) throws {
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0] + Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        var ready: [UInt8] = [5] + Array("READY".utf8)
        for (name, value) in [("Socket-Type", "DEALER"), ("Identity", identity)] {
            ready += [UInt8(name.utf8.count)] + Array(name.utf8)
            ready += [0, 0, 0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        try write(greeting + [4, UInt8(ready.count)] + ready)
        // Until the other side has said READY too, it takes a message for a wrong command.
        let header = try read(64 + 2)
        _ = try read(Int(header[65]))
        try write([0, 1, 0x78])
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&item, 1, CInt(patience)) == 1, "the server is silent")
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = Glibc.read(descriptor, &part, part.count)
            try #require(got > 0, "the server hung up")
            bytes += part[..<got]
        }
        return bytes
    }
}
