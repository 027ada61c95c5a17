import Glibc

/// Appends JSON to memory that is used again from message to message and grows by doubling.
struct JSONWriter: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        self.capacity = max(64, capacity)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    mutating func removeAll() { count = 0 }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, memory, count)
        memory.deallocate()
        memory = larger
    }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    @inline(__always)
    private mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        memcpy(memory + count, start, length)
        count += length
    }

    @inline(__always)
    mutating func raw(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

    mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { append(start, bytes.count) }
        }
    }

    /// Takes the last byte back if it is this one.
    mutating func removeLast(_ byte: UInt8) {
        if count > 0 && memory[count - 1] == byte { count -= 1 }
    }

    /// A string in quotes. Only what must be escaped is: quotes, backslashes, and control characters below U+0020.
    mutating func string(_ text: String) {
        byte(UInt8(ascii: "\""))
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isContiguous == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0) } }
        byte(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        let length = text.count
        var run = 0
        var at = 0
        while at < length {
            if length - at >= 8 && Self.isPlain(UnsafeRawPointer(start + at)) {
                at += 8
                continue
            }
            let end = min(at + 8, length)
            while at < end {
                let byte = start[at]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    append(start + run, at - run)
                    run = at + 1
                    escape(byte)
                }
                at += 1
            }
        }
        append(start + run, length - run)
    }

    /// Whether none of eight bytes needs an escape. May say no for bytes above 0x7F that need none.
    @inline(__always)
    private static func isPlain(_ bytes: UnsafeRawPointer) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = bytes.loadUnaligned(as: UInt64.self)
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        // Subtracting borrows into the top bit of each byte that is smaller, and of each that became zero.
        let marks = (word &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones) | word
        return marks & (ones &* 0x80) == 0
    }

    @inline(never)
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw(#"\""#)
        case UInt8(ascii: "\\"): raw(#"\\"#)
        case UInt8(ascii: "\n"): raw(#"\n"#)
        case UInt8(ascii: "\r"): raw(#"\r"#)
        case UInt8(ascii: "\t"): raw(#"\t"#)
        default:
            raw(#"\u00"#)
            self.byte(Self.hexadecimal(byte >> 4))
            self.byte(Self.hexadecimal(byte & 15))
        }
    }

    static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    mutating func integer(_ value: UInt64) {
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20 && value >= bound {
            digits += 1
            bound = digits < 20 ? bound * 10 : bound
        }
        reserve(digits)
        var at = count + digits
        var rest = value
        repeat {
            at -= 1
            memory[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        count += digits
    }

    /// Spans and points in time are never negative on the wire.
    mutating func integer(_ value: Int64) { integer(UInt64(max(0, value))) }
    mutating func integer(_ value: Int) { integer(UInt64(max(0, value))) }

    mutating func boolean(_ value: Bool) {
        if value { raw("true") } else { raw("false") }
    }

    /// 16 hexadecimal digits in quotes: a number that readers compare and never count with.
    mutating func token(_ value: UInt64) {
        byte(UInt8(ascii: "\""))
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 4
            byte(Self.hexadecimal(UInt8(truncatingIfNeeded: value >> shift & 15)))
        }
        byte(UInt8(ascii: "\""))
    }

    /// Elements with commas between them.
    mutating func list<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
        byte(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { byte(UInt8(ascii: ",")) }
            isFirst = false
            body(&self, element)
        }
        byte(UInt8(ascii: "]"))
    }
}
