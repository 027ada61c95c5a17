/// Where a socket listens: `tcp://HOST:PORT` or `ipc://PATH`.
public struct ListenAddress: Equatable, Hashable, Sendable, CustomStringConvertible {
    public enum Transport: Equatable, Hashable, Sendable {
        /// Port 0 stands for `*`: the system chooses one.
        case tcp(host: String, port: UInt16)
        case ipc(path: String)
    }

    /// The longest path of a Unix socket, in bytes.
    public static let pathLimit = 107

    /// As libzmq takes it.
    public let text: String
    public let transport: Transport

    /// - Throws: `ListenAddressFault` with a reason for people.
    public init(_ text: String) throws(ListenAddressFault) {
        self.text = text
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw ListenAddressFault("it has a space or control character")
        }
        if text.hasPrefix("tcp://") {
            transport = try Self.tcp(text.dropFirst(6))
        } else if text.hasPrefix("ipc://") {
            let path = text.dropFirst(6)
            if path.isEmpty { throw ListenAddressFault("the path is missing") }
            if path.utf8.count > Self.pathLimit {
                throw ListenAddressFault("the path has \(path.utf8.count) bytes; the limit is \(Self.pathLimit)")
            }
            transport = .ipc(path: String(path))
        } else {
            throw ListenAddressFault("it starts with neither tcp:// nor ipc://")
        }
    }

    public var description: String { text }

    /// Whether only programs on this machine can reach it. A name other than `localhost` is not resolved, and counts as not.
    public var isLocal: Bool {
        guard case .tcp(let host, _) = transport else { return true }
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func tcp(_ rest: Substring) throws(ListenAddressFault) -> Transport {
        guard let colon = rest.lastIndex(of: ":") else { throw ListenAddressFault("the port is missing") }
        let host = rest[..<colon]
        let port = rest[rest.index(after: colon)...]
        if host.isEmpty { throw ListenAddressFault("the host is missing") }
        // libzmq would take what follows a semicolon for another address.
        if host.contains(";") { throw ListenAddressFault("the host has a semicolon") }
        if host.contains("/") || port.contains("/") { throw ListenAddressFault("a TCP endpoint has no path") }
        if host.contains(":") && !(host.hasPrefix("[") && host.hasSuffix("]")) {
            throw ListenAddressFault("an IPv6 address needs square brackets")
        }
        if port == "*" { return .tcp(host: String(host), port: 0) }
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt16(port), number > 0 else {
            throw ListenAddressFault("the port is not * or from 1 to 65535")
        }
        return .tcp(host: String(host), port: number)
    }
}

/// Why a text is no endpoint. The description completes the sentence "this is wrong because …".
public struct ListenAddressFault: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
