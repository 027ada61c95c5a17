/// Bytes that many messages send without copying them: encoded once, sent to many peers.
public final class SharedBytes: Sendable {
    // Written in init only, freed in deinit only: between them every thread may read.
    nonisolated(unsafe) private let buffer: UnsafeMutableRawBufferPointer
    public let count: Int

    /// Room for `capacity` bytes; `fill` writes them and returns how many it used.
    public init(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        buffer = .allocate(byteCount: capacity, alignment: 16)
        count = fill(buffer)
        precondition(count >= 0 && count <= capacity, "fill returned a count outside of the buffer")
    }

    public convenience init(_ bytes: [UInt8]) {
        self.init(capacity: bytes.count) { target in
            target.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit { buffer.deallocate() }

    /// A message over these bytes; it keeps them alive.
    ///
    /// - Throws: `ZMQError` when there is no memory.
    public func message() throws(ZMQError) -> Message {
        try Message(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]), keeping: self)
    }
}
