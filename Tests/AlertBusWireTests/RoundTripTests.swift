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
