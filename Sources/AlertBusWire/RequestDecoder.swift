import AlertBusModel

/// Reads what peers send to the arbiter. Owns a parser and memory that every message uses again; one for each thread.
public final class RequestDecoder {
    public let limits: WireLimits
    let text: JSONText
    /// The fields of the message.
    let fields: Fields
    /// The fields of an object inside it.
    let inner: Fields
    private let ops = Words<RequestOp>()

    public init(limits: WireLimits = WireLimits()) {
        self.limits = limits
        text = JSONText()
        fields = Fields(text)
        inner = Fields(inside: fields)
    }

    /// Reads one message.
    ///
    /// - Throws: `malformed` with the place for whatever does not follow the protocol, `unsupported` for another version or
    ///   an unknown `op`, `over_limit` for what passes a `WireLimits`. The fault carries the `ref` if it could be read.
    public func decode(_ bytes: UnsafeRawBufferPointer) throws(WireFault) -> Request {
        var decoded = DecodedRequest()
        try decode(bytes, into: &decoded)
        return decoded.request
    }

    /// The same for bytes in an array.
    public func decode(_ bytes: [UInt8]) throws(WireFault) -> Request {
        // A rethrowing closure would lose the type of the error.
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(WireFault) in try decode(raw) }
        }
        return try result.get()
    }

    /// The same in the place of another one. After an error it is of no use.
    public func decode(_ bytes: UnsafeRawBufferPointer, into request: inout DecodedRequest) throws(WireFault) {
        try text.read(bytes, limit: limits.messageBytes)
        guard text.first(0) == UInt8(ascii: "{") else {
            throw WireFault(.malformed, at: "", "expected an object, got \(text.excerpt(0))")
        }
        fields.collect(0)
        try fields.read(into: &request.ref)
        do throws(WireFault) {
            try checkVersion()
            let op = try op()
            request.isRaise = op == .raise
            if request.isRaise { try read(into: &request.raise) } else { request.body = try body(op) }
            request.once = try fields.name(.once)
            request.producer = try producer()
        } catch {
            var fault = error
            fault.ref = request.ref
            if let token = fields[.op], fields.isString(token), ops.find(text, token) == .loaded {
                fault.load = fields[.load].flatMap { text.unsigned($0) }
            }
            throw fault
        }
    }

    private func checkVersion() throws(WireFault) {
        guard let token = fields[.v], let version = text.unsigned(token) else {
            throw fields.fault(.v, expected: "the protocol version 1")
        }
        if version != 1 {
            throw WireFault(.unsupported, at: "v", "version \(version) is not known; this arbiter speaks version 1")
        }
    }

    private func op() throws(WireFault) -> RequestOp {
        guard let token = fields[.op], fields.isString(token) else { throw fields.fault(.op, expected: "a string") }
        guard let op = ops.find(text, token) else {
            throw WireFault(.unsupported, at: "op", "\(text.excerpt(token)) is not known to this version")
        }
        return op
    }

    /// "" is the name of those who claim none, and may be said.
    private func producer() throws(WireFault) -> String? {
        guard let token = fields[.producer] else { return nil }
        if fields.isString(token) && text.end(token) - text.start(token) == 2 { return "" }
        return try fields.repeatedName(.producer)
    }

    private func body(_ op: RequestOp) throws(WireFault) -> Request.Body {
        switch op {
        case .raise: .command(.raise(try raise()))
        case .update: .command(.update(try update()))
        case .withdraw:
            .command(
                .withdraw(
                    surface: try fields.surface(), key: try fields.requiredName(.key), revision: try revision()))
        case .dismiss:
            .command(.dismiss(surface: try fields.surface(), try target(), revision: try revision()))
        case .answer:
            .command(.answer(surface: try fields.surface(), try target(), revision: try revision(), try answer()))
        case .clear: .command(.clear(try fields.scope(), shown: try fields.boolean(.shown) ?? false))
        case .hold: .command(.hold(try fields.scope()))
        case .release: .command(.release(try fields.scope()))
        case .status: .command(.status(surface: try fields.surface(), try target()))
        case .refresh:
            .command(
                .refresh(
                    surface: try fields.surface(), try target(), source: try fields.requiredName(.source),
                    request: fields.json(.request) ?? []))
        case .list:
            try fields.boolean(.counters) ?? false
                ? .counters : .list(try fields.scope(), subscribers: try fields.boolean(.subscribers) ?? false)
        case .sync: .sync(try fields.scope())
        case .subscribe: .subscribe(try fields.scope())
        case .unsubscribe: .unsubscribe(try fields.scope())
        case .drawn:
            .drawn(
                surface: try fields.surface(), epoch: try fields.requiredInteger(.epoch),
                seq: try fields.requiredInteger(.seq))
        case .why: .why(surface: try fields.surface(), try target())
        case .ping: .ping
        case .provide: .provide(name: try fields.requiredName(.name))
        case .unprovide: .unprovide(name: try fields.requiredName(.name))
        case .loaded: try loaded()
        }
    }
}
