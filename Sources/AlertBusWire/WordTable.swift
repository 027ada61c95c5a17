/// Finds a short word among those of a closed list by its bytes.
///
/// Words are compared as two machine words, so each has at most 16 bytes; a longer one is in no list.
final class WordTable {
    private struct Entry {
        var low: UInt64
        var high: UInt64
        /// 0 marks an empty place.
        var count: Int
        var value: Int
    }

    private let entries: UnsafeMutablePointer<Entry>
    private static let size = 256

    /// The value of a word is its place in the list.
    init(_ words: [String]) {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(low: 0, high: 0, count: 0, value: 0), count: Self.size)
        precondition(words.count <= Self.size / 2, "a table is filled to a half at most")
        for (value, word) in words.enumerated() {
            var padded = Array(word.utf8)
            let count = padded.count
            precondition(count >= 1 && count <= 16, "a word has 1 to 16 bytes")
            padded.append(contentsOf: repeatElement(0, count: 16))
            let (low, high) = padded.withUnsafeBufferPointer { Self.pack($0.baseAddress!, count) }
            var place = Self.place(low, high)
            while entries[place].count != 0 { place = (place + 1) % Self.size }
            entries[place] = Entry(low: low, high: high, count: count, value: value)
        }
    }

    deinit { entries.deallocate() }

    /// The word of `count` bytes, behind which 16 bytes may be read.
    @inline(__always)
    func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        if count == 0 || count > 16 { return nil }
        let (low, high) = Self.pack(bytes, count)
        var place = Self.place(low, high)
        while entries[place].count != 0 {
            if entries[place].low == low && entries[place].high == high && entries[place].count == count {
                return entries[place].value
            }
            place = (place + 1) % Self.size
        }
        return nil
    }

    /// The word that a string token says, whether it is written with escapes or not.
    @inline(__always)
    func find(_ text: JSONText, _ tokens: Tokens, _ token: Int) -> Int? {
        if tokens.hasEscapes && text.isEscaped(token) { return find(text.string(token)) }
        let start = tokens.start(token) + 1
        return find(tokens.bytes + start, tokens.end(token) - 1 - start)
    }

    private func find(_ word: String) -> Int? {
        var padded = Array(word.utf8)
        let count = padded.count
        padded.append(contentsOf: repeatElement(0, count: 16))
        return padded.withUnsafeBufferPointer { find($0.baseAddress!, count) }
    }

    @inline(__always)
    private static func pack(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
        let raw = UnsafeRawPointer(bytes)
        let low = raw.loadUnaligned(as: UInt64.self).littleEndian
        if count <= 8 { return (count == 8 ? low : low & (1 << (UInt64(count) * 8) - 1), 0) }
        let high = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        return (low, count == 16 ? high : high & (1 << (UInt64(count - 8) * 8) - 1))
    }

    @inline(__always)
    private static func place(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}

/// The words of a closed list.
struct Words<Word: CaseIterable & RawRepresentable<String>> {
    private let table = WordTable(Word.allCases.map(\.rawValue))
    private let words = Array(Word.allCases)

    @inline(__always)
    func find(_ text: JSONText, _ token: Int) -> Word? { table.find(text, text.tokens, token).map { words[$0] } }
}
