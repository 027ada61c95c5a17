/// A strict reader of JSON that finds the parts of a text without copying them.
///
/// The kiosk passes messages on as they are; it only needs to know where an alert begins and ends.
struct JSONScanner {
    struct Fault: Error, Equatable {
        var at: Int
        var what: String
    }

    /// Nesting beyond this is refused.
    static let depthLimit = 64

    let bytes: [UInt8]
    private var at = 0

    /// - Throws: when the text is not UTF-8.
    init(_ bytes: [UInt8]) throws(Fault) {
        if String(validating: bytes, as: UTF8.self) == nil { throw Fault(at: 0, what: "not UTF-8") }
        self.bytes = bytes
    }

    /// The members of the object that is the whole text; of a name that comes twice the last one counts.
    mutating func wholeObject() throws(Fault) -> [String: Range<Int>] {
        let found = try object(in: 0..<bytes.count)
        skipSpace()
        if at != bytes.count { throw fault("something follows the object") }
        return found
    }

    mutating func object(in range: Range<Int>) throws(Fault) -> [String: Range<Int>] {
        at = range.lowerBound
        var members: [String: Range<Int>] = [:]
        try list(open: "{", close: "}") { (scanner) throws(Fault) in
            let name = try scanner.string()
            scanner.skipSpace()
            try scanner.expect(":")
            members[name] = try scanner.value(depth: 1)
        }
        return members
    }

    mutating func array(in range: Range<Int>) throws(Fault) -> [Range<Int>] {
        at = range.lowerBound
        var elements: [Range<Int>] = []
        try list(open: "[", close: "]") { (scanner) throws(Fault) in elements.append(try scanner.value(depth: 1)) }
        return elements
    }

    mutating func string(in range: Range<Int>) throws(Fault) -> String {
        at = range.lowerBound
        return try string()
    }

    /// A whole number from 0 to 2^64 - 1.
    func unsigned(in range: Range<Int>) throws(Fault) -> UInt64 {
        guard let number = UInt64(String(decoding: bytes[range], as: UTF8.self)) else {
            throw Fault(at: range.lowerBound, what: "not a whole number")
        }
        return number
    }

    // MARK: - The grammar

    private mutating func value(depth: Int) throws(Fault) -> Range<Int> {
        if depth > Self.depthLimit { throw fault("nested too deeply") }
        skipSpace()
        let start = at
        switch peek() {
        case UInt8(ascii: "{"):
            try list(open: "{", close: "}") { (scanner) throws(Fault) in
                try scanner.skipString()
                scanner.skipSpace()
                try scanner.expect(":")
                _ = try scanner.value(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try list(open: "[", close: "]") { (scanner) throws(Fault) in _ = try scanner.value(depth: depth + 1) }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return start..<at
    }

    private mutating func list(
        open: Unicode.Scalar, close: Unicode.Scalar, element: (inout JSONScanner) throws(Fault) -> Void
    ) throws(Fault) {
        skipSpace()
        try expect(open)
        skipSpace()
        if take(close) { return }
        repeat {
            skipSpace()
            try element(&self)
            skipSpace()
        } while take(",")
        try expect(close)
    }

    private mutating func number() throws(Fault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = at
        while let byte = peek(), byte >= 0x30 && byte <= 0x39 { at += 1 }
        if at == start { throw fault("a value is expected") }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for index in 0..<word.utf8CodeUnitCount {
            if peek() != word.utf8Start[index] { throw fault("a value is expected") }
            at += 1
        }
    }

    private mutating func skipString() throws(Fault) {
        try expect("\"")
        while let byte = peek() {
            at += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte < 0x20 { throw fault("a control character in a string") }
            if byte == UInt8(ascii: "\\") { try skipEscape() }
        }
        throw fault("a string does not end")
    }

    private mutating func skipEscape() throws(Fault) {
        guard let byte = peek() else { throw fault("a string does not end") }
        at += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                guard let digit = peek(), Self.hexadecimal(digit) != nil else { throw fault("a bad \\u escape") }
                at += 1
            }
        } else if !"\"\\/bfnrt".utf8.contains(byte) {
            throw fault("an unknown escape")
        }
    }

    private mutating func string() throws(Fault) -> String {
        let start = at + 1
        try skipString()
        let raw = bytes[start..<(at - 1)]
        return raw.contains(UInt8(ascii: "\\")) ? Self.unescape(raw) : String(decoding: raw, as: UTF8.self)
    }

    private static func unescape(_ raw: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var text = String.UnicodeScalarView()
        func flush() {
            text.append(contentsOf: String(decoding: units, as: UTF16.self).unicodeScalars)
            units.removeAll()
        }
        var iterator = String(decoding: raw, as: UTF8.self).unicodeScalars.makeIterator()
        while let scalar = iterator.next() {
            guard scalar == "\\", let escape = iterator.next() else {
                flush()
                text.append(scalar)
                continue
            }
            switch escape {
            case "b": units.append(0x08)
            case "f": units.append(0x0C)
            case "n": units.append(0x0A)
            case "r": units.append(0x0D)
            case "t": units.append(0x09)
            case "u":
                var unit: UInt16 = 0
                for _ in 0..<4 { unit = unit << 4 | (iterator.next().flatMap { hexadecimal(UInt8($0.value)) } ?? 0) }
                units.append(unit)
            default: units.append(UInt16(escape.value))
            }
        }
        flush()
        return String(text)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt16.init)
    }

    private func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(Fault) {
        if !take(scalar) { throw fault("\(scalar) is expected") }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private func fault(_ what: String) -> Fault { Fault(at: at, what: what) }
}
