import AlertBusKiosk
import Testing
import Synchronization

/// Keeps what the server told it, and answers as it is told.
final class RecordingBus: KioskBus {
    private struct State {
        var acts: [KioskAction] = []
        var drawn: [String] = []
        var verdict: KioskVerdict? = .accepted
    }
    private let state = Mutex(State())

    var acts: [KioskAction] { state.withLock { $0.acts } }
    var drawn: [String] { state.withLock { $0.drawn } }

    /// nil: never answer.
    func answer(_ verdict: KioskVerdict?) { state.withLock { $0.verdict = verdict } }

    func act(_ action: KioskAction, completion: @escaping @Sendable (KioskVerdict) -> Void) {
        let verdict = state.withLock { state in
            state.acts.append(action)
            return state.verdict
        }
        if let verdict { completion(verdict) }
    }

    func drawn(surface: String, epoch: UInt64, seq: UInt64) {
        state.withLock { $0.drawn.append("\(surface) \(epoch) \(seq)") }
    }
}

/// A server on a port that the system chose, and requests to it.
struct Fixture: ~Copyable {
    let bus = RecordingBus()
    let server: KioskServer
    let port: UInt16

    init(options: KioskOptions = KioskOptions(), surfaces: [String] = ["lobby/modal"]) throws {
        server = KioskServer(address: KioskAddress(host: "127.0.0.1", port: 0), surfaces: surfaces, bus: bus, options: options)
        port = try server.start().port
    }

    deinit { server.stop() }

    func publish(_ json: String) throws { try server.publish(Array(json.utf8)) }

    func show(_ instance: Int, seq: Int, title: String = "x", more: String = "") throws {
        try publish(
            """
            {"v":1,"op":"show","surface":"lobby/modal","epoch":3,"seq":\(seq),"reason":"raised",\
            "alert":{"key":"k\(instance)","instance":\(instance),"revision":1,"params":{"title":"\(title)"}\(more)}}
            """)
    }

    func token() throws -> String {
        let page = try HTTPClient.request("GET", "/", port: port)
        let start = try #require(page.firstRange(of: "&quot;token&quot;:&quot;")).upperBound
        return String(page[start...].prefix(64))
    }

    func events(receiveBuffer: Int32? = nil) throws -> HTTPClient {
        let client = try HTTPClient(port: port, receiveBuffer: receiveBuffer)
        client.send("GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        return client
    }

    func act(_ body: String, headers: [String: String] = [:]) throws -> String {
        var all = [
            "Origin": "http://127.0.0.1:\(port)", "Content-Type": "application/json", "X-AlertBus-Token": try token(),
        ]
        all.merge(headers) { $1 }
        return try HTTPClient.request("POST", "/act", port: port, headers: all.filter { !$1.isEmpty }, body: body)
    }
}
