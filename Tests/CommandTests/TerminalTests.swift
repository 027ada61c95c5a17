import AlertBus
import Command
import Testing

@Suite("The screen in a terminal")
struct TerminalTests {
    // MARK: Texts

    @Test("Lines break at spaces, in long words and before wide characters, and are never too wide")
    func wrapping() {
        #expect(TextWrapping.lines("one two three", width: 8) == ["one two", "three"])
        #expect(TextWrapping.lines("abcdefghij", width: 4) == ["abcd", "efgh", "ij"])
        #expect(TextWrapping.lines("请关门吧", width: 5) == ["请关", "门吧"])
        #expect(TextWrapping.lines("a\n\nb", width: 5) == ["a", "", "b"])
        #expect(TextWrapping.lines("", width: 5) == [""])
        for width in 2...20 {
            let lines = TextWrapping.lines("Lift 东 rests; e\u{301}galite\u{301} 👩‍👩‍👧 wwwwwwwwwwwwwwwwwwwwwwwwww", width: width)
            #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(width): \(lines)")
        }
    }

    @Test("Drawing over half of a wide character leaves no other half")
    func halves() {
        var canvas = Canvas(width: 6, height: 1)
        canvas.put("东门", x: 0, y: 0)
        canvas.put("x", x: 1, y: 0)
        #expect(canvas.text(0) == " x门")
        canvas.put("y", x: 2, y: 0)
        #expect(canvas.text(0) == " xy")
        // The last column has no room for a wide one.
        canvas.put("ab门", x: 3, y: 0)
        #expect(canvas.text(0) == " xyab…")
    }

    // MARK: The screen

    private func alert(_ instance: UInt64, _ params: String, _ data: [SourceData] = [], left: Milliseconds? = nil) -> ShownAlert {
        ShownAlert(
            key: "k\(instance)", instance: instance, revision: 1, priority: 1, params: Array(params.utf8), data: data,
            displayLeft: left)
    }

    private func screen(_ alerts: ShownAlert..., guardTime: Milliseconds = 300) -> TerminalScreen {
        var screen = TerminalScreen(title: "lobby/", guardTime: guardTime)
        screen.apply(.link(.connected), at: 0)
        for alert in alerts { screen.apply(.show(surface: "s", alert, .raised), at: 0) }
        return screen
    }

    private func text(_ screen: TerminalScreen, at now: Milliseconds = 0, width: Int = 60, height: Int = 20) -> String {
        let painter = ScreenPainter(screen: screen, width: width, height: height, now: now, clock: "12:00", address: "tcp://x:1")
        let canvas = painter.picture().canvas
        #expect(canvas.height == height)
        return (0..<canvas.height).map(canvas.text).joined(separator: "\n")
    }

    @Test("A key counts only when the guard has passed, and only once")
    func guardTime() {
        var screen = screen(alert(1, #"{"actions":[{"id":"yes"},{"id":"no"}]}"#))
        #expect(screen.press(.enter, at: 299) == nil)
        let deed = screen.press(.character("2"), at: 300)
        #expect(deed?.answer == ["action": "no"] && deed?.instance == 1 && deed?.surface == "s" && deed?.revision == 1)
        #expect(screen.press(.enter, at: 301) == nil)
        // What comes on top starts again.
        screen.apply(.show(surface: "s", alert(2, "{}"), .raised), at: 400)
        #expect(screen.press(.enter, at: 699) == nil)
        #expect(screen.press(.enter, at: 700)?.instance == 2)
    }

    @Test("Other buttons in the same place close the guard again, other words do not")
    func guardAndUpdates() {
        var screen = screen(alert(1, #"{"actions":[{"id":"yes"}]}"#))
        screen.apply(.update(surface: "s", alert(1, #"{"title":"x","actions":[{"id":"yes"}]}"#), .updated), at: 290)
        #expect(screen.press(.enter, at: 300) != nil)
        screen.apply(.update(surface: "s", alert(1, #"{"actions":[{"id":"no"}]}"#), .updated), at: 400)
        #expect(screen.press(.enter, at: 699) == nil)
        #expect(screen.press(.enter, at: 700)?.answer == ["action": "no"])
    }

    @Test("Escape dismisses only where that is allowed, and nothing is sent without a connection")
    func escape() {
        var fixed = screen(alert(1, #"{"dismissible":false,"actions":[{"id":"a"}]}"#))
        #expect(fixed.press(.escape, at: 1000) == nil)
        var free = screen(alert(1, "{}"))
        free.apply(.link(.stale), at: 10)
        #expect(free.press(.escape, at: 1000) == nil)
        #expect(text(free, at: 1000).contains("Nothing was sent"))
        free.apply(.link(.connected), at: 1100)
        let deed = free.press(.escape, at: 1200)
        #expect(deed != nil && deed?.answer == nil)
    }

    @Test("Ids come back as they were written, in the order of the rows, single choice keeps one")
    func selection() {
        let rows = ["9007199254740993", #""7""#, "7"].map {
            Row(id: Array($0.utf8), json: Array("{\"id\":\($0),\"name\":\"n\"}".utf8))
        }
        let data = [
            SourceData(name: "many", rows: rows, selected: [rows[2].id]),
            SourceData(name: "one", rows: rows, selected: [rows[0].id]),
        ]
        var screen = screen(alert(1, #"{"selection":{"one":"single"}}"#, data), guardTime: 0)
        _ = screen.press(.enter, at: 1)
        _ = screen.press(.tab, at: 1)
        _ = screen.press(.down, at: 1)
        _ = screen.press(.enter, at: 1)
        _ = screen.press(.tab, at: 1)
        let answer = screen.press(.enter, at: 1)?.answer
        #expect(answer?.text == #"{"action":"ok","selected":{"many":[9007199254740993,7],"one":["7"]}}"#)
    }

    @Test("What was typed outlives an update and being covered")
    func typing() {
        var screen = screen(alert(1, #"{"input":{"label":"Name"}}"#), guardTime: 0)
        for character in "Ada" { _ = screen.press(.character(character), at: 1) }
        screen.apply(.update(surface: "s", alert(1, #"{"title":"Again","input":{"label":"Name"}}"#), .updated), at: 2)
        screen.apply(.show(surface: "s", alert(2, "{}"), .raised), at: 3)
        _ = screen.press(.character("x"), at: 3)
        screen.apply(.hide(surface: "s", alert(2, "{}"), .dismissed), at: 4)
        #expect(screen.press(.enter, at: 5)?.answer == ["action": "ok", "text": "Ada"])
    }

    @Test("The time left stands still while another one lies over it")
    func clocks() {
        var screen = screen(alert(1, "{}", left: 10_000))
        screen.apply(.show(surface: "s", alert(2, "{}"), .raised), at: 4_000)
        screen.apply(.hide(surface: "s", alert(2, "{}"), .dismissed), at: 60_000)
        #expect(text(screen, at: 61_000).contains("5 s left"))
    }

    @Test("Whatever a producer sends is drawn inside the terminal, at any size")
    func strange() {
        let params = [
            "{}", #"{"title":null,"actions":"x","input":3,"progress":"y"}"#,
            #"{"title":{"a":1},"body":5,"actions":[null,1,{"label":"no id"},{"id":0}]}"#,
            "{\"title\":\"\(String(repeating: "门", count: 200))\",\"body\":\"\(String(repeating: "long ", count: 400))\",\"progress\":2}",
        ]
        for text in params {
            var screen = screen(alert(1, text), alert(2, text), alert(3, text))
            var banner = alert(4, text)
            banner.presentation = "banner"
            screen.apply(.show(surface: "b", banner, .raised), at: 0)
            for (width, height) in [(0, 0), (1, 1), (10, 4), (11, 5), (40, 10), (200, 60)] {
                #expect(!self.text(screen, at: 1, width: width, height: height).contains("\u{1B}"))
            }
        }
    }
}
