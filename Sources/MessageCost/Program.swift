import AlertBusCore
import AlertBusJournal
import AlertBusModel
import AlertBusWire

/// What the arbiter does between its sockets: decode, step, record, encode. No sockets, no clock, no threads.
struct Program: ~Copyable {
    private var arbiter = Arbiter()
    private let decoder = RequestDecoder()
    private var request = DecodedRequest()
    private var writer = MessageWriter(capacity: 1 << 20)
    private var batch = JournalBatch(first: 0, reservingBytes: 1 << 20)
    private var effects: [Effect] = []
    private var now: Milliseconds = 1_000_000
    private(set) var checksum = 0

    static func run(_ body: (inout Program) -> Void) -> Int {
        var program = Program()
        body(&program)
        return program.checksum
    }

    mutating func update(_ count: Int) {
        var raise = Template.update
        for number in 0..<count { take(raise.filled(number)) }
    }

    mutating func showAndDismiss(_ count: Int) {
        var raise = Template.raise
        var dismiss = Template.dismiss
        for number in 0..<count {
            take(raise.filled(number))
            take(dismiss.filled(number))
        }
    }

    private mutating func take(_ bytes: [UInt8]) {
        now += 1
        let result: Void? = try? bytes.span.bytes.withUnsafeBytes { bytes throws(WireFault) in
            try decoder.decode(bytes, into: &request)
        }
        precondition(result != nil, "the fixed requests are well-formed")
        let requester = Requester(session: 1, producer: request.producer ?? "", once: request.once)
        batch.append(bytes)
        effects.removeAll(keepingCapacity: true)
        if request.isRaise {
            arbiter.step(request.raise, from: requester, at: now, into: &effects)
        } else if case .command(let command) = request.body {
            arbiter.step(command, from: requester, at: now, into: &effects)
        }
        for index in effects.indices { write(exchange(&effects[index], with: .unload(0)), request.ref) }
        if writer.count > 1 << 19 {
            checksum &+= writer.count &+ batch.bytes.count
            writer.removeAll()
            batch = JournalBatch(first: batch.end, reservingBytes: 1 << 20)
        }
    }

    private mutating func write(_ effect: consuming Effect, _ ref: [UInt8]) {
        switch effect {
        case .publish(let message): writer.stream(message)
        case .receipt(let receipt, _): writer.event(receipt)
        case .reply(let reply): writer.reply(reply, ref: ref)
        case .load, .unload: break
        }
    }
}
