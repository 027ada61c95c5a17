import Synchronization
import ZeroMQ

/// Bytes of large messages that libzmq holds because the system does not take them yet.
///
/// libzmq's high-water mark counts messages, however large each of them is: a thousand of 1 MiB are 1 GiB for one stalled peer. It tells
/// when it lets go of a message, and that is counted here. Small messages are bounded well enough by their number.
final class QueuedBytes: Sendable {
    /// From this size on a message is counted.
    static let large = 4 << 10

    private let total = Atomic<Int>(0)

    var count: Int { total.load(ordering: .relaxed) }

    /// A message with a copy of the bytes, which counts until libzmq has handed it to the system or given it up.
    ///
    /// - Throws: `ZMQError` when there is no memory.
    func message(copying bytes: UnsafeRawBufferPointer) throws(ZMQError) -> Message {
        let body = Body(bytes, self)
        return try Message(of: UnsafeRawBufferPointer(body.buffer), keeping: body)
    }

    private final class Body: Sendable {
        // Written in init only, freed in deinit only: between them every thread may read.
        nonisolated(unsafe) let buffer: UnsafeMutableRawBufferPointer
        private let queue: QueuedBytes

        init(_ bytes: UnsafeRawBufferPointer, _ queue: QueuedBytes) {
            buffer = .allocate(byteCount: bytes.count, alignment: 16)
            buffer.copyMemory(from: bytes)
            self.queue = queue
            queue.total.add(bytes.count, ordering: .relaxed)
        }

        deinit {
            queue.total.subtract(buffer.count, ordering: .relaxed)
            buffer.deallocate()
        }
    }
}
