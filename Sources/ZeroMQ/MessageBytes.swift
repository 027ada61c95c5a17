import CZeroMQ

// Reading a message. Calls that only read work on a copy of the 64-byte handle, never of the bytes behind it.
extension Message {
    public var count: Int { reading { zmq_msg_size($0) } }
    public var isEmpty: Bool { count == 0 }

    /// More frames of the same message follow; set by receiving.
    public var more: Bool { reading { zmq_msg_more($0) } == 1 }

    /// The bytes, valid inside `body` only.
    @inlinable
    public borrowing func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        var words = words
        return try withUnsafeMutablePointer(to: &words) { pointer throws(E) -> R in
            let message = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: zmq_msg_t.self)
            return try body(UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message)))
        }
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The bytes as UTF-8, faults repaired.
    public var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// What libzmq knows about the connection that the message came from: `User-Id`, `Peer-Address`, `Socket-Type`.
    ///
    /// Ask the body: on the first frame that a ROUTER delivers, libzmq 4.3.4 gives nothing after a poll.
    public func metadata(_ name: String) -> String? {
        reading { message in zmq_msg_gets(message, name).map { String(cString: $0) } }
    }

    /// The identity that the ZAP handler gave the sender's key; nil without one.
    public var userID: String? { metadata("User-Id") }

    /// The address of the sender, without its port; nil for inproc and ipc.
    public var peerAddress: String? { metadata("Peer-Address") }

    /// The file descriptor of the connection that the message came over; nil for inproc. It may be another's by now.
    public var descriptor: CInt? { metadata("__fd").flatMap { CInt($0) } }

    @inline(__always)
    private borrowing func reading<R>(_ body: (UnsafeMutablePointer<zmq_msg_t>) -> R) -> R {
        var words = words
        return withUnsafeMutablePointer(to: &words) {
            body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: zmq_msg_t.self))
        }
    }
}
