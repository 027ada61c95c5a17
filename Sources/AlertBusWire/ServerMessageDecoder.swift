import AlertBusModel

/// Reads what the arbiter sends. Owns a parser and memory that every message uses again; one for each thread.
///
/// Fields that it does not know are ignored, so that a newer arbiter can say more.
public final class ServerMessageDecoder {
    public let limits: WireLimits
    let text: JSONText
    let fields: Fields
    /// The fields of an object inside the message.
    let inner: Fields
    private let ops = Words<ServerOp>()
    let reasons = Words<Reason>()
    let states = Words<PresentationState>()
    let events = Words<Receipt.Event>()

    /// - Parameter limits: snapshots may be larger than requests, so the default allows 64 MiB.
    public init(limits: WireLimits = WireLimits(messageBytes: 64 << 20)) {
        self.limits = limits
        text = JSONText()
        fields = Fields(text)
        inner = Fields(inside: fields)
    }

    /// Reads one message. An unknown `op` is `ServerMessage.unknown`, not a fault.
    ///
    /// - Throws: `malformed` with the place, `unsupported` for another version or an unknown word of a closed list.
    public func decode(_ bytes: UnsafeRawBufferPointer) throws(WireFault) -> ServerMessage {
        try text.read(bytes, limit: limits.messageBytes)
        guard text.first(0) == UInt8(ascii: "{") else {
            throw WireFault(.malformed, at: "", "expected an object, got \(text.excerpt(0))")
        }
        fields.collect(0)
        let ref = try fields.ref()
        do throws(WireFault) {
            let version = try fields.requiredInteger(.v)
            if version != 1 {
                throw WireFault(.unsupported, at: "v", "version \(version) is not known; this is version 1")
            }
            guard let token = fields[.op], fields.isString(token) else { throw fields.fault(.op, expected: "a string") }
            guard let op = ops.find(text, token) else { return .unknown(op: text.string(token)) }
            return try message(op, ref)
        } catch {
            var fault = error
            fault.ref = ref
            throw fault
        }
    }

    /// The same for bytes in an array.
    public func decode(_ bytes: [UInt8]) throws(WireFault) -> ServerMessage {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(WireFault) in try decode(raw) }
        }
        return try result.get()
    }

    private func message(_ op: ServerOp, _ ref: [UInt8]) throws(WireFault) -> ServerMessage {
        switch op {
        case .accepted:
            .reply(ref: ref, .accepted(try accepted()), watchers: try fields.integer(.watchers, count).map(Int.init))
        case .refused: .reply(ref: ref, .refused(try refusal()), watchers: nil)
        case .done: .reply(ref: ref, .done(try done()), watchers: nil)
        case .event:
            ref.isEmpty ? .event(try receipt()) : .reply(ref: ref, .event(try receipt()), watchers: nil)
        case .show: .stream(try stream(.show(try alert(fields[.alert]))))
        case .update: .stream(try stream(.update(try alert(fields[.alert]))))
        case .hide:
            .stream(
                try stream(
                    .hide(key: try fields.requiredName(.key), instance: try fields.requiredInteger(.instance))))
        case .snapshot: .snapshot(try snapshot(ref))
        case .alerts: .alerts(try alerts(ref))
        case .subscribers: .subscribers(try subscribers(ref))
        case .counters: .counters(try counters(ref))
        case .beat: .beat(try beat())
        case .pong: .pong(try pong(ref))
        case .load: .load(try load())
        case .unload: .unload(load: try fields.requiredInteger(.load))
        case .explanation: .explanation(ref: ref, try explanation())
        }
    }

    /// What fits into a count.
    let count: ClosedRange<UInt64> = 0...UInt64(Int.max)

    /// The fields of an object inside the message.
    func collect(_ token: Int) throws(WireFault) -> Fields {
        guard text.first(token) == UInt8(ascii: "{") else {
            throw WireFault(.malformed, at: "", "expected an object, got \(text.excerpt(token))")
        }
        inner.collect(token)
        return inner
    }
}

/// The words in `op` of a message from the arbiter.
package enum ServerOp: String, CaseIterable {
    case accepted, refused, done, event
    case show, update, hide, snapshot, beat
    case alerts, subscribers, counters, pong, explanation
    case load, unload
}
