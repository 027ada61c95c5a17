/// What the kiosk needs from the bus. A client of the bus conforms to it in a few lines.
///
/// Both functions are called on the HTTP server's only thread and must return at once.
public protocol KioskBus: Sendable {
    /// Sends what a person did. `completion` is called with what the arbiter said, once, from any thread; the page waits
    /// at most `KioskOptions.actTimeout` for it.
    func act(_ action: KioskAction, completion: @escaping @Sendable (KioskVerdict) -> Void)
    /// A page has drawn everything of this surface up to and with `seq`. Several pages say so independently.
    func drawn(surface: String, epoch: UInt64, seq: UInt64)
}

/// What a person did on a page.
public struct KioskAction: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case dismiss
        /// The answer is a JSON object without line breaks, such as `{"action":"open","selected":{"regions":[1,2]}}`.
        case answer(json: [UInt8])
    }

    public var surface: String
    public var instance: UInt64
    /// The revision that the person saw.
    public var revision: UInt64
    public var kind: Kind

    public init(surface: String, instance: UInt64, revision: UInt64, kind: Kind) {
        self.surface = surface
        self.instance = instance
        self.revision = revision
        self.kind = kind
    }
}

/// What became of an action.
public enum KioskVerdict: Equatable, Sendable {
    case accepted
    /// `reason` is a word of the protocol's closed list, such as `already_ended`; `message` is a sentence for the log.
    case refused(reason: String, message: String)
    /// The arbiter did not answer.
    case unreachable(message: String)
}
