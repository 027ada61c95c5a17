import Command
import Testing

@Suite("What is printed")
struct OutputTests {
    @Test("Nothing that a terminal would obey gets through")
    func safety() {
        #expect(Quoting.safe("a\u{1B}[31mb") == "a\u{FFFD}[31mb")
        #expect(Quoting.safe("a\nb\tc") == "a b c")
        #expect(Quoting.safe("a\u{9B}b\u{202E}c\u{2066}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
        #expect(Quoting.safe("Tür 门 باب 👩‍💻") == "Tür 门 باب 👩‍💻")
    }

    @Test(
        "Widths count columns of a terminal",
        arguments: [("abc", 3), ("", 0), ("门", 2), ("ü", 1), ("u\u{308}", 1), ("باب", 3), ("👩‍💻", 2), ("Ａ", 2)])
    func widths(text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test("A text that is too wide is cut between characters")
    func cutting() {
        #expect(TextWidth.cut("abcdef", to: 6) == "abcdef")
        #expect(TextWidth.cut("abcdef", to: 4) == "abc…")
        #expect(TextWidth.cut("门门门", to: 4) == "门…")
    }

    @Test("Columns line up, and give way when the terminal is narrow")
    func table() {
        var table = TextTable([.init("NAME", isElastic: true), .init("N", isNumber: true), .init("END")])
        table.add(["a very long name indeed", "7", "x"])
        table.add(["门", "12", ""])
        #expect(
            table.text(width: nil) == """
                NAME                      N  END
                a very long name indeed   7  x
                门                       12

                """)
        #expect(
            table.text(width: 20) == """
                NAME          N  END
                a very lon…   7  x
                门           12

                """)
    }
}
