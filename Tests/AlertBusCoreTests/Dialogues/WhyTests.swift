import AlertBusModel
import CoreOracle
import Testing

/// The comparison that decided: which rule, who is above, until when.
@Suite struct WhyTests {
    private func short(_ why: Explanation?) -> String {
        guard let why else { return "nobody" }
        return "\(why.rule) above \(why.above) \(why.aboveKey) until \(why.until.map(String.init) ?? "-")"
    }

    @Test func `shown: until one of its clocks ends it`() {
        var d = Dialogue()
        d.raise("a") {
            $0.ttl = 900
            $0.display = 500
        }
        #expect(short(d.why("a")) == "shown above 0  until 500")
        d.raise("b", on: "t")
        #expect(d.why("b") == nil)
    }

    @Test func `shown: a source that is loaded again ends nothing`() {
        var d = Dialogue()
        d.raise("a") { $0.sources = [Source(name: "x")] }
        _ = d.take(.loaded(load: 1, rows: []))
        d.raise("b")
        _ = d.refresh("a", "x")
        #expect(short(d.why("a")) == "shown above 0  until -")
        #expect(short(d.why("b")) == "busy above 1 a until -")
    }

    @Test func `busy: the top one is above, until its clock ends it`() {
        var d = Dialogue()
        d.raise("a") { $0.display = 500 }
        d.raise("b")
        #expect(short(d.why("b")) == "busy above 1 a until 500")
        #expect(d.why("b")?.state == .deferred)
    }

    @Test func `covered: the same for one that may come back`() {
        var d = Dialogue { $0.covered = .hide }
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        #expect(short(d.why("a")) == "covered above 2 b until -")
    }

    @Test func `lies_under: the next one above it`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        d.raise("c") { $0.intercept = false }
        #expect(short(d.why("a")) == "lies_under above 2 b until -")
    }

    @Test func `order: the one that is elected before it, and the comparison`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b", 2)
        d.raise("c", 2)
        d.raise("d", 1)
        #expect(short(d.why("c")) == "order above 2 b until -")
        #expect(d.why("c")?.message.contains("arrived earlier") == true)
        #expect(d.why("d")?.message.contains("priority 2 is above 1") == true)
        d.dismiss()
        #expect(short(d.why("d")) == "order above 2 b until 350")
    }

    @Test func `gap: the winner waits for its end`() {
        var d = Dialogue()
        d.raise("a")
        d.raise("b")
        d.dismiss()
        #expect(short(d.why("b")) == "gap above 0  until 350")
    }

    @Test func `held: until somebody releases it`() {
        var d = Dialogue { $0.hold = true }
        d.raise("a")
        #expect(short(d.why("a")) == "held above 0  until -")
    }

    @Test func `min_show: the one that may not be covered yet`() {
        var d = Dialogue { $0.minShow = 100 }
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        #expect(short(d.why("b")) == "min_show above 1 a until 100")
    }

    @Test func `min_show: of two urgent ones the second waits for the first`() {
        var d = Dialogue { $0.minShow = 100 }
        d.raise("a")
        d.raise("b") { $0.intercept = false }
        d.raise("c") { $0.intercept = false }
        #expect(short(d.why("b")) == "min_show above 1 a until 100")
        #expect(short(d.why("c")) == "order above 2 b until -")
    }

    @Test func `loading: which sources are missing, until the first limit`() {
        var d = Dialogue()
        d.raise("a") {
            $0.sources = [Source(name: "x", timeout: 500), Source(name: "y", timeout: 700)]
        }
        #expect(short(d.why("a")) == "loading above 0  until 500")
        #expect(d.why("a")?.message.contains("x, y") == true)
    }

    @Test func `nobody: the refusal of any other command`() {
        let d = Dialogue()
        #expect(throws: Refusal.self) { try d.arbiter.explain("s", .key("a")) }
    }

    @Test func `the list: the stack from the top, what waits by rank, what loads; surfaces by creation`() {
        var d = Dialogue()
        d.raise("z", on: "later/b")
        d.raise("a")
        d.raise("under") { $0.intercept = false }
        d.raise("low", 1)
        d.raise("high", 3)
        d.raise("loading", 3) { $0.sources = [Source(name: "x")] }
        let list = d.arbiter.alerts(in: .all).map { "\($0.surface) \($0.key) \($0.state.rawValue) \($0.position)" }
        #expect(
            list == [
                "later/b z shown 0", "s under shown 0", "s a shown 0", "s high deferred 1", "s low deferred 2",
                "s loading loading 0",
            ])
        #expect(d.arbiter.alerts(in: Dialogue.scope("later/")).map(\.key) == ["z"])
    }
}
