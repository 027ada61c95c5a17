/// Text of others on its way to a terminal.
package enum Quoting {
    /// In quotes, so that its ends are seen.
    static func quoted(_ text: String) -> String { "\"\(safe(text))\"" }

    /// The text with everything replaced that a terminal would obey instead of showing: control characters (line breaks
    /// too), and marks that turn the direction of writing for the rest of the line.
    package static func safe(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D, 0x09: result.append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
