/// Appends JSON to bytes that are used again from message to message.
struct JSONWriter: Sendable {
    var bytes: [UInt8] = []

    @inline(__always)
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    /// A string in quotes. Only what must be escaped is: quotes, backslashes, and control characters below U+0020.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isContiguous == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0) } }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var run = 0
        for index in 0..<text.count {
            let byte = text[index]
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<index]))
            run = index + 1
            switch byte {
            case UInt8(ascii: "\""): raw(#"\""#)
            case UInt8(ascii: "\\"): raw(#"\\"#)
            case UInt8(ascii: "\n"): raw(#"\n"#)
            case UInt8(ascii: "\r"): raw(#"\r"#)
            case UInt8(ascii: "\t"): raw(#"\t"#)
            default:
                raw(#"\u00"#)
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run...]))
    }

    static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    mutating func integer(_ value: UInt64) {
        if value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var at = 20
            var rest = value
            while rest > 0 {
                at -= 1
                digits[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[at..<20]))
        }
    }

    /// Spans and points in time are never negative on the wire.
    mutating func integer(_ value: Int64) { integer(UInt64(max(0, value))) }
    mutating func integer(_ value: Int) { integer(UInt64(max(0, value))) }

    mutating func boolean(_ value: Bool) {
        if value { raw("true") } else { raw("false") }
    }

    /// 16 hexadecimal digits in quotes: a number that readers compare and never count with.
    mutating func token(_ value: UInt64) {
        bytes.append(UInt8(ascii: "\""))
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 4
            bytes.append(Self.hexadecimal(UInt8(truncatingIfNeeded: value >> shift & 15)))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Elements with commas between them.
    mutating func list<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            body(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
