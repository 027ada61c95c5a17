import AlertBusModel
import ZeroMQ

/// Why something that a program asked of the bus did not happen: what, where, and what to do.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is no endpoint.
    case endpoint(EndpointFault)
    /// A surface, key, source or producer name that the bus does not allow.
    case name(String, NameFault)
    /// Nobody answered in time. The command may have been carried out.
    case noArbiter(endpoint: String, after: Milliseconds)
    /// The arbiter does not let this client in: its key is not listed, or the server key does not fit.
    case notAuthorised(endpoint: String, String)
    /// The client's own keys cannot be used: the file, or the arbiter's key.
    case keys(String)
    /// The arbiter said no. Nothing changed.
    case refused(Refusal)
    /// So many commands wait for their reply that no more can be kept.
    case outboxFull(count: Int, bytes: Int)
    /// The alert ended without the answer that was asked for.
    case ended(Outcome)
    /// The arbiter answered with something else than was asked for.
    case unexpectedReply(String)
    /// The client was closed while the command waited.
    case closed
    /// The task that waited was cancelled. The alert stays.
    case cancelled
    case socket(ZMQError)

    public var description: String {
        switch self {
        case .endpoint(let fault): "\(fault)"
        case .name(let name, let fault): "The name \"\(name)\" \(fault)."
        case .noArbiter(let endpoint, let after):
            "No arbiter answered on \(endpoint) within \(after) ms. Start one (`alertbus arbiter`), or name its address; the command may have been carried out, and sending it again is safe."
        case .notAuthorised(let endpoint, let detail):
            "The arbiter on \(endpoint) does not let this client in: \(detail). Check the client's key, the arbiter's list of permissions, and the server key."
        case .keys(let detail): "The keys cannot be used: \(detail)."
        case .refused(let refusal): "Refused, \(refusal.reason.rawValue): \(refusal.message)"
        case .outboxFull(let count, let bytes):
            "\(count) commands with \(bytes) bytes wait for their reply, the limit of the outbox. Wait for some of them, or raise the limit (outboxCount, outboxBytes)."
        case .ended(let outcome):
            "The alert ended without an answer: \(outcome.reason.explanation)\(outcome.detail.isEmpty ? "" : " (\(outcome.detail))")."
        case .unexpectedReply(let what): "The arbiter answered with \(what), which this version does not expect there."
        case .closed: "The client was closed."
        case .cancelled: "The task was cancelled while it waited; the alert stays. Withdraw it if it is not wanted any more."
        case .socket(let error): "A socket failed: \(error)"
        }
    }
}

extension ClientError {
    /// The arbiter's reason when it refused, or that of the end; nil for faults on the way.
    public var reason: Reason? {
        switch self {
        case .refused(let refusal): refusal.reason
        case .ended(let outcome): outcome.reason
        default: nil
        }
    }
}
