import AlertBusModel
import AlertBusWire
import Testing
import ZeroMQ

/// A client that sends exactly what the test says, and hears everything in order. For the test's own thread.
final class RawPeer {
    private let context: Context
    private let socket: DealerSocket
    private let poller = Poller()
    private let decoder = ServerMessageDecoder()
    private var message = Message()

    init(_ requests: String) throws {
        context = try Context()
        socket = try DealerSocket(context)
        try socket.setReceiveHighWaterMark(0)
        try socket.setLinger(milliseconds: 0)
        try socket.connect(try Endpoint(requests))
        _ = poller.add(socket)
    }

    func send(_ json: String) throws { try socket.send(json) }

    /// The next message that fits, those before it are dropped.
    func next<T>(
        _ what: String, within seconds: Double = 20, _ pick: (ServerMessage) throws -> T?
    ) throws -> T {
        let end = milliseconds() + seconds * 1000
        while true {
            let left = end - milliseconds()
            if left <= 0 { throw TimeoutError(what: what) }
            _ = try poller.wait(milliseconds: Int(left.rounded(.up)))
            while try socket.tryReceive(into: &message) {
                let decoded = try message.withUnsafeBytes { bytes throws(WireFault) in try decoder.decode(bytes) }
                if let found = try pick(decoded) { return found }
            }
        }
    }

    /// Sends and waits for the reply with this `ref`.
    @discardableResult
    func ask(_ json: String, ref: String) throws -> Reply {
        try send(json.replacing("{\"v\":1", with: "{\"v\":1,\"ref\":\"\(ref)\"", maxReplacements: 1))
        let wanted = Array("\"\(ref)\"".utf8)
        return try next("the reply to \(json)") { message in
            if case .reply(wanted, let reply, _) = message { return reply }
            return nil
        }
    }

    /// A round trip: what the arbiter had sent before has arrived after it.
    func ping() throws {
        try send(#"{"v":1,"op":"ping","ref":"ping"}"#)
        try next("a pong") { message in
            if case .pong(let pong) = message, pong.ref == Array("\"ping\"".utf8) { return () }
            return nil
        }
    }

    // MARK: Roles

    func provide(_ names: String...) throws {
        for name in names {
            let reply = try ask(#"{"v":1,"op":"provide","name":"\#(name)"}"#, ref: "provide")
            guard case .done = reply else { throw TimeoutError(what: "the registration of \(name), got \(reply)") }
        }
    }

    func nextLoad(_ name: String? = nil, within seconds: Double = 20) throws -> LoadRequest {
        try next("a load", within: seconds) { message in
            if case .load(let load) = message, name == nil || load.name == name { return load }
            return nil
        }
    }

    func nextUnload() throws -> UInt64 {
        try next("an unload") { message in
            if case .unload(let load) = message { return load }
            return nil
        }
    }

    func answer(_ load: LoadRequest, _ rows: String) throws {
        try send(#"{"v":1,"op":"loaded","load":\#(load.load),"rows":\#(rows)}"#)
    }

    func subscribe(_ scope: String) throws {
        try send(#"{"v":1,"op":"subscribe","ref":"subscribe","surface":"\#(scope)"}"#)
        try next("a snapshot") { message in
            if case .snapshot(let part) = message, part.last { return () }
            return nil
        }
    }

    func nextStream() throws -> StreamMessage {
        try next("a message of the stream") { message in
            if case .stream(let stream) = message { return stream }
            return nil
        }
    }

    func nextShow() throws -> ShownAlert {
        let message = try nextStream()
        guard case .show(let alert) = message.change else { throw TimeoutError(what: "a show, got \(message)") }
        return alert
    }

    func nextEnd() throws -> Receipt {
        try next("an end") { message in
            if case .event(let receipt) = message, receipt.event == .ended { return receipt }
            return nil
        }
    }

    /// Raises an alert with sources and gives what was accepted.
    @discardableResult
    func raise(_ surface: String, _ key: String, _ rest: String = "") throws -> Accepted {
        let reply = try ask(#"{"v":1,"op":"raise","surface":"\#(surface)","key":"\#(key)"\#(rest)}"#, ref: key)
        guard case .accepted(let accepted) = reply else { throw TimeoutError(what: "an acceptance, got \(reply)") }
        return accepted
    }
}

extension Reply {
    var refusal: Refusal? {
        if case .refused(let refusal) = self { return refusal }
        return nil
    }
}

extension ShownAlert {
    /// `[1] 2 3` for each source: the ids, those that are selected in brackets.
    func ids(_ source: String) -> String? {
        guard let data = data.first(where: { $0.name == source }) else { return nil }
        return data.rows.map { row in
            let id = String(decoding: row.id, as: UTF8.self)
            return data.selected.contains(row.id) ? "[\(id)]" : id
        }.joined(separator: " ")
    }
}
