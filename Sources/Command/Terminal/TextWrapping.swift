/// Breaks texts into lines of a terminal.
package enum TextWrapping {
    /// At spaces where there are some, anywhere in words that are wider than a line, and before any wide character, as scripts
    /// without spaces do.
    package static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            wrap(Quoting.safe(String(paragraph)), max(2, width))
        }
    }

    private static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for piece in pieces(text) {
            let columns = TextWidth.of(piece)
            if used + columns <= width {
                line += piece
                used += columns
            } else if piece == " " {
                lines.append(line)
                (line, used) = ("", 0)
            } else if columns <= width {
                lines.append(trimmed(line))
                (line, used) = (piece, columns)
            } else {
                for character in piece {
                    let more = TextWidth.of(String(character))
                    if used + more > width {
                        lines.append(line)
                        (line, used) = ("", 0)
                    }
                    line.append(character)
                    used += more
                }
            }
        }
        lines.append(trimmed(line))
        return lines
    }

    /// Words, single spaces, and wide characters one by one.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var isInWord = false
        for character in text {
            let isWide = TextWidth.of(String(character)) > 1
            if character == " " || isWide || !isInWord {
                pieces.append(String(character))
            } else {
                pieces[pieces.count - 1].append(character)
            }
            isInWord = character != " " && !isWide
        }
        return pieces
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
