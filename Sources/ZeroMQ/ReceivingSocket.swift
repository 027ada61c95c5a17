import CZeroMQ
import Glibc

/// A socket that receives frames as they come.
public class ReceivingSocket: TransportSocket {
    /// Waits for a frame, and puts it in place of what `message` held.
    public final func receive(into message: inout Message) throws(ZMQError) {
        if retryingInterrupts({ message.withPointer { zmq_msg_recv($0, handle, 0) } }) < 0 {
            throw .last("zmq_msg_recv")
        }
    }

    /// Takes a frame if one is there; false when nothing waits. What waits costs no throw.
    public final func tryReceive(into message: inout Message) throws(ZMQError) -> Bool {
        try receiveIfPresent(into: &message)
    }

    public final func receive() throws(ZMQError) -> Message {
        var message = Message()
        try receive(into: &message)
        return message
    }

    public final func tryReceive() throws(ZMQError) -> Message? {
        var message = Message()
        guard try tryReceive(into: &message) else { return nil }
        return message
    }
}

extension Socket {
    @inline(__always)
    final func receiveIfPresent(into message: inout Message) throws(ZMQError) -> Bool {
        if retryingInterrupts({ message.withPointer { zmq_msg_recv($0, handle, ZMQ_DONTWAIT) } }) >= 0 { return true }
        if zmq_errno() == EAGAIN { return false }
        throw .last("zmq_msg_recv")
    }

    /// On success the message is empty; otherwise it is as it was.
    @inline(__always)
    final func sendFrame(_ message: inout Message, flags: CInt) throws(ZMQError) -> Bool {
        if retryingInterrupts({ message.withPointer { zmq_msg_send($0, handle, flags) } }) >= 0 { return true }
        if zmq_errno() == EAGAIN { return false }
        throw .last("zmq_msg_send")
    }

    @inline(__always)
    final func sendFrame(_ bytes: UnsafeRawBufferPointer, flags: CInt) throws(ZMQError) -> Bool {
        if retryingInterrupts({ zmq_send(handle, bytes.baseAddress, bytes.count, flags) }) >= 0 { return true }
        if zmq_errno() == EAGAIN { return false }
        throw .last("zmq_send", "\(bytes.count) bytes")
    }
}
