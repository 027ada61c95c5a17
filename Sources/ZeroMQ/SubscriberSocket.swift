import CZeroMQ

/// Receives the messages whose first frame begins with a subscribed topic.
public final class SubscriberSocket: ReceivingSocket {
    /// The send high-water mark starts without limit: subscriptions travel as messages, and the publisher would never
    /// see those past the mark. No peer can make that queue grow, only this socket's own subscriptions.
    public init(_ context: Context) throws(ZMQError) {
        try super.init(context, type: ZMQ_SUB, name: "SUB")
        try setSendHighWaterMark(0)
    }

    /// An empty topic means every message. What is published before the subscription has arrived is not received.
    public func subscribe(_ topic: String) throws(ZMQError) {
        try set(ZMQ_SUBSCRIBE, bytes: Array(topic.utf8), "ZMQ_SUBSCRIBE \(topic)")
    }

    public func unsubscribe(_ topic: String) throws(ZMQError) {
        try set(ZMQ_UNSUBSCRIBE, bytes: Array(topic.utf8), "ZMQ_UNSUBSCRIBE \(topic)")
    }
}
