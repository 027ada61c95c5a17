import AlertBusModel
import AlertBusWire
import Testing

/// Nothing that is received may crash the process, and the quick reader may not differ from the slow one.
@Suite struct FuzzTests {
    /// Twice 50,000 changed messages, each read in both directions.
    @Test(arguments: [11, 12] as [UInt64])
    func changedMessagesAreReadOrRefused(seed: UInt64) {
        var chance = Chance(seed: seed)
        let requests = RequestDecoder()
        let answers = ServerMessageDecoder()
        var writer = MessageWriter()
        var understood = 0
        var refused = 0
        for _ in 0..<2500 {
            writer.removeAll()
            if chance.coin() { writer.request(chance.request()) } else { writer.message(chance.serverMessage()) }
            let original = writer.bytes
            for _ in 0..<20 {
                var bytes = original
                for _ in 0...chance.below(3) { chance.change(&bytes) }
                do {
                    _ = try requests.decode(bytes)
                    understood += 1
                } catch {
                    refused += 1
                    check(error, bytes)
                }
                do {
                    _ = try answers.decode(bytes)
                    understood += 1
                } catch {
                    refused += 1
                    check(error, bytes)
                }
            }
        }
        #expect(understood > 1000)
        #expect(refused > 1000)
    }

    /// The place of a fault in the text is what the slow reader says, and it is silent when the text is right.
    private func check(_ fault: WireFault, _ bytes: [UInt8]) {
        let slow = bytes.withUnsafeBytes { JSONFaultFinder.find(in: $0) }
        if fault.place.hasPrefix("byte ") {
            #expect(slow == fault)
        } else {
            #expect(slow == nil, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(!fault.detail.contains("memory"))
    }
}

extension Chance {
    private static let telling =
        Array("{}[]\",:\\u/0123456789.eE+-tfn \n".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC2, 0xED, 0xFF]

    /// Changes, adds, drops, repeats, swaps or cuts a few bytes.
    mutating func change(_ bytes: inout [UInt8]) {
        if bytes.isEmpty {
            bytes.append(pick(Self.telling))
            return
        }
        let at = below(bytes.count)
        switch below(8) {
        case 0: bytes[at] = pick(Self.telling)
        case 1: bytes[at] ^= 1 << UInt8(below(8))
        case 2: bytes.insert(pick(Self.telling), at: at)
        case 3: bytes.remove(at: at)
        case 4: bytes.removeLast(below(min(bytes.count, 20)))
        case 5: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + below(30))], at: below(bytes.count))
        case 6: bytes.swapAt(at, below(bytes.count))
        default: bytes.insert(contentsOf: repeatElement(pick(Self.telling), count: below(70)), at: at)
        }
    }
}
