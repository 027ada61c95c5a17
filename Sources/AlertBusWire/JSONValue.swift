import AlertBusModel

/// A JSON value as a tree, for command lines and tools. Members keep their order; numbers keep their text.
public enum JSONValue: Equatable, Hashable, Sendable {
    case null
    case boolean(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    public struct Member: Equatable, Hashable, Sendable {
        public var name: String
        public var value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Reads one JSON value with nothing behind it.
    /// - Throws: `malformed` with the byte, or `over_limit`.
    public init(_ json: [UInt8], limit: Int = 64 << 20) throws(WireFault) {
        let text = JSONText()
        let result = json.withUnsafeBytes { raw in
            Result { () throws(WireFault) in
                try text.read(raw, limit: limit)
                return try JSONValue(text, 0)
            }
        }
        self = try result.get()
    }

    /// Reads one JSON value with nothing behind it.
    /// - Throws: `malformed` with the byte, or `over_limit`.
    public init(parsing json: String) throws(WireFault) { try self.init(Array(json.utf8)) }

    private init(_ text: JSONText, _ token: Int) throws(WireFault) {
        switch text.first(token) {
        case UInt8(ascii: "\""): self = .string(text.string(token))
        case UInt8(ascii: "t"): self = .boolean(true)
        case UInt8(ascii: "f"): self = .boolean(false)
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try text.forEachElement(token, limit: .max) { (_, value) throws(WireFault) in
                values.append(try JSONValue(text, value))
            }
            self = .array(values)
        case UInt8(ascii: "{"):
            var members: [Member] = []
            try text.forEachMember(token) { (name, value) throws(WireFault) in
                members.append(Member(text.string(name), try JSONValue(text, value)))
            }
            self = .object(members)
        default: self = .number(String(decoding: text.minified(token), as: UTF8.self))
        }
    }

    /// The value without white space.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value without white space.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The member of an object with this name, the last one if there are several.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// A whole number that fits.
    public var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }

    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSONWriter {
    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .boolean(let value): boolean(value)
        case .number(let text): raw(Array(text.utf8))
        case .string(let text): string(text)
        case .array(let values): list(values) { $0.value($1) }
        case .object(let members):
            raw("{")
            var isFirst = true
            for member in members {
                if !isFirst { raw(",") }
                isFirst = false
                string(member.name)
                raw(":")
                self.value(member.value)
            }
            raw("}")
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
    public init(nilLiteral: ()) { self = .null }
}
