import ZeroMQ

/// Why the service cannot start or go on: what happened, where, and what to do.
public enum ServiceError: Error, Sendable, CustomStringConvertible {
    case bind(role: String, endpoint: String, String)
    case sockets(ZMQError)
    /// The journal holds something that this version cannot replay.
    case recovery(position: UInt64, String)

    public var description: String {
        switch self {
        case .bind(let role, let endpoint, let cause):
            "Cannot listen for \(role) on \(endpoint): \(cause). Is another arbiter running there? Choose another address with --\(role)."
        case .sockets(let error): "A socket failed: \(error)"
        case .recovery(let position, let cause):
            "The journal cannot be replayed at position \(position): \(cause). Keep a copy of it and look at it with `alertbus replay`."
        }
    }
}
