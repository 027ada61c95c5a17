import AlertBusModel
import AlertBusWire
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func requestsComeBackAsTheyWere(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let decoder = RequestDecoder()
        var writer = MessageWriter()
        for _ in 0..<2000 {
            let request = chance.request()
            writer.removeAll()
            writer.request(request)
            #expect(try decoder.decode(writer.bytes) == request)
        }
    }

    /// What was there before leaves no trace, not even after a message that could not be read.
    @Test(arguments: [10, 11, 12] as [UInt64])
    func aRequestInThePlaceOfAnotherOneIsTheSame(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let decoder = RequestDecoder()
        var writer = MessageWriter()
        var place = DecodedRequest()
        func decode(_ bytes: ArraySlice<UInt8>) throws {
            try bytes.span.bytes.withUnsafeBytes { bytes throws(WireFault) in try decoder.decode(bytes, into: &place) }
        }
        for number in 0..<2000 {
            let request = chance.request()
            writer.removeAll()
            writer.request(request)
            let bytes = writer.bytes
            if number % 5 == 0 { #expect(throws: WireFault.self) { try decode(bytes.dropLast(1 + number % 20)) } }
            try decode(bytes[...])
            #expect(place.request == request)
        }
    }

    /// Whatever its length: a string is written in steps of eight bytes, of four, and of one.
    @Test(arguments: ["\"", "\\", "\n", "\u{1}", "\u{1F}", " ", "\u{7F}", "é", "€", "😀"])
    func aCharacterComesBackFromEachPlaceOfAString(character: String) throws {
        let decoder = ServerMessageDecoder()
        var writer = MessageWriter()
        for length in 0...20 {
            for place in 0...length {
                let text = String(repeating: "a", count: place) + character + String(repeating: "b", count: length - place)
                let refusal = Refusal(.overLimit, text)
                writer.removeAll()
                writer.refused(refusal, ref: [])
                #expect(try decoder.decode(writer.bytes) == .reply(ref: [], .refused(refusal), watchers: nil))
            }
        }
    }

    @Test(arguments: [5, 6, 7, 8] as [UInt64])
    func serverMessagesComeBackAsTheyWere(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let decoder = ServerMessageDecoder()
        var writer = MessageWriter()
        for _ in 0..<2000 {
            let message = chance.serverMessage()
            writer.removeAll()
            writer.message(message)
            #expect(try decoder.decode(writer.bytes) == message)
        }
    }

    @Test func valuesComeBackAsTheyWere() throws {
        var chance = Chance(seed: 9)
        for _ in 0..<2000 {
            let value = chance.json(5)
            #expect(try JSONValue(value.bytes) == value)
        }
    }

    @Test func messagesStandOneBehindTheOther() throws {
        var writer = MessageWriter(capacity: 1)
        writer.done(ref: Array("1".utf8))
        let first = writer.count
        writer.done(ref: Array("2".utf8))
        let bytes = writer.bytes
        let decoder = ServerMessageDecoder()
        #expect(
            try decoder.decode(Array(bytes[..<first])) == .reply(ref: Array("1".utf8), .done(Done()), watchers: nil))
        #expect(
            try decoder.decode(Array(bytes[first...])) == .reply(ref: Array("2".utf8), .done(Done()), watchers: nil))
    }

    @Test func aSnapshotLargerThanTheMemoryAtHandIsWritten() throws {
        let alert = ShownAlert(
            key: "k", instance: 1, revision: 1, priority: 1,
            params: JSONValue.object([.init("text", .string(String(repeating: "é\"", count: 50_000)))]).bytes)
        let part = SnapshotPart(
            scope: .all, epoch: 1,
            surfaces: (0..<20).map { SurfaceSnapshot(surface: "s/\($0)", epoch: 1, seq: 1, shown: [alert]) })
        var writer = MessageWriter(capacity: 64)
        writer.snapshot(part)
        #expect(writer.count > 2_000_000)
        #expect(try ServerMessageDecoder().decode(writer.bytes) == .snapshot(part))
    }
}
