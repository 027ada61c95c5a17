import AlertBusModel
import Testing

/// When an alert appears whose data has to come first.
@Suite("Loading", .timeLimit(.minutes(3)))
struct LoadingTests {
    static let filter = #"""
        ,"presentation":"over_full_screen","sources":[{"name":"regions","request":{"country":"se"},"selected":[2,9]},
        {"name":"departments","selected":["it"]},{"name":"houses","optional":false}]
        """#

    @Test("All are asked at once; it appears when all are there, with the selection marked")
    func joined() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("regions", "departments", "houses")
        try screen.subscribe("a")
        #expect(try page.raise("a", "filter", Self.filter).state == .loading)
        let regions = try provider.nextLoad("regions")
        #expect(String(decoding: regions.request, as: UTF8.self) == #"{"country":"se"}"#)
        let departments = try provider.nextLoad("departments")
        let houses = try provider.nextLoad("houses")
        #expect(departments.request.isEmpty)
        try provider.answer(houses, #"[{"id":3,"name":"Mill"}]"#)
        try provider.answer(departments, "[]")
        try provider.answer(regions, #"[{"id":1},{"name":"South","id":2}]"#)
        let alert = try screen.nextShow()
        #expect(alert.presentation == "over_full_screen")
        #expect(alert.data.map(\.name) == ["regions", "departments", "houses"])
        #expect(alert.ids("regions") == "1 [2]")
        #expect(alert.ids("departments")?.isEmpty == true)
        #expect(alert.ids("houses") == "3")
        #expect(String(decoding: alert.data[0].rows[1].json, as: UTF8.self) == #"{"name":"South","id":2}"#)
    }

    @Test("It appears with the last answer: nothing comes in between, and within 50 ms")
    func lastAnswer() throws {
        let arbiter = try LocalArbiter()
        let fast = try RawPeer(arbiter.requests)
        let slow = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try fast.provide("regions", "departments")
        try slow.provide("houses")
        try screen.subscribe("/")
        var quickest = Double.infinity
        for round in 0..<5 {
            try page.raise("surface-\(round)", "filter", Self.filter)
            for name in ["regions", "departments"] { try fast.answer(try fast.nextLoad(name), "[]") }
            try fast.ping()
            // Whatever is raised before the last answer comes before it on the screen.
            try page.raise("other-\(round)", "before")
            #expect(try screen.nextShow().key == "before")
            let load = try slow.nextLoad("houses")
            let start = milliseconds()
            try slow.answer(load, "[]")
            // The same connection, so the arbiter takes this one directly after the answer.
            try slow.send(#"{"v":1,"op":"raise","surface":"other-\#(round)","key":"after","intercept":false}"#)
            #expect(try screen.nextShow().key == "filter")
            quickest = min(quickest, milliseconds() - start)
            #expect(try screen.nextShow().key == "after")
        }
        #expect(quickest <= 50)
    }

    @Test("While it loads it blocks nobody, and its place among equals is by arrival")
    func place() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try screen.subscribe("a")
        try page.raise("a", "loading", #","sources":[{"name":"houses"}]"#)
        #expect(try page.raise("a", "shown").state == .shown)
        #expect(try page.raise("a", "later").state == .deferred)
        #expect(try screen.nextShow().key == "shown")
        try provider.answer(try provider.nextLoad(), "[]")
        try provider.ping()
        #expect(try page.ask(#"{"v":1,"op":"dismiss","surface":"a"}"#, ref: "d").refusal == nil)
        guard case .hide = try screen.nextStream().change else { throw TimeoutError(what: "a hide") }
        #expect(try screen.nextShow().key == "loading")
    }

    @Test("One that fails ends it with the source and the cause; the others are told to stop")
    func failure() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        try provider.provide("regions", "departments", "houses")
        try page.raise("a", "filter", Self.filter)
        let loads = try (0..<3).map { _ in try provider.nextLoad() }
        let houses = try #require(loads.first { $0.name == "houses" })
        try provider.send(#"{"v":1,"op":"loaded","load":\#(houses.load),"error":"the land registry is closed"}"#)
        let end = try page.nextEnd()
        #expect(end.reason == .loadFailed)
        #expect(end.detail == "houses: the land registry is closed")
        let unloaded = [try provider.nextUnload(), try provider.nextUnload()]
        #expect(Set(unloaded) == Set(loads.map(\.load)).subtracting([houses.load]))
    }

    @Test("One that never answers ends it at its deadline, or at the one for all")
    func silence() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try page.raise("a", "own", #","sources":[{"name":"houses","timeout_ms":200}]"#)
        let own = try provider.nextLoad()
        #expect(own.timeout == 200)
        #expect(try page.nextEnd().detail == "houses: no provider answered within 200 ms")
        #expect(try provider.nextUnload() == own.load)
        try page.raise("a", "all", #","load_timeout_ms":150,"sources":[{"name":"houses"}]"#)
        let all = try provider.nextLoad()
        #expect(all.timeout == 150)
        let end = try page.nextEnd()
        #expect(end.reason == .loadFailed && end.detail == "houses: no provider answered within 150 ms")
        #expect(try provider.nextUnload() == all.load)
    }

    @Test("An optional source may be missing, and one that nobody provides is said to be so")
    func missing() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("regions", "houses")
        try screen.subscribe("a")
        try page.raise(
            "a", "optional",
            #","sources":[{"name":"nobody","optional":true,"timeout_ms":100},{"name":"regions","optional":true},{"name":"houses"}]"#
        )
        let regions = try provider.nextLoad("regions")
        try provider.send(#"{"v":1,"op":"loaded","load":\#(regions.load),"error":"closed"}"#)
        try provider.answer(try provider.nextLoad("houses"), #"[{"id":1}]"#)
        let alert = try screen.nextShow()
        #expect(alert.data.map(\.name) == ["houses"])
        try page.raise("b", "needed", #","sources":[{"name":"nobody","timeout_ms":100}]"#)
        let end = try page.nextEnd()
        #expect(end.reason == .loadFailed && end.detail.hasPrefix("nobody: nobody provides it;"))
    }

    @Test("A provider that comes late is asked what waited for it")
    func latecomer() throws {
        let arbiter = try LocalArbiter()
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try screen.subscribe("a")
        try page.raise("a", "filter", #","sources":[{"name":"houses"}]"#)
        let provider = try RawPeer(arbiter.requests)
        try provider.provide("houses")
        try provider.answer(try provider.nextLoad(), #"[{"id":1}]"#)
        #expect(try screen.nextShow().ids("houses") == "1")
    }

    @Test("Withdrawn while it loads: the providers are told to stop, and nothing is shown")
    func withdrawn() throws {
        let arbiter = try LocalArbiter()
        let provider = try RawPeer(arbiter.requests)
        let page = try RawPeer(arbiter.requests)
        let screen = try RawPeer(arbiter.requests)
        try provider.provide("regions", "departments", "houses")
        try screen.subscribe("a")
        try page.raise("a", "filter", Self.filter)
        let loads = try (0..<3).map { _ in try provider.nextLoad() }
        try provider.answer(loads[0], "[]")
        try provider.ping()
        try page.ask(#"{"v":1,"op":"withdraw","surface":"a","key":"filter"}"#, ref: "w")
        #expect(Set([try provider.nextUnload(), try provider.nextUnload()]) == Set(loads[1...].map(\.load)))
        try provider.answer(loads[1], "[]")
        try provider.answer(loads[2], "[]")
        try provider.ping()
        try page.raise("a", "next")
        #expect(try screen.nextShow().key == "next")
    }

    @Test("Requests are spread over the providers of a name")
    func spread() throws {
        let arbiter = try LocalArbiter()
        let providers = try (0..<3).map { _ in try RawPeer(arbiter.requests) }
        for provider in providers { try provider.provide("houses") }
        let page = try RawPeer(arbiter.requests)
        for index in 0..<6 { try page.raise("a", "k\(index)", #","sources":[{"name":"houses"}]"#) }
        for provider in providers {
            _ = try provider.nextLoad()
            _ = try provider.nextLoad()
        }
    }
}
