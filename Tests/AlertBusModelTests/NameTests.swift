import AlertBusModel
import Testing

/// Names, paths and scopes: what passes, and the exact fault of what does not.
@Suite struct NameTests {
    @Test(arguments: ["a", "door", "Türe 7", "a/b", " ", String(repeating: "x", count: 255), "日本"])
    func `a name passes`(_ name: String) throws { try Name.check(name) }

    private static let faults: [(String, NameFault)] = [
        ("", .empty),
        (String(repeating: "x", count: 256), .tooLong(bytes: 256, limit: 255)),
        (String(repeating: "é", count: 128), .tooLong(bytes: 256, limit: 255)),
        ("a\nb", .controlCharacter(atByte: 1)),
        ("\u{0}", .controlCharacter(atByte: 0)),
        ("ab\u{7F}", .controlCharacter(atByte: 2)),
        ("a\u{80}", .controlCharacter(atByte: 2)),
        ("a\u{9F}", .controlCharacter(atByte: 2)),
    ]

    @Test(arguments: faults)
    func `a name is refused`(_ name: String, _ fault: NameFault) {
        #expect(throws: fault) { try Name.check(name) }
        #expect(throws: fault) { try Name.checkPath(name) }
        #expect(!fault.description.isEmpty)
    }

    @Test func `a no-break space is a character like any other`() throws {
        try Name.check("a\u{A0}b")
    }

    @Test(arguments: ["a", "a/b/c", "lobby/kiosk-1/modal"])
    func `a path passes`(_ path: String) throws { try Name.checkPath(path) }

    private static let pathFaults: [(String, NameFault)] = [
        ("/a", .emptySegment(atByte: 0)), ("a//b", .emptySegment(atByte: 2)), ("a/", .slashAtEnd), ("/", .emptySegment(atByte: 0)),
    ]

    @Test(arguments: pathFaults)
    func `a path is refused`(_ path: String, _ fault: NameFault) {
        #expect(throws: fault) { try Name.checkPath(path) }
    }

    @Test func `a scope is a surface, or everything below`() throws {
        let one = try SurfaceScope("lobby/a")
        #expect(one.contains("lobby/a") && !one.contains("lobby/a/b") && !one.contains("lobby"))
        let below = try SurfaceScope("lobby/")
        #expect(below.isPrefix && below.contains("lobby/a") && below.contains("lobby/a/b"))
        #expect(!below.contains("lobby") && !below.contains("lobbyist/a"))
        let all = try SurfaceScope("/")
        #expect(all == .all && all.contains("anything"))
        for text in ["", "//", "/a", "a//"] { #expect(throws: NameFault.self) { try SurfaceScope(text) } }
    }

    @Test func `a scope contains narrower ones`() throws {
        let lobby = try SurfaceScope("lobby/")
        #expect(SurfaceScope.all.contains(lobby))
        #expect(!lobby.contains(SurfaceScope.all))
        #expect(lobby.contains(try SurfaceScope("lobby/a")))
        #expect(lobby.contains(try SurfaceScope("lobby/a/")))
        #expect(lobby.contains(lobby))
        #expect(!lobby.contains(try SurfaceScope("lobby")))
        #expect(!(try SurfaceScope("lobby/a")).contains(try SurfaceScope("lobby/a/")))
    }
}
