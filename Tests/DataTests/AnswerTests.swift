import AlertBusModel
import AlertBusWire
import Testing

/// Loading again while it is shown, and what a person chose.
@Suite("Refresh and answer", .timeLimit(.minutes(3)))
struct AnswerTests {
    /// An alert with houses that is shown.
    private struct Stage {
        let arbiter: LocalArbiter
        let provider: RawPeer
        let page: RawPeer
        let screen: RawPeer
        let shown: ShownAlert

        init() throws {
            arbiter = try LocalArbiter()
            provider = try RawPeer(arbiter.requests)
            page = try RawPeer(arbiter.requests)
            screen = try RawPeer(arbiter.requests)
            try provider.provide("houses")
            try screen.subscribe("a")
            try page.raise("a", "filter", #","sources":[{"name":"houses","request":{"region":1},"selected":[1,2]}]"#)
            try provider.answer(try provider.nextLoad(), #"[{"id":1},{"id":2},{"id":3}]"#)
            shown = try screen.nextShow()
        }

        func answer(_ rest: String) throws -> Reply {
            try screen.ask(#"{"v":1,"op":"answer","surface":"a","key":"filter",\#(rest)}"#, ref: "answer")
        }

        func refresh(_ rest: String = "") throws -> Reply {
            try screen.ask(#"{"v":1,"op":"refresh","surface":"a","key":"filter","source":"houses"\#(rest)}"#, ref: "refresh")
        }

        func nextUpdate() throws -> (StreamMessage, ShownAlert) {
            let message = try screen.nextStream()
            guard case .update(let alert) = message.change else { throw TimeoutError(what: "an update, got \(message)") }
            return (message, alert)
        }
    }

    @Test("New rows come as an update with the next revision; what stays valid of the selection is kept")
    func refresh() throws {
        let stage = try Stage()
        #expect(stage.shown.ids("houses") == "[1] [2] 3")
        #expect(try stage.refresh(#","request":{"region":2}"#).refusal == nil)
        let load = try stage.provider.nextLoad()
        #expect(String(decoding: load.request, as: UTF8.self) == #"{"region":2}"#)
        try stage.provider.answer(load, #"[{"id":2},{"id":4}]"#)
        let (message, alert) = try stage.nextUpdate()
        #expect(message.reason == .updated && alert.revision == 2)
        #expect(alert.ids("houses") == "[2] 4")
        // Without a request the provider is asked what the producer wrote.
        #expect(try stage.refresh().refusal == nil)
        let again = try stage.provider.nextLoad()
        #expect(String(decoding: again.request, as: UTF8.self) == #"{"region":1}"#)
        // A newer request takes the place of the one that is on its way.
        #expect(try stage.refresh(#","request":{"region":3}"#).refusal == nil)
        #expect(try stage.provider.nextUnload() == again.load)
        try stage.provider.answer(again, #"[{"id":9}]"#)
        try stage.provider.answer(try stage.provider.nextLoad(), #"[{"id":1}]"#)
        #expect(try stage.nextUpdate().1.ids("houses") == "[1]")
    }

    @Test("If it fails the old rows stay, and the screen hears the source and the cause")
    func failedRefresh() throws {
        let stage = try Stage()
        #expect(try stage.refresh().refusal == nil)
        let load = try stage.provider.nextLoad()
        try stage.provider.send(#"{"v":1,"op":"loaded","load":\#(load.load),"error":"closed"}"#)
        let (message, alert) = try stage.nextUpdate()
        #expect(message.reason == .loadFailed && message.detail == "houses: closed")
        #expect(alert.revision == 1 && alert.ids("houses") == "[1] [2] 3")
        let unknown = try stage.screen.ask(
            #"{"v":1,"op":"refresh","surface":"a","key":"filter","source":"regions"}"#, ref: "u")
        #expect(unknown.refusal?.reason == .malformed)
    }

    @Test("An answer to an older revision is refused stale, and one with ids or lists that were not offered malformed")
    func refusedAnswers() throws {
        let stage = try Stage()
        #expect(try stage.refresh().refusal == nil)
        try stage.provider.answer(try stage.provider.nextLoad(), #"[{"id":4}]"#)
        _ = try stage.nextUpdate()
        let stale = try stage.answer(#""revision":1,"answer":{"selected":{"houses":[1]}}"#)
        #expect(stale.refusal?.reason == .stale)
        let old = try stage.answer(#""revision":2,"answer":{"selected":{"houses":[1]}}"#)
        #expect(old.refusal?.reason == .malformed && old.refusal?.message.contains("the id 1 was not offered") == true)
        #expect(try stage.answer(#""answer":{"selected":{"houses":["4"]}}"#).refusal?.reason == .malformed)
        #expect(try stage.answer(#""answer":{"selected":{"regions":[4]}}"#).refusal?.reason == .malformed)
        #expect(try stage.answer(#""answer":{"selected":{"houses":4}}"#).refusal?.reason == .malformed)
        #expect(try stage.answer(#""revision":2,"answer":{"action":"ok","text":"t","selected":{"houses":[4]}}"#).refusal == nil)
        let end = try stage.page.nextEnd()
        #expect(end.reason == .answered && end.revision == 2)
        #expect(String(decoding: end.answer, as: UTF8.self) == #"{"action":"ok","text":"t","selected":{"houses":[4]}}"#)
    }

    @Test("The first answer wins, and later ones are told that it has ended")
    func firstWins() throws {
        let stage = try Stage()
        let second = try RawPeer(stage.arbiter.requests)
        let answer = #"{"v":1,"op":"answer","surface":"a","instance":\#(stage.shown.instance),"revision":1,"answer":"#
        #expect(try stage.screen.ask(answer + "1}", ref: "1").refusal == nil)
        #expect(try second.ask(answer + "2}", ref: "2").refusal?.reason == .alreadyEnded)
        #expect(try stage.refresh().refusal?.reason == .alreadyEnded)
        #expect(try stage.page.nextEnd().answer == Array("1".utf8))
    }

    @Test("The outcome reaches a producer that connected again in between, before the answer or after it")
    func reconnected() throws {
        let arbiter = try LocalArbiter()
        let screen = try RawPeer(arbiter.requests)
        func raised(_ key: String) throws -> RawPeer? {
            let page = try RawPeer(arbiter.requests)
            try page.raise("a", key, #","producer":"page""#)
            return page
        }
        let status = #"{"v":1,"op":"status","surface":"a","producer":"page","key":"#
        var page = try raised("before")
        page = nil
        let again = try RawPeer(arbiter.requests)
        #expect(try again.ask(status + #""before"}"#, ref: "s").refusal == nil)
        #expect(try screen.ask(#"{"v":1,"op":"answer","surface":"a","key":"before","answer":7}"#, ref: "a").refusal == nil)
        #expect(try again.nextEnd().answer == Array("7".utf8))
        page = try raised("after")
        page = nil
        #expect(page == nil)
        #expect(try screen.ask(#"{"v":1,"op":"answer","surface":"a","key":"after","answer":8}"#, ref: "b").refusal == nil)
        let late = try RawPeer(arbiter.requests)
        guard case .event(let receipt) = try late.ask(status + #""after"}"#, ref: "s") else {
            throw TimeoutError(what: "a status")
        }
        #expect(receipt.event == .ended && receipt.reason == .answered && receipt.answer == Array("8".utf8))
    }
}
