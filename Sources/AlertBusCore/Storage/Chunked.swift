/// A growing array in chunks of equal size: growing it never moves what is there, so no append ever takes long.
///
/// A copy of the whole is cheap, and afterwards only the chunks that change are copied: that is how a snapshot of
/// the state is taken without stopping the arbiter. Where a step is hot it asks for an element's address: the compiler
/// copies a whole record to the stack before it calls anything on it.
struct Chunked<Element> {
    private static var shift: Int { 9 }
    private static var size: Int { 1 << shift }
    private static var mask: Int { size - 1 }

    private var chunks: [Chunk<Element>] = []
    /// Where the elements of each chunk begin, so that reading counts no references.
    private var starts: [UnsafeMutablePointer<Element>] = []
    private(set) var count = 0

    init() {}

    subscript(index: Int) -> Element {
        @inline(__always) _read { yield address(of: index).pointee }
        @inline(__always) _modify { yield &mutableAddress(of: index).pointee }
    }

    subscript(index: Int32) -> Element {
        @inline(__always) _read { yield address(of: Int(index)).pointee }
        @inline(__always) _modify { yield &mutableAddress(of: Int(index)).pointee }
    }

    /// To read a large element where it lies. Good until this value changes.
    @inline(__always)
    func address(of index: Int) -> UnsafePointer<Element> {
        precondition(index >= 0 && index < count, "the index is out of range")
        return UnsafePointer(starts[index >> Self.shift] + (index & Self.mask))
    }

    /// To change a large element where it lies. Good until this value changes otherwise.
    @inline(__always)
    mutating func mutableAddress(of index: Int) -> UnsafeMutablePointer<Element> {
        precondition(index >= 0 && index < count, "the index is out of range")
        makeOwn(index >> Self.shift)
        return starts[index >> Self.shift] + (index & Self.mask)
    }

    mutating func append(_ element: Element) {
        if count & Self.mask == 0 && count >> Self.shift == chunks.count {
            let chunk = Chunk<Element>(capacity: Self.size)
            chunks.append(chunk)
            starts.append(chunk.start)
        }
        makeOwn(count >> Self.shift)
        chunks[count >> Self.shift].append(element)
        count += 1
    }

    mutating func removeLast() {
        precondition(count > 0, "there is nothing to remove")
        count -= 1
        makeOwn(count >> Self.shift)
        chunks[count >> Self.shift].removeLast()
    }

    /// Before a chunk changes: one that a copy of the whole shares is copied.
    @inline(__always)
    private mutating func makeOwn(_ place: Int) {
        if !isKnownUniquelyReferenced(&chunks[place]) { copyChunk(place) }
    }

    @inline(never)
    private mutating func copyChunk(_ place: Int) {
        let chunk = Chunk(copying: chunks[place], capacity: Self.size)
        chunks[place] = chunk
        starts[place] = chunk.start
    }
}

extension Chunked: @unchecked Sendable where Element: Sendable {
    // The pointers lead into the chunks, and a chunk changes only while a single `Chunked` refers to it: see `makeOwn`.
}

/// Memory for a fixed number of elements, of which the first `count` are there.
private final class Chunk<Element> {
    let start: UnsafeMutablePointer<Element>
    private(set) var count = 0

    init(capacity: Int) { start = .allocate(capacity: capacity) }

    init(copying other: Chunk, capacity: Int) {
        start = .allocate(capacity: capacity)
        start.initialize(from: other.start, count: other.count)
        count = other.count
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    func append(_ element: Element) {
        (start + count).initialize(to: element)
        count += 1
    }

    func removeLast() {
        count -= 1
        (start + count).deinitialize(count: 1)
    }
}
