import AlertBusModel

/// Why a message was not understood: what is wrong, where, and what was expected.
public struct WireFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// `malformed`, `unsupported` or `over_limit`.
    public var reason: Reason
    /// A path into the message such as `sources/0/timeout_ms`, or `byte 17` when the text is not JSON; "" for the whole.
    public var place: String
    /// What was expected and what came instead.
    public var detail: String
    /// The `ref` of the message as it is written, when it could be read; otherwise empty.
    public var ref: [UInt8]
    /// The load that a faulty `loaded` was to answer, when it could be read: nothing better will come for it.
    public var load: UInt64?

    public init(_ reason: Reason, at place: String, _ detail: String, ref: [UInt8] = [], load: UInt64? = nil) {
        self.reason = reason
        self.place = place
        self.detail = detail
        self.ref = ref
        self.load = load
    }

    /// The place and the detail, as the refusal says it.
    public var message: String { place.isEmpty ? detail : "\(place): \(detail)" }

    public var description: String { "\(reason.rawValue): \(message)" }

    /// What the sender is told.
    public var refusal: Refusal { Refusal(reason, message) }

    /// The same fault seen from one level further out.
    func inside(_ outer: String) -> WireFault {
        WireFault(reason, at: place.isEmpty ? outer : "\(outer)/\(place)", detail, ref: ref, load: load)
    }
}
