import Glibc

/// Where the page is served: an IPv4 or IPv6 address and a port. Port 0 lets the system choose.
public struct KioskAddress: Equatable, Sendable, CustomStringConvertible {
    public var host: String
    public var port: UInt16

    /// Loopback, as long as nobody says otherwise.
    public static let standard = KioskAddress(host: "127.0.0.1", port: 8080)

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
    public init(_ text: String) throws(KioskError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .badAddress(text)
        }
        var host = text[..<colon]
        if host.first == "[" && host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .badAddress(text)
        }
        if host.isEmpty { throw .badAddress(text) }
        self.init(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Calls `body` with the socket address; throws `badAddress` when the host is not a numeric address.
    func withSocketAddress<T>(_ body: (UnsafePointer<sockaddr>, _ isIPv6: Bool) -> T) throws(KioskError) -> T {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found, let address = found.pointee.ai_addr else {
            throw .badAddress(description)
        }
        defer { freeaddrinfo(found) }
        return body(UnsafePointer(address), found.pointee.ai_family == AF_INET6)
    }
}
