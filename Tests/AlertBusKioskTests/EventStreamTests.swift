import AlertBusKiosk
import Testing

@Suite struct EventStreams {
    @Test func aPageBeginsWithASnapshotAndMissesNothing() throws {
        let fixture = try Fixture()
        try fixture.publish(#"{"op":"link","state":"connected"}"#)
        try fixture.show(1, seq: 1)
        try fixture.show(2, seq: 2)
        try fixture.publish(
            #"{"v":1,"op":"hide","surface":"lobby/modal","epoch":3,"seq":3,"reason":"dismissed","key":"k1","instance":1}"#)
        let client = try fixture.events()
        let text = try client.read(until: "event: snapshot\ndata: {\"op\":\"snapshot\",\"link\":\"connected\"")
        #expect(!text.contains("event: change"))
        try client.read(until: #""epoch":3,"seq":3,"shown":[{"on_top_ms":"#)
        #expect(!client.text.contains(#""key":"k1""#))
        try fixture.show(3, seq: 4)
        try client.read(until: "event: change\ndata: {\"v\":1,\"op\":\"show\"")
        try client.read(until: #""key":"k3""#)
    }

    @Test func aNewEpochAndALinkChangeReachThePage() throws {
        let fixture = try Fixture()
        try fixture.show(1, seq: 9)
        let client = try fixture.events()
        try client.read(until: #""seq":9"#)
        try fixture.publish(
            """
            {"v":1,"op":"snapshot","scope":"lobby/","epoch":4,"last":true,
             "surfaces":[{"surface":"lobby/other","seq":0,"shown":[{"instance":5,"key":"five"}]}]}
            """)
        // A surface in the scope that is not named any more is empty.
        try client.read(until: #"{"surface":"lobby/modal","epoch":4,"seq":0,"shown":[]}"#)
        try client.read(until: #"{"surface":"lobby/other","epoch":4,"seq":0,"shown":[{"on_top_ms":"#)
        try client.read(until: #","alert":{"instance":5,"key":"five"}}]}"#)
        try fixture.publish(#"{"op":"link","state":"stale"}"#)
        try client.read(until: #"data: {"op":"link","state":"stale"}"#)
    }

    @Test(arguments: [
        "", "{", "null", "{}", #"{"op":"show"}"#, #"{"op":"hide","surface":"s","epoch":1,"seq":1}"#,
        #"{"op":"link","state":"odd"}"#,
        #"{"op":"show","surface":"s","epoch":1,"seq":1.5,"alert":{"instance":1}}"#, #"{"op":"show"} x"#, "{\"op\":\"\u{7}\"}",
        #"{"op":"snapshot","scope":"s","epoch":1,"surfaces":[{"surface":"s"}]}"#, #"{"op":"snapshot","epoch":1,"surfaces":[]}"#,
    ])
    func badMessagesChangeNothing(message: String) throws {
        let fixture = try Fixture()
        try fixture.show(1, seq: 1)
        #expect(throws: KioskError.self) { try fixture.server.publish(Array(message.utf8)) }
        try fixture.events().read(until: #""seq":1,"shown":[{"#)
    }

    @Test func lineBreaksBetweenTokensDoNotBreakTheStream() throws {
        let fixture = try Fixture()
        let client = try fixture.events()
        try client.read(until: "event: snapshot")
        try fixture.publish(
            "{\"op\":\"show\",\r\n\"surface\":\"lobby/modal\",\n\"epoch\":1,\"seq\":1,\"alert\":{\"instance\":1,\n\"key\":\"a\\nb\"}}"
        )
        try client.read(
            until: #"data: {"op":"show",  "surface":"lobby/modal", "epoch":1,"seq":1,"alert":{"instance":1, "key":"a\nb"}}"#)
        // The page that comes later gets it whole, too.
        try fixture.events().read(until: #""alert":{"instance":1, "key":"a\nb"}}]"#)
    }

    @Test func aSlowPageIsResynchronisedAndMemoryStaysBounded() throws {
        var options = KioskOptions()
        options.backlogLimit = 64_000
        let fixture = try Fixture(options: options)
        let slow = try fixture.events(receiveBuffer: 4_096)
        let quick = try fixture.events()
        try slow.read(until: "event: snapshot")
        try quick.read(until: "event: snapshot")
        let filler = String(repeating: "x", count: 20_000)
        for seq in 1...150 {
            try fixture.show(seq % 3, seq: seq, title: "\(seq) \(filler)")
            // The quick one reads along, and loses nothing.
            try quick.read(until: "\"title\":\"\(seq) ")
            quick.forget()
        }
        let held = fixture.server.statistics
        #expect(held.resynchronisations > 0)
        #expect(held.bytes <= 3 * 64_000)
        // What the slow page gets at last: a snapshot with the newest state, then what follows.
        try slow.read(until: "\"title\":\"150 ")
        #expect(slow.text.ranges(of: "event: snapshot").count > 1)
        try fixture.show(9, seq: 151, title: "last")
        try slow.read(until: "\"title\":\"last\"")
        #expect(slow.received.count < 2_000_000)
    }

    @Test func quietStreamsShowSignsOfLife() throws {
        var options = KioskOptions()
        options.heartbeat = 50
        let fixture = try Fixture(options: options)
        let client = try fixture.events()
        for _ in 0..<3 {
            try client.read(until: "event: beat\ndata: {}\n\n")
            client.forget()
        }
        #expect(!client.isAtEnd)
    }

    @Test func streamsThatComeAndGoLeaveNothingBehind() throws {
        var options = KioskOptions()
        options.heartbeat = 50
        options.connections = 40
        let fixture = try Fixture(options: options)
        let before = openFiles()
        for round in 0..<100 {
            let client = try fixture.events()
            if round % 3 > 0 { try client.read(until: "event: snapshot") }
        }
        let server = fixture.server
        #expect(eventually { server.statistics.streams == 0 })
        #expect(eventually { openFiles() <= before })
        #expect(server.statistics.bytes == 0)
    }

    @Test func stopEndsOpenStreamsAndWaitingActions() throws {
        let fixture = try Fixture()
        fixture.bus.answer(nil)
        let clients = try (0..<10).map { _ in try fixture.events() }
        for client in clients { try client.read(until: "event: snapshot") }
        let waiting = try HTTPClient(port: fixture.port)
        let body = #"{"kind":"dismiss","surface":"s","instance":1,"revision":1}"#
        let token = try fixture.token()
        waiting.send(
            """
            POST /act HTTP/1.1\r\nHost: 127.0.0.1:\(fixture.port)\r\nOrigin: http://127.0.0.1:\(fixture.port)\r\nContent-Type: application/json\r\n\
            X-AlertBus-Token: \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """)
        let bus = fixture.bus
        #expect(eventually { bus.acts.count == 1 })
        let began = HTTPClient.now()
        fixture.server.stop()
        #expect(HTTPClient.now() - began < 1_500)
        // The last chunk of a chunked response: the stream has ended, it was not cut off.
        for client in clients { #expect(try client.readToEnd().hasSuffix("0\r\n\r\n")) }
        #expect(fixture.server.statistics.streams == 0)
        fixture.server.stop()
        let server = fixture.server
        #expect(throws: KioskError.stopped) { try server.start() }
        try fixture.publish(#"{"op":"link","state":"stale"}"#)
    }

    @Test func connectionsAreLimited() throws {
        var options = KioskOptions()
        options.connections = 4
        options.heartbeat = 50
        let fixture = try Fixture(options: options)
        var clients = try (0..<4).map { _ in try fixture.events() }
        for client in clients { try client.read(until: "event: snapshot") }
        // The fifth waits outside until one of them goes.
        let fifth = try fixture.events()
        for client in clients {
            client.forget()
            try client.read(until: "event: beat")
        }
        #expect(fixture.server.statistics.streams == 4)
        clients.removeFirst()
        try fifth.read(until: "event: snapshot")
    }

    @Test func manyThreadsMayPublishAndFollow() async throws {
        let fixture = try Fixture()
        let (server, port) = (fixture.server, fixture.port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for surface in 0..<4 {
                group.addTask {
                    for seq in 1...500 {
                        try server.publish(
                            Array(
                                #"{"op":"show","surface":"s\#(surface)","epoch":1,"seq":\#(seq),"alert":{"instance":1,"key":"n\#(seq)"}}"#
                                    .utf8))
                    }
                }
                group.addTask {
                    for _ in 0..<10 {
                        let client = try HTTPClient(port: port)
                        client.send("GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        try client.read(until: "event: snapshot")
                    }
                }
            }
            try await group.waitForAll()
        }
        let client = try fixture.events()
        for surface in 0..<4 { try client.read(until: #"{"surface":"s\#(surface)","epoch":1,"seq":500,"#) }
    }

    private func openFiles() -> Int { countEntries("/proc/self/fd") }
}
