import CMicroHTTPD
import Glibc

/// Answers the requests of libmicrohttpd's one thread.
final class HTTPHandler: Sendable {
    let hub: EventHub
    let exchanges: Exchanges
    let guardian: RequestGuard
    let assets: PageAssets
    let bus: any KioskBus
    let bodyLimit: Int
    let log: @Sendable (String) -> Void

    init(
        hub: EventHub, exchanges: Exchanges, guardian: RequestGuard, assets: PageAssets, bus: any KioskBus, bodyLimit: Int,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.hub = hub
        self.exchanges = exchanges
        self.guardian = guardian
        self.assets = assets
        self.bus = bus
        self.bodyLimit = bodyLimit
        self.log = log
    }

    /// What is kept of one request between the calls for it. Used by the server's thread only.
    private final class Request {
        var body: [UInt8] = []
        var exchange: (id: UInt64, exchange: Exchange)?
    }

    /// libmicrohttpd calls this when the headers are there, for each piece of the body, at its end, and after a resume.
    static let request: MHD_AccessHandlerCallback = { context, connection, path, method, _, data, size, kept in
        guard let context, let connection, let path, let method, let size, let kept else { return .NO }
        let handler = Unmanaged<HTTPHandler>.fromOpaque(context).takeUnretainedValue()
        let isFirst = kept.pointee == nil
        if isFirst { kept.pointee = Unmanaged.passRetained(Request()).toOpaque() }
        guard let stored = kept.pointee else { return .NO }
        let request = Unmanaged<Request>.fromOpaque(stored).takeUnretainedValue()
        if isFirst { return handler.begin(connection, path: String(cString: path), method: String(cString: method)) }
        if size.pointee > 0 {
            // Only an action reads a body; everything else has been answered by now.
            guard let data, request.body.count + size.pointee <= handler.bodyLimit else { return .NO }
            request.body += UnsafeRawBufferPointer(start: data, count: size.pointee)
            size.pointee = 0
            return .YES
        }
        return handler.act(connection, request)
    }

    static let completed: MHD_RequestCompletedCallback = { context, _, kept, _ in
        guard let context, let kept, let stored = kept.pointee else { return }
        let request = Unmanaged<Request>.fromOpaque(stored).takeRetainedValue()
        kept.pointee = nil
        if let exchange = request.exchange {
            Unmanaged<HTTPHandler>.fromOpaque(context).takeUnretainedValue().exchanges.end(exchange.id)
        }
    }

    // MARK: - Requests

    /// Decides by the headers; everything but an action is answered here, before any body is read.
    private func begin(_ connection: OpaquePointer, path: String, method: String) -> MHD_Result {
        let header = { (name: String) -> String? in
            MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
        }
        if let refusal = guardian.checkHost(header("Host")) { return refuse(connection, 403, refusal) }
        let allowed = ["/": "GET", "/events": "GET", "/act": "POST"]
        guard let expected = allowed[path] else {
            return Response.text(404, "not found\n").send(on: connection)
        }
        if method != expected {
            return Response.text(405, "only \(expected) is understood here\n").adding("Allow", expected).send(on: connection)
        }
        let (host, origin, site) = (header("Host"), header("Origin"), header("Sec-Fetch-Site"))
        switch path {
        case "/":
            let nonce = RequestGuard.makeToken()
            return Response.page(assets.page(nonce: nonce), nonce: nonce).send(on: connection)
        case "/events":
            if let refusal = guardian.checkReader(host: host, origin: origin, site: site) {
                return refuse(connection, 403, refusal)
            }
            return stream(connection)
        default:
            let token = header("X-AlertBus-Token")
            if let refusal = guardian.checkActor(host: host, origin: origin, site: site, token: token) {
                return refuse(connection, 403, refusal)
            }
            if header("Content-Type")?.hasPrefix("application/json") != true {
                return Response.text(415, "an action is application/json\n").send(on: connection)
            }
            guard header("Transfer-Encoding") == nil, let length = header("Content-Length").flatMap({ Int($0) }) else {
                return Response.text(411, "an action has a Content-Length\n").send(on: connection)
            }
            if length > bodyLimit {
                return Response.text(413, "an action has at most \(bodyLimit) bytes\n").send(on: connection)
            }
            return .YES
        }
    }

    private func refuse(_ connection: OpaquePointer, _ status: UInt32, _ refusal: RequestGuard.Refusal) -> MHD_Result {
        log("refused a request: \(refusal.explanation)")
        return Response.verdict(
            .refused(reason: "not_allowed", message: refusal.explanation), status: status
        ).send(on: connection)
    }

    private func stream(_ connection: OpaquePointer) -> MHD_Result {
        guard let id = hub.openStream(on: Connection(connection)) else {
            return Response.text(503, "the kiosk server stops\n").send(on: connection)
        }
        // What lies in the system's buffer cannot be replaced by a snapshot any more; by itself it grows to megabytes.
        var size: Int32 = 65_536
        setsockopt(alertbus_http_socket(connection), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        return Response.events(EventReader(hub: hub, id: id)).send(on: connection)
    }

    private func act(_ connection: OpaquePointer, _ request: Request) -> MHD_Result {
        if let exchange = request.exchange?.exchange {
            // Resumed: the verdict is there.
            guard let verdict = exchange.verdict else { return .NO }
            return Response.verdict(verdict).send(on: connection)
        }
        do throws(JSONScanner.Fault) {
            switch try PageReport(request.body) {
            case .drawn(let positions):
                for position in positions { bus.drawn(surface: position.surface, epoch: position.epoch, seq: position.seq) }
                return Response.verdict(.accepted).send(on: connection)
            case .action(let action):
                guard let begun = exchanges.begin(now: EventHub.now()) else {
                    return Response.verdict(
                        .refused(reason: "over_limit", message: "too many actions wait for the bus; try again"), status: 503
                    ).send(on: connection)
                }
                request.exchange = begun
                begun.exchange.wait(on: Connection(connection))
                bus.act(action) { begun.exchange.finish($0) }
                return .YES
            }
        } catch {
            return Response.verdict(
                .refused(reason: "malformed", message: "\(error.what) (byte \(error.at))"), status: 400
            ).send(on: connection)
        }
    }
}

/// Which stream a response reads from. It lives as long as the response.
final class EventReader: Sendable {
    let hub: EventHub
    let id: UInt64

    init(hub: EventHub, id: UInt64) {
        self.hub = hub
        self.id = id
    }
}
