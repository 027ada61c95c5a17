import CSimdjson
import Glibc

/// One JSON text, checked through and through, as a list of tokens over a copy of its bytes.
///
/// simdjson finds the tokens and checks UTF-8; the grammar is checked here in one pass. The memory is used again for the
/// next text, so everything that must outlive it is copied out. Not for more than one thread.
final class JSONText {
    private let indexer: OpaquePointer
    private(set) var tokens: Tokens
    private(set) var count = 0
    private var capacity = 1024
    /// The opening tokens that the check has not seen closed yet.
    let open: UnsafeMutablePointer<UInt32>

    init() {
        // Without memory for an empty parser nothing can run.
        guard let indexer = csimdjson_create() else { fatalError("no memory for the JSON parser") }
        self.indexer = indexer
        open = .allocate(capacity: WireLimits.depth + 1)
        // Before the first text there is nothing to point at; no one looks while `count` is 0.
        tokens = Tokens(
            bytes: UnsafeRawPointer(open).assumingMemoryBound(to: UInt8.self), offsets: UnsafePointer(open),
            closing: .allocate(capacity: capacity))
    }

    deinit {
        csimdjson_destroy(indexer)
        tokens.closing.deallocate()
        open.deallocate()
    }

    /// Reads one JSON value and checks all of it.
    ///
    /// - Throws: `malformed` with the byte where it is wrong or passes a limit; `over_limit` when there is no memory.
    func read(_ text: UnsafeRawBufferPointer, limit: Int) throws(WireFault) {
        count = 0
        if text.count > limit {
            var fault = WireFault(
                .malformed, at: "byte \(limit)", "the message has \(text.count) bytes; the limit is \(limit)")
            // Whose it is mostly stands at the beginning; a message that is too long is not worth more than a glance.
            (fault.ref, fault.load) = JSONFaultFinder.origin(of: UnsafeRawBufferPointer(rebasing: text.prefix(Self.glance)))
            throw fault
        }
        if index(text) && isGrammatical() { return }
        count = 0
        guard let fault = JSONFaultFinder.find(in: text) else {
            throw WireFault(.overLimit, at: "", "there is no memory to read the message")
        }
        throw fault
    }

    private static var glance: Int { 1024 }

    private func index(_ text: UnsafeRawBufferPointer) -> Bool {
        var start: UnsafePointer<UInt8>?
        var table: UnsafePointer<UInt32>?
        var length = 0
        guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
            csimdjson_index(indexer, base, text.count, &start, &table, &length) == 0, let start, let table
        else { return false }
        tokens.bytes = start
        tokens.offsets = table
        count = length
        if capacity <= count {
            tokens.closing.deallocate()
            capacity = count * 2
            tokens.closing = .allocate(capacity: capacity)
        }
        tokens.hasEscapes = memchr(start, Int32(UInt8(ascii: "\\")), text.count) != nil
        return true
    }

    // MARK: Tokens

    /// The byte that a token begins with. One past the last token is a space.
    @inline(__always)
    func first(_ token: Int) -> UInt8 { tokens.first(token) }

    @inline(__always)
    func start(_ token: Int) -> Int { tokens.start(token) }

    /// The byte after the last one of a token that is a string, a number or a word.
    @inline(__always)
    func end(_ token: Int) -> Int { tokens.end(token) }

    /// The last token of the value that begins here.
    @inline(__always)
    func last(_ token: Int) -> Int { tokens.last(token) }

    /// The copied text with padding behind it.
    @inline(__always)
    var bytes: UnsafePointer<UInt8> { tokens.bytes }

    @inline(__always)
    var hasEscapes: Bool { tokens.hasEscapes }
}

/// Where the tokens of a text are. A plain value, so that loops keep it in registers.
struct Tokens {
    var bytes: UnsafePointer<UInt8>
    /// Where each token begins, and the length of the text as the last entry.
    var offsets: UnsafePointer<UInt32>
    /// For each token that opens an object or an array, the token that closes it.
    var closing: UnsafeMutablePointer<UInt32>
    var hasEscapes = false

    @inline(__always)
    func first(_ token: Int) -> UInt8 { bytes[Int(offsets[token])] }

    @inline(__always)
    func start(_ token: Int) -> Int { Int(offsets[token]) }

    @inline(__always)
    func end(_ token: Int) -> Int {
        var end = Int(offsets[token + 1])
        // Mostly nothing stands between two tokens, and one comparison tells.
        if bytes[end - 1] > UInt8(ascii: " ") { return end }
        while JSONGrammar.isWhite(bytes[end - 1]) { end -= 1 }
        return end
    }

    @inline(__always)
    func last(_ token: Int) -> Int {
        let byte = first(token)
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(closing[token]) : token
    }
}
