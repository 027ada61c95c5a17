import CZeroMQ

/// A socket that sends to whoever subscribed: PUB and XPUB. What a slow subscriber cannot take is lost for it.
public class PublishingSocket: TransportSocket {
    /// Sends a message of two frames to all whose subscription begins the topic. On `true` the body is empty.
    ///
    /// - Returns: false only with `setNoDrop` on XPUB, when a subscriber is full; then nobody got the message.
    public final func publish(topic: UnsafeRawBufferPointer, _ body: inout Message) throws(ZMQError) -> Bool {
        guard try sendFrame(topic, flags: ZMQ_DONTWAIT | ZMQ_SNDMORE) else { return false }
        return try sendFrame(&body, flags: ZMQ_DONTWAIT)
    }

    public final func publish(topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) throws(ZMQError) -> Bool {
        guard try sendFrame(topic, flags: ZMQ_DONTWAIT | ZMQ_SNDMORE) else { return false }
        return try sendFrame(body, flags: ZMQ_DONTWAIT)
    }

    public final func publish(topic: [UInt8], _ body: [UInt8]) throws(ZMQError) -> Bool {
        try topic.span.bytes.withUnsafeBytes { topic throws(ZMQError) in
            try body.span.bytes.withUnsafeBytes { body throws(ZMQError) in try publish(topic: topic, body) }
        }
    }
}

/// Publishes, and does not hear of subscriptions.
public final class PublisherSocket: PublishingSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_PUB, name: "PUB") }
}

/// Publishes, and receives the subscriptions. There is no setter for `ZMQ_XPUB_MANUAL`: libzmq 4.3.4 mishandles a
/// subscription there whose connection has just ended.
public final class XPublisherSocket: PublishingSocket {
    public init(_ context: Context) throws(ZMQError) { try super.init(context, type: ZMQ_XPUB, name: "XPUB") }

    /// Tells every subscription and unsubscription, not just the first and the last one of a topic.
    public func setVerbose(_ on: Bool) throws(ZMQError) {
        // VERBOSE alone passes every subscription; VERBOSER every unsubscription too.
        try set(ZMQ_XPUB_VERBOSER, on, "ZMQ_XPUB_VERBOSER")
    }

    /// `publish` returns false when a subscriber is full, instead of losing the message for that one alone.
    public func setNoDrop(_ on: Bool) throws(ZMQError) { try set(ZMQ_XPUB_NODROP, on, "ZMQ_XPUB_NODROP") }

    /// Takes one subscription if one is there; nil when nothing waits.
    public func tryReceiveSubscription() throws(ZMQError) -> SubscriptionChange? {
        var message = Message()
        return try tryReceiveSubscription(into: &message)
    }

    /// The same, into a message that then tells whose it is: `userID`, `descriptor`. Those of a connection that has
    /// ended tell nothing.
    public func tryReceiveSubscription(into message: inout Message) throws(ZMQError) -> SubscriptionChange? {
        guard try receiveIfPresent(into: &message) else { return nil }
        return message.withUnsafeBytes { bytes in
            switch bytes.first {
            case 1: .subscribed(topic: Array(bytes.dropFirst()))
            case 0: .unsubscribed(topic: Array(bytes.dropFirst()))
            default: .message(Array(bytes))
            }
        }
    }
}

/// What an XPUB hears from its subscribers.
public enum SubscriptionChange: Equatable, Sendable {
    case subscribed(topic: [UInt8])
    case unsubscribed(topic: [UInt8])
    /// A frame that a peer sent upstream and that is no subscription.
    case message([UInt8])
}
