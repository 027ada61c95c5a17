/// HTML that is also well-formed XML. Text and attributes go through one place that escapes them; only constants of the program do not.
struct Markup {
    private(set) var source = ""

    /// An element with others in it.
    mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<String, String> = [:], _ content: (inout Markup) -> Void
    ) {
        open(name, attributes, end: ">")
        content(&self)
        source += "</\(name)>"
    }

    /// An element with text in it.
    mutating func element(_ name: StaticString, _ attributes: KeyValuePairs<String, String> = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element without content.
    mutating func empty(_ name: StaticString, _ attributes: KeyValuePairs<String, String> = [:]) {
        open(name, attributes, end: "/>")
    }

    mutating func text(_ text: String) { source += Self.escaped(text) }

    /// Written as it is.
    mutating func constant(_ text: StaticString) { source += "\(text)" }

    /// A style sheet of the program's own.
    mutating func style(_ sheet: String) { source += "<style>\n\(sheet)</style>\n" }

    mutating func newline() { source += "\n" }

    private mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<String, String>, end: String) {
        source += "<\(name)"
        for (name, value) in attributes { source += " \(name)=\"\(Self.escaped(value))\"" }
        source += end
    }

    /// Without the characters that mean something, and without those that no document may have.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result.unicodeScalars.append(character)
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
