/// Where a socket listens or connects.
public enum Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// `tcp://host:port`. The host is a name, an address, an interface, or `*` for all; IPv6 without its brackets.
    /// The port 0 (or `*`) lets the system choose one at a bind.
    case tcp(host: String, port: UInt16)
    /// `ipc://path`: a Unix domain socket. A path that begins with `@` lies in Linux' abstract namespace, without a file.
    case ipc(path: String)
    /// `inproc://name`: between threads of one context.
    case inproc(name: String)

    /// The bytes that a Unix socket address has room for, its end mark left out.
    public static let longestIPCPath = 107

    /// - Throws: `EndpointFault`, a sentence with the text and what is wrong with it.
    public init(_ text: String) throws(EndpointFault) {
        guard let mark = text.firstRange(of: "://") else { throw .noTransport(text) }
        let rest = String(text[mark.upperBound...])
        switch text[..<mark.lowerBound] {
        case "tcp": self = try Self.parseTCP(rest, text)
        case "ipc": self = .ipc(path: rest)
        case "inproc": self = .inproc(name: rest)
        case let transport: throw .unknownTransport(text, transport: String(transport))
        }
        try validate()
    }

    /// What libzmq would refuse, or worse accept: said here, with words.
    public func validate() throws(EndpointFault) {
        switch self {
        case .tcp(let host, _):
            if host.isEmpty { throw .noHost(description) }
            // A semicolon would begin a source address, which is not supported here.
            if host.utf8.contains(where: {
                $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "/")
            }) {
                throw .badHost(description)
            }
        case .ipc(let path):
            if path.isEmpty { throw .emptyName(description) }
            if path.utf8.contains(0) { throw .badHost(description) }
            if path.utf8.count > Self.longestIPCPath { throw .ipcPathTooLong(path, bytes: path.utf8.count) }
        case .inproc(let name):
            if name.isEmpty { throw .emptyName(description) }
        }
    }

    /// Only processes of this machine can reach it. A name other than `localhost` is not resolved, and counts as reachable.
    public var isLoopback: Bool {
        switch self {
        case .ipc, .inproc: true
        case .tcp(let host, _): host == "localhost" || host == "::1" || Self.isIPv4Loopback(host)
        }
    }

    public var description: String {
        switch self {
        case .tcp(let host, let port): "tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .ipc(let path): "ipc://\(path)"
        case .inproc(let name): "inproc://\(name)"
        }
    }

    /// libzmq binds to no host names, though people write `localhost`.
    var bindText: String {
        if case .tcp("localhost", let port) = self { "tcp://127.0.0.1:\(port)" } else { description }
    }

    private static func parseTCP(_ rest: String, _ text: String) throws(EndpointFault) -> Endpoint {
        guard let colon = rest.lastIndex(of: ":") else { throw .noPort(text) }
        var host = rest[..<colon]
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw .noBrackets(text)
        }
        let digits = rest[rest.index(after: colon)...]
        if digits == "*" { return .tcp(host: String(host), port: 0) }
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(digits) else {
            throw .badPort(text)
        }
        return .tcp(host: String(host), port: port)
    }

    private static func isIPv4Loopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
