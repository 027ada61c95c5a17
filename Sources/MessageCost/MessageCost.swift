import AlertBusCore
import AlertBusJournal
import AlertBusModel
import AlertBusWire
import Glibc

/// Does for a fixed number of requests what the arbiter does between its sockets: decode, step, record, encode. No sockets, no clock, no
/// threads, so that two runs execute the same instructions; the difference between a run of 2N and one of N is what N messages
/// cost. Made for a profiler that counts; prints a checksum so that nothing is optimised away.
///
/// usage: MessageCost update|show COUNT
@main
struct MessageCost {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), ["update", "show"].contains(arguments[1]) else {
            print("usage: MessageCost update|show COUNT")
            exit(2)
        }
        var program = Program()
        arguments[1] == "update" ? program.update(count) : program.showAndDismiss(count)
        print(program.checksum)
    }
}

struct Program: ~Copyable {
    private var arbiter = Arbiter()
    private let decoder = RequestDecoder()
    private var writer = MessageWriter(capacity: 1 << 20)
    private var batch = JournalBatch(first: 0, reservingBytes: 1 << 20)
    private var effects: [Effect] = []
    private var now: Milliseconds = 1_000_000
    private(set) var checksum = 0

    /// A raise with `update` on a few keys: one message to the screen and one reply for each.
    mutating func update(_ count: Int) {
        var raise = Template(
            #"{"v":1,"op":"raise","ref":########,"surface":"hall/screen-@","key":"door-@","priority":2,"update":true,"params":{"title":"Door ######## is open","body":"\#(String(repeating: "x", count: 90))"}}"#
        )
        for number in 0..<count { take(raise.filled(number)) }
    }

    /// A raise on top, and its dismissal.
    mutating func showAndDismiss(_ count: Int) {
        var raise = Template(
            #"{"v":1,"op":"raise","ref":########,"surface":"hall/screen-@","key":"door-########","priority":2,"intercept":false,"params":{"title":"Door ######## is open","body":"\#(String(repeating: "x", count: 80))"}}"#
        )
        var dismiss = Template(#"{"v":1,"op":"dismiss","ref":########,"surface":"hall/screen-@"}"#)
        for number in 0..<count {
            take(raise.filled(number))
            take(dismiss.filled(number))
        }
    }

    private mutating func take(_ bytes: [UInt8]) {
        now += 1
        guard let request = try? decoder.decode(bytes), case .command(let command) = request.body else {
            fatalError("the fixed requests are well-formed")
        }
        let requester = Requester(session: 1, producer: request.producer ?? "", once: request.once)
        batch.append(bytes)
        effects.removeAll(keepingCapacity: true)
        arbiter.step(.command(command, from: requester), at: now, into: &effects)
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

/// A message in which `########` stands for a number of eight digits from 10,000,000 on, and `@` for one of four digits.
struct Template {
    private var bytes: [UInt8]
    private var numbers: [Int] = []
    private var digits: [Int] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "#") {
                numbers.append(place)
                place += 8
            } else {
                if bytes[place] == UInt8(ascii: "@") { digits.append(place) }
                place += 1
            }
        }
    }

    mutating func filled(_ number: Int) -> [UInt8] {
        for place in digits { bytes[place] = UInt8(ascii: "0") + UInt8(number & 3) }
        for place in numbers {
            var rest = 10_000_000 + number
            for offset in stride(from: 7, through: 0, by: -1) {
                bytes[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
        return bytes
    }
}
