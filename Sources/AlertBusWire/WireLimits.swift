import AlertBusModel

/// The limits on everything that a message may carry, all in one place.
///
/// A message that passes one is refused: `over_limit` for counts, `malformed` for its form: size, depth,
/// numbers and names.
public struct WireLimits: Equatable, Sendable {
    /// Bytes of one message. 64 to 1,073,741,824.
    public var messageBytes = 1 << 20

    public init(messageBytes: Int = 1 << 20) {
        precondition(
            messageBytes >= 64 && messageBytes <= 1 << 30, "a message limit lies between 64 bytes and 1 GiB")
        self.messageBytes = messageBytes
    }

    /// Objects and arrays inside each other, the message itself included.
    public static let depth = 64
    /// Bytes of one number as it is written.
    public static let numberBytes = 128
    /// Bytes of a `ref` as it is written, quotes included.
    public static let refBytes = 128
    /// Bytes of a key, a surface, a producer, a source, a provider's name or a `once` token.
    public static let nameBytes = Name.limit
    /// Bytes of a `presentation`.
    public static let presentationBytes = 64
    /// Bytes of an id as it is written, quotes included.
    public static let idBytes = 255
    /// Bytes of a provider's error message.
    public static let errorBytes = 1024
    /// Sources that one alert may name. The arbiter's own limit may be lower.
    public static let sources = 64
    /// Entries of `rows`, and of each list of ids. The arbiter's own limit may be lower.
    public static let elements = 100_000
    /// One year: the longest `ttl_ms`, `display_ms` and `min_show_ms`.
    public static let longestClock: Milliseconds = 31_536_000_000
    /// One hour: the longest `timeout_ms` of a source, and the longest `load_timeout_ms`.
    public static let longestTimeout: Milliseconds = 3_600_000
}
