import AlertBusModel

/// The fields of one object that messages give a meaning to; all others are ignored.
///
/// Of a field that comes twice the last one counts, as in the parsers of most languages.
final class Fields {
    let text: JSONText
    private let table: WordTable
    let surfaces: NameCache
    private let names: NameCache
    /// For each field its value's token; 0, which is never a value inside an object, when there is none.
    private let values: UnsafeMutablePointer<UInt32>

    init(_ text: JSONText) {
        self.text = text
        table = WordTable(Field.allCases.map(\.name))
        surfaces = NameCache()
        names = NameCache()
        values = .allocate(capacity: Self.count)
        values.initialize(repeating: 0, count: Self.count)
    }

    /// For an object inside the one that `outer` reads.
    init(inside outer: Fields) {
        text = outer.text
        table = outer.table
        surfaces = outer.surfaces
        names = outer.names
        values = .allocate(capacity: Self.count)
        values.initialize(repeating: 0, count: Self.count)
    }

    deinit { values.deallocate() }

    /// Takes the fields of the object that begins at a token.
    func collect(_ object: Int) {
        let values = values
        let tokens = text.tokens
        values.update(repeating: 0, count: Self.count)
        var name = object + 1
        while tokens.first(name) == UInt8(ascii: "\"") {
            let value = name + 2
            if let found = table.find(text, tokens, name) { values[found] = UInt32(truncatingIfNeeded: value) }
            let next = tokens.last(value) + 1
            if tokens.first(next) != UInt8(ascii: ",") { break }
            name = next + 1
        }
    }

    /// The token of a field's value.
    @inline(__always)
    subscript(_ field: Field) -> Int? {
        let token = values[field.rawValue]
        return token == 0 ? nil : Int(token)
    }

    private static let count = Field.allCases.count

    // MARK: Faults

    func fault(_ field: Field, expected: String) -> WireFault {
        guard let token = self[field] else {
            return WireFault(.malformed, at: field.name, "expected \(expected), got no such field")
        }
        return WireFault(.malformed, at: field.name, "expected \(expected), got \(text.excerpt(token))")
    }

    // MARK: Optional values

    func isString(_ token: Int) -> Bool { text.first(token) == UInt8(ascii: "\"") }

    func boolean(_ field: Field) throws(WireFault) -> Bool? {
        guard let token = self[field] else { return nil }
        switch text.first(token) {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw fault(field, expected: "true or false")
        }
    }

    func integer(_ field: Field, _ range: ClosedRange<UInt64>) throws(WireFault) -> UInt64? {
        guard let token = self[field] else { return nil }
        guard let value = text.unsigned(token), range.contains(value) else {
            throw fault(field, expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func milliseconds(_ field: Field, _ range: ClosedRange<Milliseconds>) throws(WireFault) -> Milliseconds? {
        guard let token = self[field] else { return nil }
        guard let value = text.unsigned(token), let value = Milliseconds(exactly: value), range.contains(value) else {
            throw fault(field, expected: "an integer of milliseconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func string(_ field: Field) throws(WireFault) -> String? {
        guard let token = self[field] else { return nil }
        guard isString(token) else { throw fault(field, expected: "a string") }
        return text.string(token)
    }

    /// A key or another name, checked.
    func name(_ field: Field) throws(WireFault) -> String? {
        guard let token = self[field] else { return nil }
        guard isString(token) else { throw fault(field, expected: "a string") }
        // Nearly all names are plain text without escapes, which a few steps over eight bytes at a time can tell.
        let start = text.start(token) + 1
        let count = text.end(token) - 1 - start
        if count > 0 && count <= Name.limit && text.isPlain(start, count) { return text.plainString(start, count) }
        let value = text.string(token)
        do throws(NameFault) {
            try Name.check(value)
        } catch {
            throw WireFault(.malformed, at: field.name, "\(error)")
        }
        return value
    }

    /// A name that many messages repeat.
    func repeatedName(_ field: Field) throws(WireFault) -> String? {
        guard let token = self[field] else { return nil }
        guard isString(token) else { throw fault(field, expected: "a string") }
        let start = text.start(token) + 1
        return try names.name(text.bytes + start, text.end(token) - 1 - start) { () throws(WireFault) in
            try requiredName(field)
        }
    }

    /// A JSON object without white space.
    func object(_ field: Field) throws(WireFault) -> [UInt8]? {
        guard let token = self[field] else { return nil }
        guard text.first(token) == UInt8(ascii: "{") else { throw fault(field, expected: "an object") }
        return text.minified(token)
    }

    /// Any JSON value without white space.
    func json(_ field: Field) -> [UInt8]? { self[field].map(text.minified) }

    /// A string or an integer as it is written; empty when there is none.
    func ref() throws(WireFault) -> [UInt8] {
        var ref: [UInt8] = []
        try read(into: &ref)
        return ref
    }

    /// The same in the place of another one: those of one client are mostly of one length, and then nothing is allocated.
    func read(into ref: inout [UInt8]) throws(WireFault) {
        guard let token = self[.ref] else {
            ref = []
            return
        }
        let written = UnsafeRawBufferPointer(start: text.bytes + text.start(token), count: text.end(token) - text.start(token))
        guard written.count <= WireLimits.refBytes, isString(token) || isInteger(written) else {
            throw fault(.ref, expected: "a string or an integer of at most \(WireLimits.refBytes) bytes")
        }
        if ref.count == written.count {
            ref.withUnsafeMutableBytes { $0.copyMemory(from: written) }
        } else {
            ref = Array(written)
        }
    }

    private func isInteger(_ written: UnsafeRawBufferPointer) -> Bool {
        var next = written.first == UInt8(ascii: "-") ? 1 : 0
        while next < written.count {
            guard JSONGrammar.isDigit(written[next]) else { return false }
            next += 1
        }
        return true
    }
}
