import CMicroHTTPD

/// One HTTP response. Every one carries the headers that keep foreign pages out.
struct Response {
    private let status: UInt32
    private let response: OpaquePointer?

    private init(_ status: UInt32, _ response: OpaquePointer?, type: String, policy: String = "default-src 'none'") {
        self.status = status
        self.response = response
        for (name, value) in [
            ("Content-Type", type),
            ("Content-Security-Policy", policy + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] { _ = adding(name, value) }
    }

    static func text(_ status: UInt32, _ text: String) -> Response {
        Response(status, copy(Array(text.utf8)), type: "text/plain; charset=utf-8")
    }

    static func page(_ bytes: [UInt8], nonce: String) -> Response {
        let policy = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; \
            require-trusted-types-for 'script'; trusted-types 'none'
            """
        return Response(200, copy(bytes), type: "text/html; charset=utf-8", policy: policy)
    }

    /// 200 for what the bus said, whatever it said, unless another status is given.
    static func verdict(_ verdict: KioskVerdict, status: UInt32 = 200) -> Response {
        let json: String
        switch verdict {
        case .accepted: json = "{\"ok\":true}"
        case .refused(let reason, let message):
            json = "{\"ok\":false,\"reason\":\(ScreenState.quoted(reason)),\"message\":\(ScreenState.quoted(message))}"
        case .unreachable(let message):
            json = "{\"ok\":false,\"reason\":\"unreachable\",\"message\":\(ScreenState.quoted(message))}"
        }
        return Response(status, copy(Array(json.utf8)), type: "application/json")
    }

    static func events(_ reader: EventReader) -> Response {
        let context = Unmanaged.passRetained(reader)
        let response = MHD_create_response_from_callback(UInt64.max, 16_384, read, context.toOpaque(), free)
        if response == nil { free(context.toOpaque()) }
        return Response(200, response, type: "text/event-stream").adding("X-Accel-Buffering", "no")
    }

    func adding(_ name: String, _ value: String) -> Response {
        if let response { MHD_add_response_header(response, name, value) }
        return self
    }

    func send(on connection: OpaquePointer) -> MHD_Result {
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        return MHD_queue_response(connection, status, response)
    }

    private static func copy(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    /// The end of a stream: libmicrohttpd's macro is a cast that Swift does not import.
    private static let endOfStream = -1

    private static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
        guard let context, let buffer else { return Response.endOfStream }
        let reader = Unmanaged<EventReader>.fromOpaque(context).takeUnretainedValue()
        return reader.hub.read(reader.id, into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) ?? Response.endOfStream
    }

    private static let free: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        let reader = Unmanaged<EventReader>.fromOpaque(context).takeRetainedValue()
        reader.hub.closeStream(reader.id)
    }
}
