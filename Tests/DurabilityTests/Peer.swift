import AlertBusWire
import ZeroMQ

/// A DEALER that speaks JSON.
final class Peer {
    private let socket: DealerSocket
    private var message = Message()

    init(_ address: String, _ context: Context? = nil) throws {
        socket = try DealerSocket(try context ?? Context())
        try socket.setLinger(milliseconds: 0)
        try socket.setSendHighWaterMark(0)
        try socket.setReceiveHighWaterMark(0)
        try socket.setReconnectInterval(milliseconds: 5)
        try socket.connect(try Endpoint(address))
    }

    func send(_ json: String) throws { try socket.send(json) }

    /// Nil when nothing came in time.
    func receive(milliseconds: Int) throws -> JSONValue? {
        guard try socket.waitToReceive(milliseconds: milliseconds), try socket.tryReceive(into: &message) else { return nil }
        return try message.withUnsafeBytes { try JSONValue(Array($0)) }
    }

    /// Takes one message that has a `ref`, whatever it says.
    func skip(milliseconds: Int) throws -> Bool {
        while try socket.waitToReceive(milliseconds: milliseconds), try socket.tryReceive(into: &message) {
            // Events of one's own alerts have none.
            if message.withUnsafeBytes({ !$0.starts(with: #"{"v":1,"op":"event""#.utf8) }) { return true }
        }
        return false
    }

    /// The reply that repeats a ref; what else comes is heard meanwhile.
    func ask(_ ref: Int, _ json: String, seconds: Int64 = 30, heard: (JSONValue) -> Void = { _ in }) throws -> JSONValue {
        try send(json)
        let end = DurabilityTests.milliseconds() + seconds * 1000
        while DurabilityTests.milliseconds() < end {
            guard let reply = try receive(milliseconds: 100) else { continue }
            if reply["ref"]?.integer == ref || reply["ref"]?.string == "\(ref)" { return reply }
            heard(reply)
        }
        throw Late("the reply to \(json)")
    }
}
