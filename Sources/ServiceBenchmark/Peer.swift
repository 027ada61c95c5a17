import Glibc
import ZeroMQ

/// One connection that speaks the protocol with ready texts: what is measured is the arbiter, not its client.
final class Peer {
    private let socket: DealerSocket
    private let poller = Poller()
    private var message = Message()

    init(_ context: Context, _ endpoint: String) throws {
        socket = try DealerSocket(context)
        try socket.setLinger(milliseconds: 0)
        try socket.setSendHighWaterMark(0)
        try socket.setReceiveHighWaterMark(0)
        try socket.connect(Endpoint(endpoint))
        _ = poller.add(socket)
    }

    func send(_ text: String) throws { try socket.send(text) }

    /// The next message; nil when none came in time.
    func receive(within milliseconds: Int) throws -> String? {
        if try socket.tryReceive(into: &message) { return message.text }
        guard try poller.wait(milliseconds: milliseconds) > 0, try socket.tryReceive(into: &message) else { return nil }
        return message.text
    }

    /// Waits for a message with these words in it; others pass.
    func wait(for words: String..., within milliseconds: Int = 60_000) throws -> String {
        let deadline = microseconds() + Int64(milliseconds) * 1000
        while microseconds() < deadline {
            guard let text = try receive(within: 1000) else { continue }
            if words.allSatisfy({ text.contains($0) }) { return text }
            if text.contains(#""op":"refused""#) { fail("refused: \(text)") }
        }
        fail("no message with \(words) came")
    }

    /// Raises so many alerts of about 250 bytes under keys of their own, many at a time, and waits until all are accepted.
    func fill(_ surface: String, _ count: Int, priority: Int = 1) throws {
        let body = String(repeating: "x", count: 110)
        var accepted = 0
        var sent = 0
        while accepted < count {
            while sent < count && sent - accepted < 2000 {
                try send(
                    #"{"v":1,"op":"raise","ref":\#(sent),"surface":"\#(surface)","key":"key-\#(sent)","priority":\#(priority),"params":{"title":"Number \#(sent)","body":"\#(body)"}}"#
                )
                sent += 1
            }
            guard let text = try receive(within: 30_000) else { fail("after \(accepted) of \(count) no reply came") }
            if text.contains(#""op":"refused""#) { fail("refused: \(text)") }
            if text.contains(#""op":"accepted""#) { accepted += 1 }
        }
    }
}
