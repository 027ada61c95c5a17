import AlertBusModel
import AlertBusWire
import Testing

@Suite struct BadInputTests {
    @Test(arguments: BadInput.json + BadInput.fields)
    func isRefusedWithItsPlace(input: BadInput) {
        do {
            let request = try RequestDecoder().decode(input.bytes)
            Issue.record("it was understood as \(request)")
        } catch {
            #expect(error.reason == input.reason)
            #expect(error.place == input.place)
            #expect(error.detail.contains(input.says), "\(error.detail)")
            #expect(error.ref == (input.keepsRef ? Array("\"r\"".utf8) : []))
        }
    }

    /// A fault must leave nothing behind that the next message could see.
    @Test func leavesTheDecoderAsItWas() throws {
        let decoder = RequestDecoder()
        let good = Array(#"{"v":1,"op":"raise","surface":"s","key":"k"}"#.utf8)
        for input in BadInput.json + BadInput.fields {
            #expect(throws: WireFault.self) { try decoder.decode(input.bytes) }
            #expect(try decoder.decode(good) == Request(.command(.raise(Raise(surface: "s", key: "k")))))
        }
    }

    @Test func becomesARefusalThatCanBeRead() throws {
        var writer = MessageWriter()
        let decoder = ServerMessageDecoder()
        for input in BadInput.json + BadInput.fields {
            do {
                _ = try RequestDecoder().decode(input.bytes)
            } catch {
                writer.removeAll()
                writer.refused(error)
                #expect(
                    try decoder.decode(writer.bytes) == .reply(ref: error.ref, .refused(error.refusal), watchers: nil))
            }
        }
    }

    @Test func namesAreAllDifferent() {
        let names = (BadInput.json + BadInput.fields).map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func theLimitOfAMessageCanBeSet() throws {
        let decoder = RequestDecoder(limits: WireLimits(messageBytes: 64))
        let short = #"{"v":1,"op":"ping"}"#
        #expect(try decoder.decode(Array(short.utf8)) == Request(.ping))
        let long = short + String(repeating: " ", count: 64)
        #expect(throws: WireFault(.malformed, at: "byte 64", "the message has \(long.utf8.count) bytes; the limit is 64")) {
            try decoder.decode(Array(long.utf8))
        }
    }

    @Test(
        "A faulty answer of a provider still says which load it was for",
        arguments: [
            #"{"v":1,"op":"loaded","load":7,"rows":[{"name":"no id"}]}"#,
            #"{"v":1,"op":"loaded","load":7,"rows":[{"id":1},{"id":1}]}"#,
            #"{"v":1,"op":"loaded","load":7,"rows":[{"id":true}]}"#,
            #"{"v":1,"op":"loaded","load":7}"#,
            #"{"v":1,"op":"loaded","load":7,"rows":[{"id":1,}]}"#,
            #"{"load":7,"v":1,"op":"loaded","rows":["#,
            #"{"v":1,"op":"loaded","ref":"a","load":7,"rows":[{"id":"12345678901234567890123456789012345678901234567890"}]}"#,
        ])
    func loads(message: String) throws {
        let decoder = RequestDecoder(limits: WireLimits(messageBytes: 96))
        let fault = try #require(throws: WireFault.self) { try decoder.decode(Array(message.utf8)) }
        #expect(fault.load == 7)
    }

    @Test(
        "No other message is taken for a provider's answer",
        arguments: [
            #"{"v":1,"op":"ping","load":7"#, #"{"v":1,"load":7,"rows":[]}"#, #"{"v":1,"op":"loaded","load":-7,"rows":[]}"#,
            #"{"v":1,"op":"loaded","params":{"load":7},"rows":["#, #"{"v":1,"op":["loaded"],"load":7}"#,
        ])
    func strangers(message: String) throws {
        let fault = try #require(throws: WireFault.self) { try RequestDecoder().decode(Array(message.utf8)) }
        #expect(fault.load == nil)
    }
}
