import AlertBusModel
import AlertBusSwarm
import AlertBusWire
import Testing

@Suite("The scanner of messages")
struct ScannerTests {
    private func scan(_ text: String) -> (message: ScannedMessage, isUnderstood: Bool) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var message = ScannedMessage()
            var scanner = MessageScanner(bytes)
            let isUnderstood = scanner.scan(into: &message)
            return (message, isUnderstood)
        }
    }

    private func word(_ range: ByteRange, _ text: String) -> String {
        String(decoding: Array(text.utf8)[range.start..<range.start + range.count], as: UTF8.self)
    }

    @Test("finds what the arbiter writes")
    func written() {
        var writer = MessageWriter()
        let alert = ShownAlert(
            key: "k", producer: "p", instance: 12, revision: 3, priority: 2,
            params: Array(#"{"pad":"x\"}","t":1000000000000000005,"s":1000000000000000006}"#.utf8), displayLeft: 20, expiresAt: 7)
        writer.stream(StreamMessage(surface: "swarm/3", epoch: 4, seq: 42, reason: .raised, change: .show(alert)))
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let (message, isUnderstood) = scan(text)
        #expect(isUnderstood)
        #expect(word(message.opWord, text) == "show" && word(message.surface, text) == "swarm/3" && word(message.key, text) == "k")
        #expect(message.epoch == 4 && message.seq == 42 && message.instance == 12 && message.revision == 3 && message.priority == 2)
        #expect(message.intended == 5 && message.sent == 6)
        #expect(word(message.reason, text) == "raised")
    }

    @Test("does not care for order, white space and fields that it does not know")
    func free() {
        let text =
            #" { "key" : "a\"b" , "more":[1,{"seq":9,"x":"]}"},"}"], "ref":1000000000000000077, "op" : "event", "answer":{"n":1000000000000000001} } "#
        let (message, isUnderstood) = scan(text)
        #expect(isUnderstood && message.ref == 77 && message.token == 1 && message.seq == 0)
        #expect(word(message.opWord, text) == "event" && word(message.key, text) == #"a\"b"#)
    }

    @Test(
        "leaves what is strange to the decoder",
        arguments: ["", "[]", "{", #"{"op":3}"#, #"{"seq":"x"}"#, #"{"op":"a"} x"#, #"{"op":"a",}"#, #"{"a""#])
    func strange(text: String) {
        #expect(!scan(text.isEmpty ? " " : text).isUnderstood)
    }

    @Test("takes refs of others for none")
    func others() {
        #expect(scan(#"{"ref":"s1"}"#).message.ref == ScannedMessage.none)
        #expect(scan(#"{"ref":17}"#).message.ref == ScannedMessage.none)
    }

    @Test("reads the numbers that it writes", arguments: [0, 1, 9, 123_456_789, 1 << 60] as [UInt64])
    func numbers(value: UInt64) {
        var bytes = [UInt8](repeating: 0, count: Digits.count)
        bytes.withUnsafeMutableBufferPointer { Digits.write(value, to: $0.baseAddress!) }
        #expect(String(decoding: bytes, as: UTF8.self) == "\(Digits.base + value)")
        #expect(bytes.withUnsafeBufferPointer { Digits.read($0.baseAddress!, $0.count) } == value)
    }
}
