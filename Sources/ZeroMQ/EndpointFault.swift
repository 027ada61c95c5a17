/// What is wrong with an endpoint, before libzmq sees it.
public enum EndpointFault: Error, Equatable, Sendable, CustomStringConvertible {
    case noTransport(String)
    case unknownTransport(String, transport: String)
    case noHost(String)
    case badHost(String)
    case noPort(String)
    case badPort(String)
    case noBrackets(String)
    case emptyName(String)
    case ipcPathTooLong(String, bytes: Int)
    /// Another process answers at this ipc path.
    case inUse(path: String)
    /// There is a file, and binding would delete it.
    case notASocket(path: String)
    case system(ZMQError)

    public var description: String {
        switch self {
        case .noTransport(let text): "endpoint \"\(text)\": begin with tcp://, ipc:// or inproc://"
        case .unknownTransport(let text, let transport):
            "endpoint \"\(text)\": the transport \"\(transport)\" is not supported; use tcp, ipc or inproc"
        case .noHost(let text): "endpoint \"\(text)\": the host is missing; write an address, or * for all"
        case .badHost(let text): "endpoint \"\(text)\": a character is not allowed there"
        case .noPort(let text): "endpoint \"\(text)\": the port is missing; write tcp://host:port"
        case .badPort(let text): "endpoint \"\(text)\": the port must be 0 to 65535, or * to let the system choose"
        case .noBrackets(let text): "endpoint \"\(text)\": write an IPv6 address in brackets, tcp://[::1]:port"
        case .emptyName(let text): "endpoint \"\(text)\": the name is missing"
        case .ipcPathTooLong(let path, let bytes):
            "ipc path \"\(path)\" has \(bytes) bytes; the system allows \(Endpoint.longestIPCPath): choose a shorter directory"
        case .inUse(let path): "ipc path \"\(path)\": another process listens there; stop it or choose another path"
        case .notASocket(let path):
            "ipc path \"\(path)\": there is a file that is not a socket, and binding would delete it; choose another path"
        case .system(let error): error.description
        }
    }
}
