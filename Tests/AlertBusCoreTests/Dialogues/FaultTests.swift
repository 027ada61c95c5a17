import AlertBusCore
import AlertBusModel
import CoreOracle
import Testing

/// Faults that were found once, each in the shortest dialogue that shows it.
@Suite struct FaultTests {
    @Test func `a refresh that says no request repeats the one of the raise`() {
        var d = Dialogue()
        d.raise("a") { $0.sources = [Source(name: "x", request: Array("{\"country\":\"se\"}".utf8))] }
        _ = d.take(.loaded(load: 1, rows: []))
        func requests(_ effects: [Effect]) -> [String] {
            effects.compactMap { if case .load(let load) = $0 { String(decoding: load.request, as: UTF8.self) } else { nil } }
        }
        func refresh(_ request: String) -> Input {
            .command(.refresh(surface: "s", .key("a"), source: "x", request: Array(request.utf8)), from: Requester())
        }
        #expect(requests(d.effects(refresh("3"))) == ["3"])
        #expect(requests(d.effects(refresh(""))) == ["{\"country\":\"se\"}"])
    }

    @Test func `a memory that may grow again goes on as if it had been saved and read`() throws {
        var small = Limits()
        small.memory = 3
        var arbiter = Arbiter(limits: small)
        func run(_ arbiter: inout Arbiter, _ inputs: [Input]) {
            var effects: [Effect] = []
            for input in inputs { arbiter.step(input, at: 0, into: &effects) }
        }
        func ends(_ keys: ClosedRange<Int>) -> [Input] {
            keys.flatMap { key -> [Input] in
                [
                    .command(.raise(Raise(surface: "s", key: "k\(key)")), from: Requester(once: "r\(key)")),
                    .command(.dismiss(surface: "s", .top, revision: nil), from: Requester()),
                ]
            }
        }
        run(&arbiter, ends(1...4))
        var large = Limits()
        large.memory = 10
        run(&arbiter, [.configured(PolicySet(), large)])
        var restored = try Arbiter(saved: arbiter.save())
        run(&arbiter, ends(5...6))
        run(&restored, ends(5...6))
        #expect(arbiter.save() == restored.save())
        var effects: [Effect] = []
        arbiter.step(.command(.status(surface: "s", .key("k2")), from: Requester()), at: 0, into: &effects)
        #expect(effects.map(\.line) == ["event k2 ended dismissed"], "there was room for it")
    }

    /// A hash table has an order of its own in every process; here it would have reached the reply.
    @Test func `of very many alerts with one key the newest are named`() {
        var d = Dialogue()
        for producer in 0..<12 { d.raise("same", producer: "p\(producer)") }
        // Enough others that the table grows many times over.
        for other in 0..<500 {
            var effects: [Effect] = []
            let raise = Command.raise(Raise(surface: "s", key: "other \(other)"))
            d.arbiter.step(.command(raise, from: Requester()), at: 0, into: &effects)
        }
        #expect(d.dismiss("same") == ["refused unknown_alert [5, 6, 7, 8, 9, 10, 11, 12]"])
    }

    @Test func `rows that came before the others count as bytes`() {
        var limits = Limits()
        limits.bytes = 20
        var d = Dialogue(limits: limits)
        for key in ["a", "b"] { d.raise(key) { $0.sources = [Source(name: "x"), Source(name: "y")] } }
        #expect(d.take(.loaded(load: 1, rows: [Row(1)])) == [])
        #expect(d.take(.loaded(load: 3, rows: [Row(1)])) == [])
        #expect(d.take(.loaded(load: 2, rows: [Row(1)])) == ["to [] a ended load_failed"])
        #expect(d.take(.loaded(load: 4, rows: [Row(1)])) == ["s#1 show b raised", "to [] b shown raised"])
    }

    @Test func `requests and selected ids count as bytes`() {
        var limits = Limits()
        limits.bytes = 20
        var d = Dialogue(limits: limits)
        let long = [UInt8](repeating: UInt8(ascii: "1"), count: 21)
        #expect(d.raise("a") { $0.sources = [Source(name: "x", request: long)] } == ["refused over_limit"])
        #expect(d.raise("a") { $0.sources = [Source(name: "x", selected: [long])] } == ["refused over_limit"])
    }

    @Test func `screens hear of a priority that counts otherwise after a reload`() {
        var d = Dialogue()
        d.raise("a", 3)
        d.raise("b", 3)
        #expect(d.configure { $0.maxPriority = 2 } == ["s#2 update a r1"])
        #expect(d.arbiter.snapshots(in: .all)[0].shown[0].priority == 1)
        #expect(d.configure { $0.maxPriority = 2 } == [])
    }
}
