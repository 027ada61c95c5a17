import AlertBusModel
import AlertBusWire

/// A client without sockets and clocks: what happened goes in, what must be done comes out.
///
/// The same machine runs on a thread with a socket and in a simulation with a virtual clock. Nothing in it waits,
/// reads a clock or draws a random number.
package protocol ClientMachine: Sendable {
    /// What the program asks for.
    associatedtype Order: Sendable
    /// What the program is told.
    associatedtype Notice: Sendable

    /// When `timePassed` is due; `.max` when nothing waits for the time.
    var nextDeadline: Milliseconds { get }

    /// The handshake with the arbiter is done; nothing that was sent before counts.
    mutating func connected(at now: Milliseconds)
    mutating func disconnected(at now: Milliseconds)
    /// The arbiter or its machine turns this client away.
    mutating func turnedAway(_ error: ClientError, at now: Milliseconds)
    mutating func received(_ message: ServerMessage, at now: Milliseconds)
    mutating func receivedFromFeed(_ message: ServerMessage, at now: Milliseconds)
    mutating func feedConnected(at now: Milliseconds)
    mutating func timePassed(to now: Milliseconds)
    mutating func ordered(_ order: Order, at now: Milliseconds)

    /// What must be done because of the inputs since the last call, in order.
    mutating func takeActions() -> [ClientAction<Notice>]
}

package enum ClientAction<Notice: Sendable>: Sendable {
    case send(Request)
    /// The connection leads nowhere: close it and open another one.
    case reopen
    case notify(Notice)
}

extension ClientMachine {
    package mutating func receivedFromFeed(_ message: ServerMessage, at now: Milliseconds) {}
    package mutating func feedConnected(at now: Milliseconds) {}
}
