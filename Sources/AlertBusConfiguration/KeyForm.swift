/// A value of the file that a key can take.
package enum Literal: Equatable, Sendable {
    case integer(Int64)
    case boolean(Bool)
    case string(String)

    /// As it is written in the file.
    package var toml: String {
        switch self {
        case .integer(let value): Self.grouped(value)
        case .boolean(let value): value ? "true" : "false"
        case .string(let value): JSONLine.quoted(value)
        }
    }

    var json: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "true" : "false"
        case .string(let value): JSONLine.quoted(value)
        }
    }

    /// TOML allows `_` between digits, which keeps long numbers readable.
    static func grouped(_ value: Int64) -> String {
        let digits = String(value)
        guard value >= 10_000 else { return digits }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { result += "_" }
            result.append(digit)
        }
        return result
    }
}

/// What kind of value a key takes.
package enum KeyForm: Equatable, Sendable {
    /// The unit is "" for a number that counts nothing.
    case integer(ClosedRange<Int64>, unit: String)
    case boolean
    /// One of a closed list.
    case word([String])
    /// A boolean, or the words `on` and `off`.
    case toggle
    /// A string with rules of its own, in words that complete "expected …".
    case text(String)

    /// Completes the sentence "expected …".
    package var expectation: String {
        switch self {
        case .integer(let range, let unit):
            "an integer from \(Literal.grouped(range.lowerBound)) to \(Literal.grouped(range.upperBound))"
                + (unit.isEmpty ? "" : " " + unit)
        case .boolean: "true or false"
        case .word(let words): words.map(JSONLine.quoted).joined(separator: " or ")
        case .toggle: #"true, false, "on" or "off""#
        case .text(let text): text
        }
    }

    /// Whether a value has the right type, whatever it is.
    func accepts(_ literal: Literal) -> Bool {
        switch (self, literal) {
        case (.integer, .integer), (.boolean, .boolean), (.word, .string), (.text, .string), (.toggle, .boolean),
            (.toggle, .string):
            true
        case (.integer, _), (.boolean, _), (.word, _), (.text, _), (.toggle, _): false
        }
    }

    /// Reads what a person wrote on the command line; nil when it cannot be of this form.
    func literal(fromBare text: String) -> Literal? {
        switch self {
        case .integer: Int64(text).map(Literal.integer)
        case .boolean: Bool(text).map(Literal.boolean)
        case .toggle: Bool(text).map(Literal.boolean) ?? .string(text)
        case .word, .text: .string(text)
        }
    }
}
