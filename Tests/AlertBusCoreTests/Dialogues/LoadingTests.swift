import AlertBusModel
import CoreOracle
import Testing

/// Alerts that own their data.
@Suite struct LoadingTests {
    private func sources(_ names: [String], _ change: @escaping (inout Source) -> Void = { _ in }) -> (inout AlertContent) -> Void {
        { content in
            content.sources = names.map { name in
                var source = Source(name: name)
                change(&source)
                return source
            }
        }
    }

    @Test func `all sources are asked at once, and it is shown when all have come`() {
        var d = Dialogue()
        #expect(
            d.raise("a", session: 7, with: sources(["x", "y"])) == [
                "load 1 x until 10000", "load 2 y until 10000", "accepted 1 r1 loading",
            ])
        #expect(d.take(.loaded(load: 2, rows: [Row(1)])) == [])
        #expect(d.arbiter.pendingLoads.map(\.load) == [1])
        #expect(d.take(.loaded(load: 1, rows: [])) == ["s#1 show a raised", "to [7] a shown raised"])
        let data = d.arbiter.snapshots(in: .all)[0].shown[0].data
        #expect(data.map(\.name) == ["x", "y"], "in the order of the raise")
    }

    @Test func `it does not block others meanwhile and keeps its arrival`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]))
        #expect(d.raise("b").last == "accepted 2 r1 shown")
        d.raise("c")
        #expect(d.take(.loaded(load: 1, rows: [])) == ["to [] a deferred intercepted"])
        d.dismiss()
        #expect(d.wait(350).first == "s#3 show a dequeued", "it was accepted before c")
    }

    @Test func `an arrival that is refused ends with that reason`() {
        var d = Dialogue()
        d.raise("a", session: 7) {
            $0.sources = [Source(name: "x")]
            $0.activate = false
        }
        d.raise("b")
        #expect(d.take(.loaded(load: 1, rows: [])) == ["to [7] a ended intercepted"])
    }

    @Test func `what was selected is marked, in the order of the rows`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]) { $0.selected = [Array("3".utf8), Array("1".utf8), Array("9".utf8)] })
        _ = d.take(.loaded(load: 1, rows: [Row(1), Row(2), Row(3)]))
        #expect(d.arbiter.snapshots(in: .all)[0].shown[0].data[0].selected == [Array("1".utf8), Array("3".utf8)])
    }

    @Test func `one that fails ends the alert, naming which and why, and the others are withdrawn`() {
        var d = Dialogue()
        d.raise("a", session: 7, with: sources(["x", "y"]))
        let effects = d.effects(.loadFailed(load: 1, message: "no such table"))
        #expect(effects.map(\.line) == ["unload 2", "to [7] a ended load_failed"])
        guard case .receipt(let receipt, _) = effects.last else { return }
        #expect(receipt.detail == "x: no such table")
    }

    @Test func `an optional one may fail or be late`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x", "y"]) { $0.isOptional = true })
        #expect(d.take(.loadFailed(load: 1, message: "")) == [])
        #expect(d.wait(10_000) == ["unload 2", "s#1 show a raised", "to [] a shown raised"])
        #expect(d.arbiter.snapshots(in: .all)[0].shown[0].data == [])
    }

    @Test func `a late one ends the alert, at the limit of the source or of all`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]) { $0.timeout = 100 })
        #expect(d.wait(100) == ["unload 1", "to [] a ended load_failed"])
        d.raise("b") {
            $0.loadTimeout = 50
            $0.sources = [Source(name: "x")]
        }
        #expect(d.wait(50) == ["unload 2", "to [] b ended load_failed"])
    }

    @Test func `the same id twice, or too many rows, is a failure`() {
        var limits = Limits()
        limits.rows = 2
        var d = Dialogue(limits: limits)
        d.raise("a", with: sources(["x"]))
        #expect(d.take(.loaded(load: 1, rows: [Row(1), Row(1)])) == ["to [] a ended load_failed"])
        d.raise("b", with: sources(["x"]))
        #expect(d.take(.loaded(load: 2, rows: [Row(1), Row(2), Row(3)])) == ["to [] b ended load_failed"])
    }

    @Test func `what nobody waits for is ignored`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]))
        #expect(d.dismiss("a") == ["unload 1", "to [] a ended dismissed", "done 1 r1 1"])
        #expect(d.take(.loaded(load: 1, rows: [])) == [])
        #expect(d.take(.loadFailed(load: 9, message: "")) == [])
    }

    @Test func `a new start asks again for what has not come`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x", "y"]))
        _ = d.take(.loaded(load: 1, rows: [Row(1)]))
        d.now = 5000
        #expect(d.take(.started(epoch: 2)) == ["load 3 y until 15000"])
        #expect(d.take(.loaded(load: 2, rows: [])) == [], "the old request is forgotten")
        #expect(d.take(.loaded(load: 3, rows: [])).first == "s#1 show a raised")
    }

    // MARK: Loading again

    @Test func `refresh replaces the rows in place`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]) { $0.selected = [Array("1".utf8)] })
        _ = d.take(.loaded(load: 1, rows: [Row(1), Row(2)]))
        #expect(d.refresh("a", "x") == ["load 2 x until 10000", "done 1 r1 1"])
        #expect(d.take(.loaded(load: 2, rows: [Row(1), Row(3)])) == ["s#2 update a r2"])
        let data = d.arbiter.snapshots(in: .all)[0].shown[0].data[0]
        #expect(data.rows == [Row(1), Row(3)])
        #expect(data.selected == [Array("1".utf8)])
    }

    @Test func `a refresh that fails leaves the old rows and tells the screen`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]))
        _ = d.take(.loaded(load: 1, rows: [Row(1)]))
        _ = d.refresh("a", "x")
        let effects = d.effects(.loadFailed(load: 2, message: "away"))
        guard case .publish(let message) = effects.first, case .update(let alert) = message.change else {
            Issue.record("\(effects)")
            return
        }
        #expect(message.reason == .loadFailed)
        #expect(alert.revision == 1)
        #expect(alert.data[0].rows == [Row(1)])
        _ = d.refresh("a", "x")
        #expect(d.wait(10_000) == ["unload 3", "s#3 update a r1"])
    }

    @Test func `a newer refresh takes the place of the older one`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]))
        _ = d.take(.loaded(load: 1, rows: []))
        _ = d.refresh("a", "x")
        #expect(d.refresh("a", "x") == ["unload 2", "load 3 x until 10000", "done 1 r1 1"])
        #expect(d.take(.loaded(load: 2, rows: [Row(1)])) == [])
    }

    @Test func `a refresh of another source, or while it loads, is refused`() {
        var d = Dialogue()
        d.raise("a", with: sources(["x"]))
        #expect(d.refresh("a", "x") == ["refused unsupported"])
        #expect(d.refresh("a", "z") == ["refused malformed"])
    }

    // MARK: Answers

    @Test func `an answer must choose from what was offered`() {
        var d = Dialogue()
        d.raise("a", session: 7, with: sources(["x"]))
        _ = d.take(.loaded(load: 1, rows: [Row(1), Row(2)]))
        #expect(d.answer("a", "{}", chosen: [.init(source: "x", ids: [Array("3".utf8)])]) == ["refused malformed"])
        #expect(d.answer("a", "{}", chosen: [.init(source: "z", ids: [])]) == ["refused malformed"])
        #expect(
            d.answer("a", "{}", chosen: [.init(source: "x", ids: [Array("2".utf8), Array("1".utf8)])]) == [
                "s#2 hide a answered", "to [7] a ended answered", "done 1 r1 1",
            ])
    }
}

extension Dialogue {
    mutating func refresh(_ key: String, _ source: String, _ request: String = "") -> [String] {
        command(.refresh(surface: "s", .key(key), source: source, request: Array(request.utf8)))
    }
}
