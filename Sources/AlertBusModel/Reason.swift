/// Why something happened. The list is closed: a new reason is added here, in the protocol page and in the design first.
///
/// The raw value is the word on the wire.
public enum Reason: String, CaseIterable, Equatable, Hashable, Sendable {
    /// Shown at once on arrival.
    case raised
    /// Its content changed while it stayed where it was.
    case updated
    /// It waited, and won an election.
    case dequeued
    /// It was covered, and won an election.
    case resumed
    /// Another alert took its place on screen; it may come back.
    case covered
    /// Another alert took its place, and it had said that it does not wait.
    case displaced
    /// A person or an operator ended it.
    case dismissed
    /// A person ended it with a value.
    case answered
    /// Its producer took it back.
    case withdrawn
    /// Something newer of the same kind took its place: a load that was started again.
    case superseded
    /// Its lifetime passed.
    case expired
    /// Its time on screen was used up.
    case timedOut = "timed_out"
    /// An operator cleared the surface.
    case cleared
    /// The surface's limit of dismissals in a row was reached.
    case batchLimit = "batch_limit"
    /// It was the lowest one waiting when the surface was full.
    case evicted
    /// The surface was busy and the alert had said that it does not wait.
    case intercepted
    /// The key is in use with other content.
    case duplicate
    /// The command names an older revision than the current one.
    case stale
    /// The alert has ended before.
    case alreadyEnded = "already_ended"
    /// No such alert.
    case unknownAlert = "unknown_alert"
    /// A source of its data failed or was late.
    case loadFailed = "load_failed"
    /// The connection of its producer died.
    case ownerLost = "owner_lost"
    /// A limit was reached.
    case overLimit = "over_limit"
    /// The sender has no permission for it.
    case notAllowed = "not_allowed"
    /// The message does not follow the protocol.
    case malformed
    /// The message asks for something that this version does not know.
    case unsupported
    /// The surface is held: do not disturb.
    case held
    /// The surface is no longer held.
    case released
    /// This arbiter does not lead.
    case notLeader = "not_leader"

    /// One sentence for people, without the alert's name.
    public var explanation: String {
        switch self {
        case .raised: "shown at once on arrival"
        case .updated: "its content changed in place"
        case .dequeued: "it waited and won the election"
        case .resumed: "it was covered and won the election"
        case .covered: "another alert took its place and it may come back"
        case .displaced: "another alert took its place and it does not wait"
        case .dismissed: "dismissed"
        case .answered: "answered"
        case .withdrawn: "withdrawn by its producer"
        case .superseded: "something newer took its place"
        case .expired: "its lifetime passed"
        case .timedOut: "its time on screen was used up"
        case .cleared: "the surface was cleared"
        case .batchLimit: "the limit of dismissals in a row was reached"
        case .evicted: "the surface was full and it was the lowest one waiting"
        case .intercepted: "the surface is busy and the alert does not wait"
        case .duplicate: "the key is in use with other content"
        case .stale: "a newer revision exists"
        case .alreadyEnded: "the alert has ended before"
        case .unknownAlert: "no such alert"
        case .loadFailed: "a source of its data failed or was late"
        case .ownerLost: "the connection of its producer died"
        case .overLimit: "a limit was reached"
        case .notAllowed: "the sender has no permission for it"
        case .malformed: "the message does not follow the protocol"
        case .unsupported: "not known to this version"
        case .held: "the surface is held"
        case .released: "the surface is no longer held"
        case .notLeader: "this arbiter does not lead"
        }
    }
}
