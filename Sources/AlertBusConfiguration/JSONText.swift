/// Writes flat JSON objects for people's tools. Not for the bus.
struct JSONLine {
    private(set) var text = "{"

    mutating func add(_ name: String, _ value: String) { addRaw(name, Self.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { addRaw(name, "\(value)") }

    mutating func addRaw(_ name: String, _ json: String) {
        if text.utf8.count > 1 { text += "," }
        text += Self.quoted(name) + ":" + json
    }

    var closed: String { text + "}" }

    /// The text in quotes, with escapes that both JSON and TOML know.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
