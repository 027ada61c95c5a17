import AlertBusModel
import Dispatch
import ZeroMQ

/// Where programs look for the arbiter when they are told nothing else.
public enum DefaultEndpoint {
    public static let requests = "tcp://127.0.0.1:5570"
    public static let feed = "tcp://127.0.0.1:5571"
}

/// How a client behaves. Every default is meant to be right for a program on the arbiter's machine.
public struct ClientOptions: Sendable {
    /// How long a command waits for its reply before it fails with `noArbiter`; nil waits for ever, and the command
    /// is then sent again until an arbiter answers.
    public var timeout: Duration? = .seconds(5)
    /// Nil connects without encryption.
    public var security: Security?
    /// Commands that may wait for their reply. At the limit a command fails with `outboxFull`.
    public var outboxCount = 10_000
    /// Bytes of commands that may wait for their reply. At the limit a command fails with `outboxFull`.
    public var outboxBytes = 64 << 20
    /// A command that is refused `over_limit` with a time to wait is sent again after that time.
    public var retriesOverLimit = false
    /// Where closures are called, one after the other; must be serial. Nil makes a queue for this client.
    public var callbackQueue: DispatchQueue?
    /// A screen confirms what it has drawn when its closure returns or its loop asks for the next event. Off, the
    /// program calls `drawn` itself.
    public var confirmsDrawn = true
    /// The base wait before connecting again; it doubles up to `longestReconnect`, with jitter.
    public var reconnect: Duration = .milliseconds(500)
    public var longestReconnect: Duration = .seconds(5)

    public init() {}

    package var queue: DispatchQueue { callbackQueue ?? DispatchQueue(label: "alertbus.callbacks") }
}

extension Duration {
    package var milliseconds: Milliseconds {
        let (seconds, attoseconds) = components
        // A year is more than anybody waits; the bound keeps the product from overflowing.
        return min(seconds, 31_536_000) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
