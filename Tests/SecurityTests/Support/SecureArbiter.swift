import AlertBusWire
import Glibc
import Testing
import ZeroMQ

/// An arbiter in a process of its own, with keys and a list of permissions.
final class SecureArbiter {
    let directory: Directory
    let process: Process
    let requests: String
    let feed: String
    let serverKeys: CurveKeyPair
    private(set) var keys: [String: CurveKeyPair]

    /// - Parameters:
    ///   - clients: what stands in the entry of each name.
    ///   - limits: lines of the section `limits`.
    ///   - descriptors: the most files that it may have open; nil leaves the limit of this process.
    init(
        _ clients: [String: String], limits: String = "", policy: String = "", usesKeys: Bool = true, descriptors: Int? = nil
    ) throws {
        serverKeys = try CurveKeyPair.generate()
        let directory = Directory()
        self.directory = directory
        try CurveKeyFile(publicKey: serverKeys.publicKey, secretKey: serverKeys.secretKey)
            .write(path: directory.path + "/server.key", comment: "test")
        var keys: [String: CurveKeyPair] = [:]
        for name in clients.keys { keys[name] = try CurveKeyPair.generate() }
        self.keys = keys
        write(Self.permissions(clients, keys), to: directory.path + "/permissions.toml")
        let security = """
            [security]
            curve_key_file = "\(directory.path)/server.key"
            permissions_file = "\(directory.path)/permissions.toml"

            """
        write(
            """
            [arbiter]
            requests = "tcp://127.0.0.1:*"
            feed = "tcp://127.0.0.1:*"
            journal = "memory"
            [limits]
            \(limits)
            \(usesKeys ? security : "")[default_policy]
            activation_delay_ms = 0
            \(policy)
            """, to: directory.path + "/arbiter.toml")
        let process = try Process(
            ["arbiter", "--config", directory.path + "/arbiter.toml", "--json"], in: directory, descriptors: descriptors)
        self.process = process
        try poll("the arbiter; it said \(process.errors)") { process.output.contains("\n") || !process.isRunning }
        let ready = try JSONValue(parsing: process.output)
        requests = try #require(ready["requests"]?.string, "\(process.errors)")
        feed = try #require(ready["feed"]?.string)
    }

    static func permissions(_ clients: [String: String], _ keys: [String: CurveKeyPair]) -> String {
        clients.sorted { $0.key < $1.key }.map { name, entry in
            "[[client]]\nname = \"\(name)\"\nkey = \"\(keys[name]!.publicKey.z85)\"\n\(entry)\n"
        }.joined()
    }

    /// Changes the list. New names get keys; those in `fresh` get others than before.
    func permit(_ clients: [String: String], fresh: Set<String> = []) throws {
        for name in clients.keys where keys[name] == nil || fresh.contains(name) { keys[name] = try .generate() }
        write(Self.permissions(clients, keys), to: directory.path + "/permissions.toml")
    }

    func peer(_ name: String) throws -> Peer {
        let own: CurveKeyPair = try #require(keys[name])
        return try Peer(requests, keys: own, serverKey: serverKeys.publicKey)
    }

    /// A file that holds the client's keys and the arbiter's, for the command.
    func keyFile(_ name: String) throws -> String {
        let path = "\(directory.path)/\(name).key"
        let own = keys[name]
        let pair = try #require(own)
        if access(path, F_OK) != 0 {
            try CurveKeyFile(publicKey: pair.publicKey, secretKey: pair.secretKey, serverKey: serverKeys.publicKey)
                .write(path: path, comment: "test")
        }
        return path
    }

    /// The counters as the operator `admin` sees them, who has to be listed.
    func counters() throws -> [String: Int] {
        let reply = try peer("admin").ask(#"{"v":1,"op":"list","counters":true}"#)
        var result: [String: Int] = [:]
        for member in reply["counters"]?.members ?? [] { result[member.name] = member.value.integer }
        return result
    }
}

/// A DEALER that speaks the protocol by hand.
final class Peer {
    let socket: DealerSocket
    private var message = Message()
    private var lastRef = 0
    private var isConnected = false
    /// What came and answers nothing.
    var inbox: [JSONValue] = []

    init(_ endpoint: String, keys: CurveKeyPair? = nil, serverKey: CurvePublicKey? = nil) throws {
        socket = try DealerSocket(try Context())
        try socket.setImmediate(true)
        try socket.setSendHighWaterMark(0)
        try socket.setReceiveHighWaterMark(0)
        if let keys, let serverKey { try socket.setCurveClient(keys: keys, serverKey: serverKey) }
        try socket.connect(try Endpoint(endpoint))
    }

    /// Sends as soon as there is a connection.
    func send(_ json: String) throws {
        try poll("a connection") { try socket.trySend(Array(json.utf8)) }
    }

    /// Adds a ref, and waits for its reply.
    @discardableResult
    func ask(_ json: String) throws -> JSONValue {
        lastRef += 1
        let ref = "\(lastRef)"
        try send(#"{"ref":"\#(ref)","# + json.dropFirst())
        return try reply(to: ref)
    }

    func reply(to ref: String) throws -> JSONValue {
        let end = milliseconds() + patience
        while milliseconds() < end {
            guard try receive(within: 100) else { continue }
            let value = inbox.removeLast()
            if value["ref"]?.string == ref { return value }
            inbox.append(value)
        }
        throw TooLate(what: "the reply to \(ref)")
    }

    /// Takes one message into the inbox.
    func receive(within time: Int) throws -> Bool {
        guard try socket.waitToReceive(milliseconds: time), try socket.tryReceive(into: &message) else { return false }
        inbox.append(try JSONValue(message.bytes))
        return true
    }

    /// Whether a message of this kind comes.
    func hears(_ op: String, within time: Int64 = patience, where matches: (JSONValue) -> Bool = { _ in true }) throws -> Bool {
        let end = milliseconds() + time
        while true {
            if let index = inbox.firstIndex(where: { $0["op"]?.string == op && matches($0) }) {
                inbox.remove(at: index)
                return true
            }
            if milliseconds() >= end { return false }
            _ = try receive(within: 20)
        }
    }

    /// `reason` of the refusal, or the `op` of another reply.
    func outcome(_ json: String) throws -> String {
        let reply = try ask(json)
        return reply["reason"].flatMap { reply["op"]?.string == "refused" ? $0.string : nil } ?? reply["op"]?.string ?? "?"
    }
}

/// The messages that tests use.
enum Ask {
    static func raise(_ surface: String, _ key: String, _ more: String = "") -> String {
        #"{"v":1,"op":"raise","surface":"\#(surface)","key":"\#(key)"\#(more.isEmpty ? "" : "," + more)}"#
    }

    static func about(_ op: String, _ surface: String, _ more: String = "") -> String {
        #"{"v":1,"op":"\#(op)","surface":"\#(surface)"\#(more.isEmpty ? "" : "," + more)}"#
    }

    static let ping = #"{"v":1,"op":"ping"}"#
}
