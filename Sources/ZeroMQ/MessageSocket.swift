import CZeroMQ

/// A socket that sends and receives frames: DEALER, REQ, REP and PAIR.
///
/// A message of several frames is delivered whole or not at all. A send that takes an `inout` message empties it on
/// success and leaves it untouched otherwise.
public class MessageSocket: ReceivingSocket {
    /// Waits until the frame is queued. With `more` the message goes on with the next send.
    public final func send(_ message: inout Message, more: Bool = false) throws(ZMQError) {
        _ = try sendFrame(&message, flags: more ? ZMQ_SNDMORE : 0)
    }

    /// Waits until a copy of the bytes is queued.
    public final func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(ZMQError) {
        _ = try sendFrame(bytes, flags: more ? ZMQ_SNDMORE : 0)
    }

    public final func send(_ bytes: [UInt8], more: Bool = false) throws(ZMQError) {
        try bytes.span.bytes.withUnsafeBytes { buffer throws(ZMQError) in try send(buffer, more: more) }
    }

    public final func send(_ text: String, more: Bool = false) throws(ZMQError) {
        try send(Array(text.utf8), more: more)
    }

    /// Queues the frame if that needs no waiting; false when it would: no connection, or the high-water mark.
    public final func trySend(_ message: inout Message, more: Bool = false) throws(ZMQError) -> Bool {
        try sendFrame(&message, flags: more ? ZMQ_SNDMORE | ZMQ_DONTWAIT : ZMQ_DONTWAIT)
    }

    /// Queues a copy of the bytes if that needs no waiting.
    public final func trySend(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(ZMQError) -> Bool {
        try sendFrame(bytes, flags: more ? ZMQ_SNDMORE | ZMQ_DONTWAIT : ZMQ_DONTWAIT)
    }

    public final func trySend(_ bytes: [UInt8], more: Bool = false) throws(ZMQError) -> Bool {
        try bytes.span.bytes.withUnsafeBytes { buffer throws(ZMQError) in try trySend(buffer, more: more) }
    }

    /// `send` with more frames to follow.
    public final func sendMore(_ message: inout Message) throws(ZMQError) { try send(&message, more: true) }
    public final func sendMore(_ bytes: UnsafeRawBufferPointer) throws(ZMQError) { try send(bytes, more: true) }
}
