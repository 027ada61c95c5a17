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
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { quote($0) }
        if isContiguous == nil { Array(text.utf8).withUnsafeBufferPointer { quote($0) } }
    }

    @inline(__always)
    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        let length = text.count
        // For the quotes, and for the last step, which may write past the end.
        reserve(length + 2 + Self.step)
        memory[count] = UInt8(ascii: "\"")
        if let start = text.baseAddress, !copyPlain(UnsafeRawPointer(start), length, to: memory + count + 1) {
            count += 1
            escape(start, length)
        } else {
            count += 1 + length
        }
        byte(UInt8(ascii: "\""))
    }

    private static var step: Int { 8 }

    /// Copies a string in which nothing needs an escape; false when something may. Eight bytes at a time, checked on the way.
    @inline(__always)
    private func copyPlain(_ start: UnsafeRawPointer, _ length: Int, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        if length < Self.step {
            if length >= Self.step / 2 {
                let last = length - Self.step / 2
                let (low, high) = (
                    start.loadUnaligned(as: UInt32.self), start.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                )
                if !Self.isPlain(UInt64(high) << 32 | UInt64(low)) { return false }
                target.storeBytes(of: low, as: UInt32.self)
                target.storeBytes(of: high, toByteOffset: last, as: UInt32.self)
                return true
            }
            for at in 0..<length {
                let byte = start.load(fromByteOffset: at, as: UInt8.self)
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
                target.storeBytes(of: byte, toByteOffset: at, as: UInt8.self)
            }
            return true
        }
        // The last step overlaps the one before it, so that no byte is taken singly.
        var at = 0
        while true {
            let word = start.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if !Self.isPlain(word) { return false }
            target.storeBytes(of: word, toByteOffset: at, as: UInt64.self)
            if at == length - Self.step { return true }
            at = min(at + Self.step, length - Self.step)
        }
    }

    private mutating func escape(_ start: UnsafePointer<UInt8>, _ length: Int) {
        var run = 0
        for at in 0..<length {
            let byte = start[at]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                append(start + run, at - run)
                run = at + 1
                escape(byte)
            }
        }
        append(start + run, length - run)
    }

    /// Whether none of eight bytes needs an escape. May say no for bytes above 0x7F that need none.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
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
        if value < 10 { return byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        let digits = Self.digits(value)
        reserve(digits)
        count += digits
        let end = UnsafeMutableRawPointer(memory + count)
        var at = 0
        var rest = value
        while rest >= 10 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            at -= 2
            // Two digits at once: tens in the lower byte, ones in the upper one.
            let tens = pair / 10
            let both = UInt16(truncatingIfNeeded: tens | (pair - tens * 10) << 8) | 0x3030
            end.storeBytes(of: both.littleEndian, toByteOffset: at, as: UInt16.self)
            rest = quotient
        }
        if at > -digits { memory[count - digits] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
    }

    /// How many decimal digits a number has.
    @inline(__always)
    private static func digits(_ value: UInt64) -> Int {
        var digits = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            digits += 4
        }
        if rest >= 1000 { return digits + 3 }
        if rest >= 100 { return digits + 2 }
        return rest >= 10 ? digits + 1 : digits
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
