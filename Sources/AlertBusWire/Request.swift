import AlertBusModel

/// One message that a peer sends to the arbiter.
public struct Request: Equatable, Sendable {
    /// What the reply repeats: a JSON string or integer as it was written. Empty when there is none.
    public var ref: [UInt8]
    /// A token of the client's own that makes sending again safe.
    public var once: String?
    /// The name that the producer claims; "" claims none.
    public var producer: String?
    public var body: Body

    public init(_ body: Body, ref: [UInt8] = [], once: String? = nil, producer: String? = nil) {
        self.body = body
        self.ref = ref
        self.once = once
        self.producer = producer
    }

    public enum Body: Equatable, Sendable {
        case command(Command)
        /// The alerts of a scope, or with `subscribers` who listens there.
        case list(SurfaceScope, subscribers: Bool)
        /// What the arbiter counts; on the wire `list` with `counters`.
        case counters
        case sync(SurfaceScope)
        case subscribe(SurfaceScope)
        case unsubscribe(SurfaceScope)
        /// A screen has drawn everything up to here. There is no reply.
        case drawn(surface: String, epoch: UInt64, seq: UInt64)
        case why(surface: String, Target)
        case ping
        case provide(name: String)
        case unprovide(name: String)
        case loaded(load: UInt64, rows: [Row])
        /// On the wire `loaded` with `error` instead of `rows`.
        case loadFailed(load: UInt64, message: String)
    }
}

/// A request in the memory of the one before it, as `RequestDecoder.decode(_:into:)` leaves it.
///
/// A raise, the most frequent by far, lies beside the body: Swift copies what an enumeration holds whenever somebody looks
/// inside, and an alert is large.
public struct DecodedRequest: Sendable {
    public var ref: [UInt8] = []
    public var once: String?
    public var producer: String?
    /// What is asked, unless it is a raise.
    public var body = Request.Body.ping
    public var isRaise = false
    /// Means something only when `isRaise`.
    public var raise = Raise(surface: "", key: "")

    public init() {}

    /// A copy as one value.
    public var request: Request {
        Request(isRaise ? .command(.raise(raise)) : body, ref: ref, once: once, producer: producer)
    }
}

/// The words in `op` of a message to the arbiter.
package enum RequestOp: String, CaseIterable {
    case raise, update, withdraw, dismiss, answer, clear, hold, release, status, refresh
    case list, sync, subscribe, unsubscribe, drawn, why, ping, provide, unprovide, loaded
}
