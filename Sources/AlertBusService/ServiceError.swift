import AlertBusJournal
import ZeroMQ

/// Why the service cannot start or go on: what happened, where, and what to do.
public enum ServiceError: Error, Sendable, CustomStringConvertible {
    case bind(role: String, endpoint: String, String)
    case sockets(ZMQError)
    case journal(JournalError)
    /// Keys, permissions, or the check that they are in force.
    case security(String)
    /// Another arbiter has taken the lead in the journal.
    case deposed(JournalHead)
    /// The journal holds something that this version cannot replay.
    case recovery(position: UInt64, String)

    public var description: String {
        switch self {
        case .bind(let role, let endpoint, let cause):
            "Cannot listen for \(role) on \(endpoint): \(cause). Is another arbiter running there? Choose another address with --\(role)."
        case .sockets(let error): "A socket failed: \(error)"
        case .security(let cause): cause
        case .journal(let error): "\(error)"
        case .deposed(let head):
            "Another arbiter has taken the lead in the journal (\(head)). This one ends so that only one is heard; start it again to wait for its turn."
        case .recovery(let position, let cause):
            "The journal cannot be replayed at position \(position): \(cause). Keep a copy of it and look at it with `alertbus replay`."
        }
    }
}
