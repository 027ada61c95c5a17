import AlertBusKiosk
import Glibc
import Testing

@Suite struct Requests {
    private let action = #"{"kind":"dismiss","surface":"lobby/modal","instance":7,"revision":2}"#

    @Test func everyResponseKeepsForeignPagesOut() throws {
        let fixture = try Fixture()
        let responses = try [
            HTTPClient.request("GET", "/", port: fixture.port), HTTPClient.request("GET", "/nothing", port: fixture.port),
            fixture.act(action),
        ]
        for response in responses {
            #expect(response.contains("Content-Security-Policy: default-src 'none'"))
            #expect(response.contains("frame-ancestors 'none'"))
            #expect(response.contains("X-Content-Type-Options: nosniff"))
            #expect(response.contains("Cache-Control: no-store"))
        }
        // Nothing inline runs that the server did not put there, and the nonce is new each time.
        let nonce = { (page: String) in page.firstRange(of: "script-src 'nonce-").map { page[$0.upperBound...].prefix(64) } }
        let again = try HTTPClient.request("GET", "/", port: fixture.port)
        #expect(nonce(responses[0]) != nil)
        #expect(nonce(responses[0]) != nonce(again))
        #expect(!responses[0].contains("unsafe-"))
        #expect(!responses[0].contains("{{"))
        #expect(!responses[0].contains("src=\"http"))
    }

    @Test(arguments: [
        ("GET", "/act", "405"), ("POST", "/", "405"), ("PUT", "/act", "405"), ("DELETE", "/", "405"), ("OPTIONS", "/act", "405"),
        ("HEAD", "/", "405"), ("GET", "/favicon.ico", "404"), ("GET", "/../etc/passwd", "404"), ("GET", "//", "404"),
    ])
    func nothingElseIsServed(method: String, path: String, status: String) throws {
        let fixture = try Fixture()
        #expect(try HTTPClient.request(method, path, port: fixture.port).hasPrefix("HTTP/1.1 \(status)"))
    }

    @Test(arguments: ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "192.168.0.1"])
    func foreignNamesAreRefused(host: String) throws {
        let fixture = try Fixture()
        for (method, path) in [("GET", "/"), ("GET", "/events"), ("POST", "/act")] {
            let response = try HTTPClient.request(method, path, port: fixture.port, headers: ["Host": host], body: "")
            #expect(response.hasPrefix("HTTP/1.1 403") || (host.isEmpty && response.hasPrefix("HTTP/1.1 400")))
        }
    }

    @Test func ownNamesAreServed() throws {
        var options = KioskOptions()
        options.hosts = ["kiosk.example"]
        let fixture = try Fixture(options: options)
        for host in ["localhost:\(fixture.port)", "127.0.0.1", "[::1]:9", "Kiosk.Example:80"] {
            #expect(try HTTPClient.request("GET", "/", port: fixture.port, headers: ["Host": host]).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func onlyTheOwnPageActs() throws {
        let fixture = try Fixture()
        for headers in [
            ["X-AlertBus-Token": ""], ["X-AlertBus-Token": String(repeating: "0", count: 64)], ["Origin": ""],
            ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:1"],
            ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "same-site"],
        ] {
            #expect(try fixture.act(action, headers: headers).hasPrefix("HTTP/1.1 403"))
        }
        #expect(fixture.bus.acts.isEmpty)
        #expect(try fixture.act(action).hasPrefix("HTTP/1.1 200"))
        #expect(fixture.bus.acts == [KioskAction(surface: "lobby/modal", instance: 7, revision: 2, kind: .dismiss)])
    }

    @Test func foreignPagesCannotFollow() throws {
        let fixture = try Fixture()
        for headers in [["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
            #expect(try HTTPClient.request("GET", "/events", port: fixture.port, headers: headers).hasPrefix("HTTP/1.1 403"))
        }
        #expect(fixture.server.statistics.streams == 0)
    }

    @Test func tokensDifferBetweenStarts() throws {
        let one = try Fixture()
        let two = try Fixture()
        let tokens = (try one.token(), try two.token())
        #expect(tokens.0 != tokens.1)
        #expect(tokens.0.count == 64 && tokens.0.allSatisfy(\.isHexDigit))
    }

    @Test(arguments: [
        ("", "400"), ("{", "400"), ("[]", "400"), ("{\"kind\":\"other\"}", "400"), ("{\"kind\":\"dismiss\"}", "400"),
        (#"{"kind":"answer","surface":"s","instance":1,"revision":1,"answer":"x"}"#, "400"),
        (#"{"kind":"dismiss","surface":"s","instance":-1,"revision":1}"#, "400"),
        (#"{"kind":"dismiss","surface":"s","instance":18446744073709551616,"revision":1}"#, "400"),
        ("{\"kind\":\"\u{1}\"}", "400"),
    ])
    func badActionsAreRefused(body: String, status: String) throws {
        let fixture = try Fixture()
        #expect(try fixture.act(body).hasPrefix("HTTP/1.1 \(status)"))
        #expect(fixture.bus.acts.isEmpty)
    }

    @Test func bigAndDeepActionsAreRefused() throws {
        let fixture = try Fixture()
        #expect(try fixture.act("{\"a\":" + String(repeating: "[", count: 50_000)).hasPrefix("HTTP/1.1 400"))
        #expect(try fixture.act(String(repeating: " ", count: 70_000)).hasPrefix("HTTP/1.1 413"))
        #expect(fixture.bus.acts.isEmpty)
    }

    @Test func actionsNeedALengthAndAType() throws {
        let fixture = try Fixture()
        #expect(try fixture.act(action, headers: ["Content-Type": "text/plain"]).hasPrefix("HTTP/1.1 415"))
        #expect(try fixture.act("2\r\n{}\r\n0\r\n\r\n", headers: ["Transfer-Encoding": "chunked"]).hasPrefix("HTTP/1.1 411"))
        #expect(try fixture.act("{}", headers: ["X-Big": String(repeating: "x", count: 60_000)]).hasPrefix("HTTP/1.1 4"))
        #expect(fixture.bus.acts.isEmpty)
    }

    @Test func answersArriveAsTheyAre() throws {
        let fixture = try Fixture()
        let answer = #"{"action":"go","text":"a \"b\" \u00e9 é","selected":{"regions":[1,9007199254740993,"x"]}}"#
        _ = try fixture.act(#"{"kind":"answer","surface":"lobby\/modal","instance":7,"revision":2,"answer":\#(answer)}"#)
        #expect(
            fixture.bus.acts == [
                KioskAction(surface: "lobby/modal", instance: 7, revision: 2, kind: .answer(json: Array(answer.utf8)))
            ])
    }

    @Test func refusalsReachThePage() throws {
        let fixture = try Fixture()
        fixture.bus.answer(.refused(reason: "already_ended", message: "it \"ended\"\n"))
        let response = try fixture.act(action)
        #expect(response.hasPrefix("HTTP/1.1 200"))
        #expect(response.hasSuffix(#"{"ok":false,"reason":"already_ended","message":"it \"ended\"\u000a"}"#))
    }

    @Test func aSilentBusEndsTheWait() throws {
        var options = KioskOptions()
        options.actTimeout = 100
        let fixture = try Fixture(options: options)
        fixture.bus.answer(nil)
        #expect(try fixture.act(action).contains(#""reason":"unreachable""#))
    }

    @Test func drawnPositionsArePassedOn() throws {
        let fixture = try Fixture()
        let positions = #"[{"surface":"a","epoch":3,"seq":42},{"surface":"b","epoch":3,"seq":7}]"#
        #expect(try fixture.act(#"{"kind":"drawn","positions":\#(positions)}"#).hasPrefix("HTTP/1.1 200"))
        #expect(fixture.bus.drawn == ["a 3 42", "b 3 7"])
    }

    @Test func aPortInUseIsAnError() throws {
        let fixture = try Fixture()
        let port = fixture.port
        let other = KioskServer(address: KioskAddress(host: "127.0.0.1", port: port), surfaces: ["s"], bus: RecordingBus())
        #expect(throws: KioskError.cannotBind(address: "127.0.0.1:\(port)", code: EADDRINUSE, reason: "Address already in use")) {
            try other.start()
        }
    }

    @Test(arguments: ["", "8080", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", "::1:80", ":80"])
    func badAddressesAreRefused(text: String) {
        #expect(throws: KioskError.badAddress(text)) { try KioskAddress(text) }
    }

    @Test func addressesAreRead() throws {
        #expect(try KioskAddress("[::1]:80") == KioskAddress(host: "::1", port: 80))
        #expect(try KioskAddress("[::1]:80").description == "[::1]:80")
        #expect(try KioskAddress("localhost:80").isLoopback)
        #expect(try !KioskAddress("0.0.0.0:80").isLoopback)
        let server = KioskServer(address: KioskAddress(host: "nowhere.example", port: 0), surfaces: ["s"], bus: RecordingBus())
        #expect(throws: KioskError.badAddress("nowhere.example:0")) { try server.start() }
    }
}
