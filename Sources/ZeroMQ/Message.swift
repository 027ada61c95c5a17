import CZeroMQ
import Glibc

/// One frame: an owner of a `zmq_msg_t`. Receive into one that is reused, and nothing is allocated per message.
///
/// Bytes are read-only once the message exists, because copies share them.
public struct Message: ~Copyable, Sendable {
    // Sixty-four bytes with the alignment of a pointer, as zmq_msg_t; words move faster than sixty-four single bytes.
    // libzmq itself moves messages by plain assignment, so the value may change its address.
    @usableFromInline var words = InlineArray<8, UInt64>(repeating: 0)

    /// An empty message, to receive into.
    public init() {
        withPointer { _ = zmq_msg_init($0) }
    }

    /// A message of `size` bytes that `fill` writes. What it does not write is undefined.
    ///
    /// - Throws: `ZMQError` when there is no memory.
    public init(size: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws(ZMQError) {
        self.init()
        if withPointer({ zmq_msg_init_size($0, size) }) != 0 {
            let error = ZMQError.last("zmq_msg_init_size", "\(size) bytes")
            // A failed init leaves the message invalid, and deinit will close it.
            withPointer { _ = zmq_msg_init($0) }
            throw error
        }
        withPointer { fill(UnsafeMutableRawBufferPointer(start: zmq_msg_data($0), count: size)) }
    }

    /// A copy of the bytes.
    public init(copying bytes: UnsafeRawBufferPointer) throws(ZMQError) {
        try self.init(size: bytes.count) { target in
            if !bytes.isEmpty { target.copyMemory(from: bytes) }
        }
    }

    public init(_ bytes: [UInt8]) throws(ZMQError) {
        try self.init(size: bytes.count) { $0.copyBytes(from: bytes) }
    }

    public init(_ text: String) throws(ZMQError) {
        try self.init(Array(text.utf8))
    }

    /// A message over bytes that `owner` keeps, without a copy. `owner` is released when libzmq and all copies are
    /// done with them, exactly once, on whichever thread that happens.
    ///
    /// The bytes must stay valid and unchanged as long as `owner` lives.
    public init(of bytes: UnsafeRawBufferPointer, keeping owner: some AnyObject & Sendable) throws(ZMQError) {
        self.init()
        let hint = Unmanaged.passRetained(owner as AnyObject)
        let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        let result = withPointer {
            zmq_msg_init_data(
                $0, data, bytes.count, { _, hint in Unmanaged<AnyObject>.fromOpaque(hint!).release() }, hint.toOpaque())
        }
        if result != 0 {
            let error = ZMQError.last("zmq_msg_init_data", "\(bytes.count) bytes")
            hint.release()
            withPointer { _ = zmq_msg_init($0) }
            throw error
        }
    }

    deinit {
        var words = words
        withUnsafeMutablePointer(to: &words) {
            _ = zmq_msg_close(UnsafeMutableRawPointer($0).assumingMemoryBound(to: zmq_msg_t.self))
        }
    }

    /// A message with the same bytes. Past 33 bytes they are shared and counted, not copied: the way to send one
    /// encoded message to many peers. Mutating, because the original must know that it is shared.
    public mutating func copy() -> Message {
        var other = Message()
        // Fails only for an invalid message, and this one is valid by construction.
        withPointer { source in other.withPointer { _ = zmq_msg_copy($0, source) } }
        return other
    }

    /// Lets go of the bytes.
    public mutating func clear() {
        withPointer {
            _ = zmq_msg_close($0)
            _ = zmq_msg_init($0)
        }
    }

    @inlinable @inline(__always)
    mutating func withPointer<R>(_ body: (UnsafeMutablePointer<zmq_msg_t>) -> R) -> R {
        withUnsafeMutablePointer(to: &words) {
            body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: zmq_msg_t.self))
        }
    }
}
