import AlertBusModel

/// Reads a text byte by byte to say where it stops being JSON.
///
/// The quick reader only knows that something is wrong; this one runs when it does, so it may be slow.
package struct JSONFaultFinder {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var depth = 0
    private var ref: [UInt8] = []
    private var isLoaded = false
    private var load: UInt64?

    /// The first fault of a text; nil when it is one JSON value within the limits.
    package static func find(in bytes: UnsafeRawBufferPointer) -> WireFault? {
        var finder = JSONFaultFinder(bytes: bytes.bindMemory(to: UInt8.self))
        do {
            try finder.document()
            return nil
        } catch {
            return error
        }
    }

    /// Whose message it is, as far as that stands in front of its first fault.
    package static func origin(of bytes: UnsafeRawBufferPointer) -> (ref: [UInt8], load: UInt64?) {
        var finder = JSONFaultFinder(bytes: bytes.bindMemory(to: UInt8.self))
        try? finder.document()
        return (finder.ref, finder.isLoaded ? finder.load : nil)
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func fault(_ detail: String, at place: Int? = nil) -> WireFault {
        WireFault(.malformed, at: "byte \(place ?? at)", detail, ref: ref, load: isLoaded ? load : nil)
    }

    private func expected(_ what: String) -> WireFault {
        guard let byte else { return fault("expected \(what), got the end of the message") }
        if byte > 0x20 && byte < 0x7F { return fault("expected \(what), got '\(Character(Unicode.Scalar(byte)))'") }
        return fault("expected \(what), got the byte 0x\(String(byte, radix: 16, uppercase: true))")
    }

    private mutating func skipWhite() {
        while let byte, JSONGrammar.isWhite(byte) { at += 1 }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        at += 1
        return true
    }

    private mutating func document() throws(WireFault) {
        skipWhite()
        try value()
        skipWhite()
        if byte != nil { throw expected("the end of the message") }
    }

    private mutating func value() throws(WireFault) {
        switch byte ?? 0 {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw expected("a value")
        }
    }

    private mutating func enter() throws(WireFault) {
        depth += 1
        if depth > WireLimits.depth {
            throw fault("objects and arrays lie more than \(WireLimits.depth) deep")
        }
        at += 1
        skipWhite()
    }

    private mutating func object() throws(WireFault) {
        try enter()
        if !take(UInt8(ascii: "}")) {
            while true {
                guard byte == UInt8(ascii: "\"") else { throw expected("a field name in quotes") }
                let name = at
                try string()
                let field = depth == 1 ? name..<at : name..<name
                skipWhite()
                if !take(UInt8(ascii: ":")) { throw expected("':' after the field name") }
                skipWhite()
                let start = at
                try value()
                keep(bytes[field], bytes[start..<at])
                skipWhite()
                if take(UInt8(ascii: "}")) { break }
                if !take(UInt8(ascii: ",")) { throw expected("',' or '}' after a value") }
                skipWhite()
            }
        }
        depth -= 1
    }

    /// What tells whose message it was.
    private mutating func keep(
        _ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>
    ) {
        if name.elementsEqual("\"ref\"".utf8) { keepRef(value) }
        if name.elementsEqual("\"op\"".utf8) { isLoaded = value.elementsEqual("\"loaded\"".utf8) }
        if name.elementsEqual("\"load\"".utf8) { load = UInt64(String(decoding: value, as: UTF8.self)) }
    }

    private mutating func keepRef(_ value: Slice<UnsafeBufferPointer<UInt8>>) {
        let isText = value.first == UInt8(ascii: "\"")
        let isInteger = value.dropFirst(value.first == UInt8(ascii: "-") ? 1 : 0).allSatisfy(JSONGrammar.isDigit)
        ref = value.count <= WireLimits.refBytes && (isText || isInteger) ? Array(value) : []
    }

    private mutating func array() throws(WireFault) {
        try enter()
        if !take(UInt8(ascii: "]")) {
            while true {
                try value()
                skipWhite()
                if take(UInt8(ascii: "]")) { break }
                if !take(UInt8(ascii: ",")) { throw expected("',' or ']' after a value") }
                skipWhite()
            }
        }
        depth -= 1
    }

    private mutating func literal(_ word: String) throws(WireFault) {
        let start = at
        while let byte, !Self.endsToken(byte) { at += 1 }
        if !bytes[start..<at].elementsEqual(word.utf8) {
            throw fault("expected a value, got a word that is not '\(word)'", at: start)
        }
    }

    private mutating func number() throws(WireFault) {
        let start = at
        while let byte, !Self.endsToken(byte) { at += 1 }
        guard let base = bytes.baseAddress else { return }
        guard let wrong = JSONGrammar.numberFault(base + start, at - start) else { return }
        switch wrong {
        case .form(let offset):
            at = start + offset
            throw expected("a number")
        case .length: throw fault("a number has more than \(WireLimits.numberBytes) bytes", at: start)
        case .range: throw fault("a number is larger than a double can hold", at: start)
        }
    }

    private static func endsToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "\""):
            true
        default: JSONGrammar.isWhite(byte)
        }
    }

    private mutating func string() throws(WireFault) {
        at += 1
        guard let base = bytes.baseAddress else { return }
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"):
                guard let (_, length) = JSONGrammar.escape(base + at, bytes.count - at) else {
                    throw fault("a string holds an escape that is none, or half of a surrogate pair")
                }
                at += length
            case 0..<0x20:
                let code = String(byte, radix: 16, uppercase: true)
                throw fault("a string holds the control character 0x\(code); escape it")
            case 0x20..<0x80: at += 1
            default: try character()
            }
        }
        throw expected("the closing quote of a string")
    }

    /// One character of more than one byte.
    private mutating func character() throws(WireFault) {
        var decoder = UTF8()
        var rest = bytes[at...].prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
            throw fault("the bytes are not UTF-8")
        }
        at += UTF8.width(scalar)
    }
}
