/// What waits for one page, bounded in bytes.
///
/// When the bound is passed everything that was not begun is dropped, and a snapshot takes its place when the page
/// takes bytes again: the same way in which a page begins.
struct EventQueue {
    private let limit: Int
    private var frames: [[UInt8]] = []
    private var first = 0
    /// Bytes of the first frame that were taken.
    private var offset = 0
    private var size = 0
    private var needsSnapshot = true

    init(limit: Int, hello: [UInt8]) {
        self.limit = limit
        frames = [hello]
        size = hello.count
    }

    var isEmpty: Bool { first == frames.count && !needsSnapshot }

    /// Bytes that are held.
    var byteCount: Int { size }

    /// - Returns: whether the backlog was dropped for it.
    @discardableResult
    mutating func append(_ frame: [UInt8]) -> Bool {
        if needsSnapshot { return false }
        if size + frame.count > limit {
            resynchronise()
            return true
        }
        if first == frames.count {
            frames.removeAll(keepingCapacity: true)
            first = 0
        }
        frames.append(frame)
        size += frame.count
        return false
    }

    /// A sign of life is only worth sending when nothing else waits.
    mutating func appendIfIdle(_ frame: [UInt8]) {
        if isEmpty { append(frame) }
    }

    mutating func resynchronise() {
        // A frame that was begun must be finished, or the page would read nonsense.
        frames = offset > 0 ? [frames[first]] : []
        first = 0
        size = frames.first.map { $0.count - offset } ?? 0
        needsSnapshot = true
    }

    /// Moves bytes to a page; 0 when nothing waits.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer, snapshot: () -> [UInt8]) -> Int {
        var written = 0
        while written < buffer.count {
            if first == frames.count {
                if !needsSnapshot { break }
                needsSnapshot = false
                let frame = snapshot()
                frames = [frame]
                first = 0
                size += frame.count
            }
            let frame = frames[first]
            let count = min(frame.count - offset, buffer.count - written)
            frame.withUnsafeBytes { bytes in
                buffer[written..<(written + count)].copyBytes(from: bytes[offset..<(offset + count)])
            }
            written += count
            offset += count
            size -= count
            if offset == frame.count {
                frames[first] = []
                first += 1
                offset = 0
            }
        }
        // What was taken is forgotten even when the page never catches up completely.
        if first > 1024 {
            frames.removeFirst(first)
            first = 0
        }
        return written
    }

    /// An event as it is written on the stream.
    static func frame(_ name: StaticString, _ data: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(data.count + 32)
        frame += "event: ".utf8
        frame += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        frame += "\ndata: ".utf8
        frame += data
        frame += "\n\n".utf8
        return frame
    }
}
