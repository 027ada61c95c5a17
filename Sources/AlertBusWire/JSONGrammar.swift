/// The rules of RFC 8259 for what stands inside one token, stricter where a reader elsewhere would stumble.
///
/// Both the quick reader and the one that looks for the place of a fault ask here, so that they cannot differ.
enum JSONGrammar {
    enum NumberFault {
        /// No number begins here, or it goes wrong at this byte of the token.
        case form(at: Int)
        /// Longer than `WireLimits.numberBytes`.
        case length
        /// A double cannot hold it, so that a reader elsewhere would refuse the whole message or make it infinite.
        case range
    }

    /// Checks that all bytes together are one number.
    @inline(__always)
    static func numberFault(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> NumberFault? {
        var at = 0
        // The usual case by itself: a few digits.
        while at < count && isDigit(bytes[at]) { at += 1 }
        if at == count && count > 0 && count < 20 && (bytes[0] != UInt8(ascii: "0") || count == 1) { return nil }
        return generalNumberFault(bytes, count)
    }

    @inline(never)
    private static func generalNumberFault(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> NumberFault? {
        var at = 0
        func digits() -> Bool {
            let first = at
            while at < count && isDigit(bytes[at]) { at += 1 }
            return at > first
        }
        if at < count && bytes[at] == UInt8(ascii: "-") { at += 1 }
        if at < count && bytes[at] == UInt8(ascii: "0") {
            at += 1
        } else if !digits() {
            return .form(at: at)
        }
        if at < count && bytes[at] == UInt8(ascii: ".") {
            at += 1
            if !digits() { return .form(at: at) }
        }
        var hasExponent = false
        if at < count && bytes[at] | 0x20 == UInt8(ascii: "e") {
            hasExponent = true
            at += 1
            if at < count && (bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-")) { at += 1 }
            if !digits() { return .form(at: at) }
        }
        if at < count { return .form(at: at) }
        if count > WireLimits.numberBytes { return .length }
        // Without an exponent 128 digits are far below the largest double.
        if hasExponent {
            let value = Double(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
            if value?.isFinite != true { return .range }
        }
        return nil
    }

    /// The first byte of an escape that is none, or that is half of a surrogate pair.
    static func escapeFault(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        var at = 0
        while at < count {
            if bytes[at] != UInt8(ascii: "\\") {
                at += 1
                continue
            }
            guard let (_, length) = escape(bytes + at, count - at) else { return at }
            at += length
        }
        return nil
    }

    /// The character that an escape stands for and the bytes that it takes, a surrogate pair as one; nil for a bad one.
    static func escape(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (Unicode.Scalar, Int)? {
        guard count >= 2 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (Unicode.Scalar(bytes[1]), 2)
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{c}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let high = codeUnit(bytes, count) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        guard high < 0xDC00, count >= 12, bytes[6] == UInt8(ascii: "\\"), bytes[7] == UInt8(ascii: "u"),
            let low = codeUnit(bytes + 6, count - 6), low >= 0xDC00, low <= 0xDFFF,
            let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        else { return nil }
        return (scalar, 12)
    }

    /// The four hexadecimal digits of `\uXXXX`.
    private static func codeUnit(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32? {
        guard count >= 6 else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return unit
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    static func isWhite(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
