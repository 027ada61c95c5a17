import AlertBusModel
import AlertBusWire
import Testing

/// Providers that answer wrongly, too often, too late or with too much.
@Suite("A provider that misbehaves", .timeLimit(.minutes(3)))
struct MisbehaviourTests {
    /// Raises one alert, answers its load with a text, and tells how the alert ended.
    private func end(
        _ arbiter: LocalArbiter, timeout: Int = 10_000, _ answer: (LoadRequest) -> String
    ) throws -> Receipt {
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try page.raise("a", "filter", #","sources":[{"name":"houses","timeout_ms":\#(timeout)}]"#)
        try provider.send(answer(try provider.nextLoad()))
        return try page.nextEnd()
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var rows: String
        var cause: String
        var testDescription: String { rows }
    }

    @Test(
        "Rows that are none fail the alert at once, with the place",
        arguments: [
            Wrong(rows: #"[{"id":1},{"name":"no id"}]"#, cause: "rows/1/id"),
            Wrong(rows: #"[{"id":true}]"#, cause: "rows/0/id"), Wrong(rows: #"[{"id":null}]"#, cause: "rows/0/id"),
            Wrong(rows: #"[{"id":[1]}]"#, cause: "rows/0/id"), Wrong(rows: #"[{"id":{"a":1}}]"#, cause: "rows/0/id"),
            Wrong(rows: #"[{"id":1,"selected":true}]"#, cause: "selected"), Wrong(rows: "[7]", cause: "rows/0"),
            Wrong(rows: #"{"id":1}"#, cause: "rows"), Wrong(rows: "[{\"id\":1,}]", cause: "byte"),
            Wrong(rows: #"[{"id":1},{"id":2},{"id":1}]"#, cause: "same id"),
            Wrong(rows: #"[{"id":"a"},{"id":"\u0061"}]"#, cause: "same id"), Wrong(rows: "null", cause: "rows"),
        ])
    func malformed(wrong: Wrong) throws {
        let end = try end(try LocalArbiter()) { #"{"v":1,"op":"loaded","load":\#($0.load),"rows":\#(wrong.rows)}"# }
        #expect(end.reason == .loadFailed)
        #expect(end.detail.hasPrefix("houses: ") && end.detail.contains(wrong.cause), "\(end.detail)")
    }

    @Test("1 and \"1\" are two ids")
    func types() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try screen.subscribe("a")
        try page.raise("a", "filter", #","sources":[{"name":"houses","selected":["1"]}]"#)
        try provider.answer(try provider.nextLoad(), #"[{"id":1},{"id":"1"},{"id":-2.50}]"#)
        #expect(try screen.nextShow().ids("houses") == #"1 ["1"] -2.50"#)
        let wrong = try page.ask(
            #"{"v":1,"op":"answer","surface":"a","key":"filter","answer":{"selected":{"houses":["-2.50"]}}}"#, ref: "w")
        #expect(wrong.refusal?.reason == .malformed)
        #expect(
            try page.ask(
                #"{"v":1,"op":"answer","surface":"a","key":"filter","answer":{"selected":{"houses":["1",-2.50]}}}"#, ref: "r"
            ).refusal == nil)
    }

    @Test("Too many rows, too many bytes and too long a message fail the alert, with the limit's name")
    func limits() throws {
        let arbiter = try LocalArbiter {
            $0.limits.rows = 3
            $0.limits.bytes = 4000
            $0.peerLimits.messageBytes = 5000
        }
        let rows = try end(arbiter) { #"{"v":1,"op":"loaded","load":\#($0.load),"rows":[{"id":1},{"id":2},{"id":3},{"id":4}]}"# }
        #expect(rows.detail == "houses: it brought 4 rows; the limit is 3 (rows)")
        func filled(_ count: Int) -> String { #"[{"id":1,"text":"\#(String(repeating: "x", count: count))"}]"# }
        let bytes = try end(arbiter) { #"{"v":1,"op":"loaded","load":\#($0.load),"rows":\#(filled(4000))}"# }
        #expect(bytes.detail.contains("the limit (bytes)"), "\(bytes.detail)")
        let message = try end(arbiter) { #"{"v":1,"op":"loaded","load":\#($0.load),"rows":\#(filled(6000))}"# }
        #expect(message.detail.contains("the limit is 5000"), "\(message.detail)")
    }

    @Test("What has come for alerts that still wait for the rest counts as well")
    func bytesWhileLoading() throws {
        let arbiter = try LocalArbiter { $0.limits.bytes = 4000 }
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        try provider.provide("big", "never")
        let text = String(repeating: "x", count: 900)
        for index in 0..<4 {
            try page.raise("a", "k\(index)", #","sources":[{"name":"big"},{"name":"never"}]"#)
            try provider.answer(try provider.nextLoad("big"), #"[{"id":1,"text":"\#(text)"}]"#)
        }
        try page.raise("a", "k4", #","sources":[{"name":"big"},{"name":"never"}]"#)
        try provider.answer(try provider.nextLoad("big"), #"[{"id":1,"text":"\#(text)"}]"#)
        let end = try page.nextEnd()
        #expect(end.key == "k4" && end.detail.contains("the limit (bytes)"))
        // What ends gives its bytes back.
        for index in 0..<4 { try page.ask(#"{"v":1,"op":"withdraw","surface":"a","key":"k\#(index)"}"#, ref: "w") }
        try page.raise("a", "k5", #","sources":[{"name":"big"}]"#)
        try provider.answer(try provider.nextLoad("big"), #"[{"id":1,"text":"\#(text)\#(text)\#(text)"}]"#)
        try provider.ping()
        guard case .event(let stands) = try page.ask(#"{"v":1,"op":"status","surface":"a","key":"k5"}"#, ref: "s") else {
            throw TimeoutError(what: "a status")
        }
        #expect(stands.event == .shown)
    }

    @Test("An alert with more sources than the limit, or with more bytes in them, is refused")
    func sources() throws {
        let arbiter = try LocalArbiter {
            $0.limits.sources = 2
            $0.limits.bytes = 2000
        }
        let page = try RawPeer(arbiter.requests)
        func raise(_ sources: String) throws -> Refusal? {
            try page.ask(#"{"v":1,"op":"raise","surface":"a","key":"k","sources":[\#(sources)]}"#, ref: "r").refusal
        }
        #expect(try raise(#"{"name":"a"},{"name":"b"},{"name":"c"}"#)?.reason == .overLimit)
        let long = "\"" + String(repeating: "x", count: 200) + "\""
        let ids = (0..<20).map { "\"\($0)" + String(repeating: "x", count: 200) + "\"" }.joined(separator: ",")
        #expect(try raise(#"{"name":"a","selected":[\#(ids)]}"#)?.reason == .overLimit)
        let request = Array(repeating: long, count: 20).joined(separator: ",")
        #expect(try raise(#"{"name":"a","request":[\#(request)]}"#)?.reason == .overLimit)
        #expect(try raise(#"{"name":"a","request":[\#(long)]}"#) == nil)
        let names = try LocalArbiter { $0.peerLimits.providedNamesPerSession = 2 }
        let provider = try RawPeer(names.requests)
        try provider.provide("a", "b", "a")
        #expect(try provider.ask(#"{"v":1,"op":"provide","name":"c"}"#, ref: "c").refusal?.reason == .overLimit)
    }

    @Test("A second answer, a late one and one for somebody else's load change nothing and are refused")
    func tooOften() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let other = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try other.provide("regions")
        try screen.subscribe("a")
        try page.raise("a", "filter", #","sources":[{"name":"houses"}]"#)
        let load = try provider.nextLoad()
        func answer(_ peer: RawPeer, _ id: Int) throws -> Reply {
            try peer.ask(#"{"v":1,"op":"loaded","load":\#(load.load),"rows":[{"id":\#(id)}]}"#, ref: "a\(id)")
        }
        #expect(try answer(other, 1).refusal?.reason == .unknownAlert)
        #expect(try answer(provider, 2).refusal == nil)
        #expect(try answer(provider, 3).refusal?.reason == .unknownAlert)
        #expect(
            try provider.ask(#"{"v":1,"op":"loaded","load":\#(load.load),"error":"x"}"#, ref: "e").refusal?.reason == .unknownAlert)
        try provider.send(#"{"v":1,"op":"loaded","load":\#(load.load),"rows":[{}]}"#)
        try provider.ping()
        #expect(try screen.nextShow().ids("houses") == "2")
        try page.raise("b", "late", #","sources":[{"name":"houses","timeout_ms":50}]"#)
        let late = try provider.nextLoad()
        #expect(try page.nextEnd().reason == .loadFailed)
        #expect(
            try provider.ask(#"{"v":1,"op":"loaded","load":\#(late.load),"rows":[]}"#, ref: "l").refusal?.reason == .unknownAlert)
        try page.raise("a", "top", #","intercept":false"#)
        #expect(try screen.nextShow().key == "top")
    }
}
