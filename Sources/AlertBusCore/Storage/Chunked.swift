/// A growing array in chunks of equal size: growing it never moves what is there, so no append ever takes long.
///
/// A copy of the whole is cheap, and afterwards only the chunks that change are copied: that is how a snapshot of
/// the state is taken without stopping the arbiter.
struct Chunked<Element> {
    private static var shift: Int { 9 }
    private static var mask: Int { 511 }

    private var chunks: [ContiguousArray<Element>] = []
    private(set) var count = 0

    init() {}

    subscript(index: Int) -> Element {
        @inline(__always) _read { yield chunks[index >> Self.shift][index & Self.mask] }
        @inline(__always) _modify { yield &chunks[index >> Self.shift][index & Self.mask] }
    }

    subscript(index: Int32) -> Element {
        @inline(__always) _read { yield chunks[Int(index) >> Self.shift][Int(index) & Self.mask] }
        @inline(__always) _modify { yield &chunks[Int(index) >> Self.shift][Int(index) & Self.mask] }
    }

    mutating func append(_ element: Element) {
        if count & Self.mask == 0 && count >> Self.shift == chunks.count {
            var chunk = ContiguousArray<Element>()
            chunk.reserveCapacity(Self.mask + 1)
            chunks.append(chunk)
        }
        chunks[count >> Self.shift].append(element)
        count += 1
    }

    mutating func removeLast() {
        count -= 1
        chunks[count >> Self.shift].removeLast()
    }
}

extension Chunked: Sendable where Element: Sendable {}
