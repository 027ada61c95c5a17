import CSimdjson
import Glibc

/// One JSON text, checked through and through, as a list of tokens over a copy of its bytes.
///
/// simdjson finds the tokens and checks UTF-8; the grammar is checked here in one pass. The memory is used again for the
/// next text, so everything that must outlive it is copied out. Not for more than one thread.
final class JSONText {
    private let indexer: OpaquePointer
    /// The copied text with padding behind it.
    private(set) var bytes: UnsafePointer<UInt8>
    /// Where each token begins, and the length of the text as the last entry.
    private var offsets: UnsafePointer<UInt32>
    private(set) var count = 0
    /// For each token that opens an object or an array, the token that closes it.
    private var closing: UnsafeMutablePointer<UInt32>
    private var capacity = 1024
    private let open: UnsafeMutablePointer<UInt32>
    private var hasEscapes = false

    init() {
        // Without memory for an empty parser nothing can run.
        guard let indexer = csimdjson_create() else { fatalError("no memory for the JSON parser") }
        self.indexer = indexer
        closing = .allocate(capacity: capacity)
        open = .allocate(capacity: WireLimits.depth + 1)
        bytes = UnsafeRawPointer(open).assumingMemoryBound(to: UInt8.self)
        offsets = UnsafePointer(closing)
    }

    deinit {
        csimdjson_destroy(indexer)
        closing.deallocate()
        open.deallocate()
    }

    /// Reads one JSON value and checks all of it.
    ///
    /// - Throws: `over_limit` for its size, depth or a number's length; `malformed` with the byte for everything else.
    func read(_ text: UnsafeRawBufferPointer, limit: Int) throws(WireFault) {
        count = 0
        if text.count > limit {
            throw WireFault(.overLimit, at: "", "the message has \(text.count) bytes; the limit is \(limit)")
        }
        if index(text) && check() { return }
        count = 0
        guard let fault = JSONFaultFinder.find(in: text) else {
            throw WireFault(.overLimit, at: "", "there is no memory to read the message")
        }
        throw fault
    }

    private func index(_ text: UnsafeRawBufferPointer) -> Bool {
        var start: UnsafePointer<UInt8>?
        var table: UnsafePointer<UInt32>?
        var length = 0
        guard let base = text.baseAddress,
            csimdjson_index(indexer, base.assumingMemoryBound(to: UInt8.self), text.count, &start, &table, &length) == 0,
            let start, let table
        else { return false }
        bytes = start
        offsets = table
        count = length
        if capacity <= count {
            closing.deallocate()
            capacity = count * 2
            closing = .allocate(capacity: capacity)
        }
        hasEscapes = memchr(start, Int32(UInt8(ascii: "\\")), text.count) != nil
        return true
    }

    // MARK: Tokens

    /// The byte that a token begins with. One past the last token is a space.
    @inline(__always)
    func first(_ token: Int) -> UInt8 { bytes[Int(offsets[token])] }

    @inline(__always)
    func start(_ token: Int) -> Int { Int(offsets[token]) }

    /// The byte after the last one of a token that is a string, a number or a word.
    @inline(__always)
    func end(_ token: Int) -> Int {
        var end = Int(offsets[token + 1])
        while JSONGrammar.isWhite(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// The last token of the value that begins here.
    @inline(__always)
    func last(_ token: Int) -> Int {
        let byte = first(token)
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(closing[token]) : token
    }

    // MARK: Grammar

    private func check() -> Bool {
        var token = 0
        var depth = 0
        // A bit for each level: set for an object.
        var objects: UInt64 = 0
        value: while true {
            switch first(token) {
            case UInt8(ascii: "\""):
                if !isString(token) { return false }
                token += 1
            case UInt8(ascii: "{"):
                if depth == WireLimits.depth { return false }
                if first(token + 1) == UInt8(ascii: "}") {
                    closing[token] = UInt32(truncatingIfNeeded: token + 1)
                    token += 2
                    break
                }
                open[depth] = UInt32(truncatingIfNeeded: token)
                depth += 1
                objects = objects << 1 | 1
                if !isName(token + 1) { return false }
                token += 3
                continue value
            case UInt8(ascii: "["):
                if depth == WireLimits.depth { return false }
                if first(token + 1) == UInt8(ascii: "]") {
                    closing[token] = UInt32(truncatingIfNeeded: token + 1)
                    token += 2
                    break
                }
                open[depth] = UInt32(truncatingIfNeeded: token)
                depth += 1
                objects <<= 1
                token += 1
                continue value
            case UInt8(ascii: "t"):
                if !isWord(token, "true") { return false }
                token += 1
            case UInt8(ascii: "f"):
                if !isWord(token, "false") { return false }
                token += 1
            case UInt8(ascii: "n"):
                if !isWord(token, "null") { return false }
                token += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = start(token)
                if JSONGrammar.numberFault(bytes + start, end(token) - start) != nil { return false }
                token += 1
            default: return false
            }
            while true {
                if depth == 0 { return token == count }
                let inObject = objects & 1 == 1
                switch first(token) {
                case UInt8(ascii: ","):
                    if !inObject {
                        token += 1
                        continue value
                    }
                    if !isName(token + 1) { return false }
                    token += 3
                    continue value
                case inObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                    depth -= 1
                    objects >>= 1
                    closing[Int(open[depth])] = UInt32(truncatingIfNeeded: token)
                    token += 1
                default: return false
                }
            }
        }
    }

    @inline(__always)
    private func isName(_ token: Int) -> Bool {
        first(token) == UInt8(ascii: "\"") && isString(token) && first(token + 1) == UInt8(ascii: ":")
    }

    @inline(__always)
    private func isString(_ token: Int) -> Bool {
        let start = start(token)
        let end = end(token)
        if end - start < 2 || bytes[end - 1] != UInt8(ascii: "\"") { return false }
        return !hasEscapes || JSONGrammar.escapeFault(bytes + start + 1, end - start - 2) == nil
    }

    private func isWord(_ token: Int, _ word: StaticString) -> Bool {
        let start = start(token)
        return end(token) - start == word.utf8CodeUnitCount
            && memcmp(bytes + start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    // MARK: Values

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
        let start = start(token)
        let end = end(token)
        if end - start > 20 { return nil }
        var value: UInt64 = 0
        for index in start..<end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            if digit > 9 { return nil }
            let (product, over) = value.multipliedReportingOverflow(by: 10)
            let (sum, more) = product.addingReportingOverflow(UInt64(digit))
            if over || more { return nil }
            value = sum
        }
        return value
    }

    /// Whether a string has an escape in it.
    func isEscaped(_ token: Int) -> Bool {
        if !hasEscapes { return false }
        let start = start(token)
        return memchr(bytes + start, Int32(UInt8(ascii: "\\")), end(token) - start) != nil
    }

    /// The beginning of a value, to show in a message to people.
    func excerpt(_ token: Int) -> String {
        let text = String(decoding: minified(token).prefix(200), as: UTF8.self)
        return text.unicodeScalars.count <= 40 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))) + "…"
    }
}
