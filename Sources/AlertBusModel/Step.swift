/// One input of the state machine. Everything that can change its state is one of these, with the time beside it.
public enum Input: Equatable, Sendable {
    /// A peer asked for something.
    case command(Command, from: Requester)
    /// Nothing but the passing of time.
    case tick
    /// A new generation of the arbiter begins: after a start or a takeover. Streams begin again at 0.
    case started(epoch: UInt64)
    /// The rules or the limits changed. What is shown stays.
    case configured(PolicySet, Limits)
    /// The connection of a producer died.
    case ownerLost(session: UInt64)
    /// A provider brought rows for a load.
    case loaded(load: UInt64, rows: [Row])
    /// A provider failed, or none is there. The message says why.
    case loadFailed(load: UInt64, message: String)
}

/// What must happen because of an input, in this order: journal the input, publish, then send receipts and the reply.
public enum Effect: Equatable, Sendable {
    /// Goes to the subscribers of its surface, in order.
    case publish(StreamMessage)
    /// Goes to the sessions that wait for this alert's outcome. An empty list means that nobody hears it any more.
    case receipt(Receipt, to: [UInt64])
    /// Goes to the sender of the command.
    case reply(Reply)
    /// Ask a provider of this name for rows; give up at the deadline.
    case load(Load)
    /// Nobody waits for this load any more.
    case unload(UInt64)
}

/// A request to a provider.
public struct Load: Equatable, Sendable {
    public var load: UInt64
    public var name: String
    /// Any JSON value; empty when there is none.
    public var request: [UInt8]
    public var deadline: Milliseconds

    public init(load: UInt64, name: String, request: [UInt8], deadline: Milliseconds) {
        self.load = load
        self.name = name
        self.request = request
        self.deadline = deadline
    }
}
