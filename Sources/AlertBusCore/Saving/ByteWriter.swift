import AlertBusModel

/// Writes a state as bytes: numbers in as few bytes as they need, texts and lists with their length before them.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func number(_ value: Int) { signed(Int64(value)) }

    /// Small negative numbers are short too.
    mutating func signed(_ value: Int64) { number(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func data(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Element>(_ values: some Collection<Element>, _ write: (inout ByteWriter, Element) -> Void) {
        number(UInt64(values.count))
        for value in values { write(&self, value) }
    }
}

/// Why bytes are not a state.
public struct StateFault: Error, Equatable, Sendable, CustomStringConvertible {
    public var offset: Int
    public var detail: String

    public var description: String { "saved state, byte \(offset): \(detail)" }
}

/// Reads what `ByteWriter` wrote. Bytes that are not such a text give a fault, never a trap.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func fault(_ detail: String) -> StateFault { StateFault(offset: offset, detail: detail) }

    mutating func byte() throws(StateFault) -> UInt8 {
        guard offset < bytes.count else { throw fault("it ends here") }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func number() throws(StateFault) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
        }
        throw fault("a number has no end")
    }

    mutating func signed() throws(StateFault) -> Int64 {
        let value = try number()
        return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }

    mutating func integer() throws(StateFault) -> Int { Int(try signed()) }

    /// A number of things or bytes.
    mutating func count() throws(StateFault) -> Int {
        let value = try integer()
        guard value >= 0 && value <= Self.largest else { throw fault("the count \(value) is out of range") }
        return value
    }

    /// A number that the arbiter itself counts up.
    mutating func counter() throws(StateFault) -> UInt64 {
        let value = try number()
        guard value <= UInt64(Self.largest) else { throw fault("the counter \(value) is out of range") }
        return value
    }

    /// A point in time or a span. Sums of a few of them stay in their type.
    mutating func time() throws(StateFault) -> Milliseconds {
        let value = try signed()
        guard abs(max(value, -.max)) <= Milliseconds(Self.largest) else { throw fault("the time \(value) is out of range") }
        return value
    }

    /// A point in time or a span that may be `never`.
    mutating func clock() throws(StateFault) -> Milliseconds {
        let value = try signed()
        guard value == never || abs(max(value, -.max)) <= Milliseconds(Self.largest) else {
            throw fault("the time \(value) is out of range")
        }
        return value
    }

    private static var largest: Int { 1 << 60 }

    mutating func narrow<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(StateFault) -> Number {
        let value = try number()
        guard let narrow = Number(exactly: value) else { throw fault("\(value) is out of range") }
        return narrow
    }

    mutating func flag() throws(StateFault) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        case let other: throw fault("expected 0 or 1, found \(other)")
        }
    }

    mutating func data() throws(StateFault) -> [UInt8] {
        let count = try number()
        guard count <= UInt64(bytes.count - offset) else { throw fault("\(count) bytes are announced, fewer are left") }
        defer { offset += Int(count) }
        return Array(bytes[offset..<offset + Int(count)])
    }

    mutating func text() throws(StateFault) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(StateFault) -> Value
    ) throws(StateFault) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Element>(
        _ read: (inout ByteReader) throws(StateFault) -> Element
    ) throws(StateFault) -> [Element] {
        let count = try number()
        guard count <= UInt64(bytes.count - offset) else { throw fault("\(count) entries are announced, fewer bytes are left") }
        var values: [Element] = []
        // A count that is not true must not ask for memory.
        values.reserveCapacity(min(Int(count), 1024))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func word<Word: RawRepresentable>(_: Word.Type = Word.self) throws(StateFault) -> Word
    where Word.RawValue == String {
        let raw = try text()
        guard let word = Word(rawValue: raw) else { throw fault("the word \"\(raw)\" is not known") }
        return word
    }
}
