extension TOMLNode {
    /// What a person reads as "found": the value and its type.
    var finding: String {
        switch value {
        case .string(let text): "the string \(Self.shortened(text))"
        case .integer(let number): "the integer \(number)"
        case .float(let number): "the float \(number)"
        case .boolean(let value): "the boolean \(value)"
        case .time: "a date or time"
        case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
        case .table: "a table"
        }
    }

    /// The value as a literal; nil when no key takes its type.
    var literal: Literal? {
        switch value {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let value): .boolean(value)
        case .float, .time, .array, .table: nil
        }
    }

    static func shortened(_ text: String) -> String {
        let limit = 60
        return JSONLine.quoted(text.count > limit ? text.prefix(limit) + "…" : text)
    }
}

extension Literal {
    /// What a person reads as "found" when the type is right.
    var finding: String {
        switch self {
        case .integer(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .string(let text): TOMLNode.shortened(text)
        }
    }
}

/// The name of a value from the root of the file on: `policy[0].slots`.
enum DottedPath {
    static func joined(_ parent: String, _ key: String) -> String {
        parent.isEmpty ? bare(key) : parent + "." + bare(key)
    }

    /// Quoted when TOML would need quotes, so that a strange key cannot pass for another one.
    private static func bare(_ key: String) -> String {
        let isBare =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isBare ? key : TOMLNode.shortened(key)
    }
}
