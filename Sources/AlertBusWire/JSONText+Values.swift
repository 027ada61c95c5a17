import Glibc

extension JSONText {
    /// The value without white space between its tokens, otherwise as it was written.
    func minified(_ token: Int) -> [UInt8] {
        var result: [UInt8] = []
        appendMinified(token, to: &result)
        return result
    }

    func appendMinified(_ token: Int, to result: inout [UInt8]) {
        let last = last(token)
        let end = last == token ? end(token) : start(last) + 1
        var isMinified = true
        var index = token
        while index < last && isMinified {
            index += 1
            isMinified = !JSONGrammar.isWhite(bytes[start(index) - 1])
        }
        if isMinified {
            result.append(contentsOf: UnsafeBufferPointer(start: bytes + start(token), count: end - start(token)))
            return
        }
        result.reserveCapacity(result.count + end - start(token))
        for index in token...last {
            let start = start(index)
            result.append(contentsOf: UnsafeBufferPointer(start: bytes + start, count: self.end(index) - start))
        }
    }

    /// A string without its quotes and escapes.
    func string(_ token: Int) -> String {
        let start = start(token) + 1
        let count = end(token) - 1 - start
        if hasEscapes && memchr(bytes + start, Int32(UInt8(ascii: "\\")), count) != nil {
            return unescaped(start, count)
        }
        return String(decoding: UnsafeBufferPointer(start: bytes + start, count: count), as: UTF8.self)
    }

    /// Whether these bytes of a string are ASCII without an escape or DEL. May say no where the answer is yes.
    @inline(__always)
    func isPlain(_ start: Int, _ count: Int) -> Bool {
        if hasEscapes { return false }
        let raw = UnsafeRawPointer(bytes + start)
        var at = 0
        var marks: UInt64 = 0
        // The last step may look at bytes behind the string; the padding lets it.
        while at < count {
            let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // Adding one turns DEL, the only one of its kind below 0x80, into 0x80.
            marks |= word | ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x0101_0101_0101_0101)
            at += 8
        }
        return marks & 0x8080_8080_8080_8080 == 0
    }

    /// A string that `isPlain`.
    @inline(__always)
    func plainString(_ start: Int, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            memcpy(buffer.baseAddress!, bytes + start, count)
            return count
        }
    }

    private func unescaped(_ start: Int, _ count: Int) -> String {
        var result = ""
        var at = start
        let end = start + count
        while at < end {
            if bytes[at] == UInt8(ascii: "\\"), let (scalar, length) = JSONGrammar.escape(bytes + at, end - at) {
                result.unicodeScalars.append(scalar)
                at += length
                continue
            }
            let run = at
            while at < end && bytes[at] != UInt8(ascii: "\\") { at += 1 }
            result += String(decoding: UnsafeBufferPointer(start: bytes + run, count: at - run), as: UTF8.self)
        }
        return result
    }

    /// A number that is written with digits alone; nil when it is anything else or has more than 64 bits.
    func unsigned(_ token: Int) -> UInt64? {
        let tokens = tokens
        let start = tokens.start(token)
        let end = tokens.end(token)
        var value: UInt64 = 0
        if end - start < 20 {
            // No 19 digits overflow.
            for index in start..<end {
                let digit = tokens.bytes[index] &- UInt8(ascii: "0")
                if digit > 9 { return nil }
                value = value &* 10 &+ UInt64(digit)
            }
            return value
        }
        let text = UnsafeBufferPointer(start: tokens.bytes + start, count: end - start)
        // Leading zeros and a plus are no JSON, so what this accepts beyond digits cannot come.
        return text.first == UInt8(ascii: "-") ? nil : UInt64(String(decoding: text, as: UTF8.self))
    }

    /// Whether a string has an escape in it.
    func isEscaped(_ token: Int) -> Bool {
        if !hasEscapes { return false }
        let start = start(token)
        return memchr(bytes + start, Int32(UInt8(ascii: "\\")), end(token) - start) != nil
    }

    /// The beginning of a value, to show in a message to people.
    func excerpt(_ token: Int) -> String {
        let text = String(decoding: minified(token).prefix(200), as: UTF8.self).unicodeScalars
        return text.count <= 40 ? String(text) : String(text.prefix(40)) + "…"
    }
}
