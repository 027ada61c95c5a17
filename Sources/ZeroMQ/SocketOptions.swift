import CZeroMQ

extension ZMQError {
    /// An option's value that libzmq must not even see.
    static func refused(_ option: String) -> ZMQError {
        ZMQError(rawValue: ZMQError.invalidArgument.rawValue, call: "zmq_setsockopt", subject: option)
    }
}

// The one place that reads and writes options; the typed setters stand in files by subject.
extension Socket {
    final func set(_ option: CInt, _ value: CInt, _ name: String) throws(ZMQError) {
        var value = value
        let result = retryingInterrupts { zmq_setsockopt(handle, option, &value, MemoryLayout<CInt>.size) }
        if result != 0 { throw .last("zmq_setsockopt", "\(name) \(value)") }
    }

    final func set(_ option: CInt, _ value: Bool, _ name: String) throws(ZMQError) {
        try set(option, value ? 1 : 0, name)
    }

    /// A value that does not fit is an error, never cut.
    final func set(_ option: CInt, _ value: Int, atLeast minimum: Int, _ name: String) throws(ZMQError) {
        guard value >= minimum, let exact = CInt(exactly: value) else { throw .refused("\(name) \(value)") }
        try set(option, exact, name)
    }

    final func set64(_ option: CInt, _ value: Int64, _ name: String) throws(ZMQError) {
        var value = value
        let result = retryingInterrupts { zmq_setsockopt(handle, option, &value, MemoryLayout<Int64>.size) }
        if result != 0 { throw .last("zmq_setsockopt", "\(name) \(value)") }
    }

    /// The value is not repeated in the error: it may be a secret.
    final func set(_ option: CInt, bytes: UnsafeRawBufferPointer, _ name: String) throws(ZMQError) {
        let result = retryingInterrupts { zmq_setsockopt(handle, option, bytes.baseAddress, bytes.count) }
        if result != 0 { throw .last("zmq_setsockopt", name) }
    }

    final func set(_ option: CInt, bytes: [UInt8], _ name: String) throws(ZMQError) {
        try bytes.span.bytes.withUnsafeBytes { buffer throws(ZMQError) in try set(option, bytes: buffer, name) }
    }

    final func integer(_ option: CInt, _ name: String) throws(ZMQError) -> CInt {
        var value: CInt = 0
        var size = MemoryLayout<CInt>.size
        let result = retryingInterrupts { zmq_getsockopt(handle, option, &value, &size) }
        if result != 0 { throw .last("zmq_getsockopt", name) }
        return value
    }

    final func string(_ option: CInt, _ name: String) throws(ZMQError) -> String {
        var bytes = [UInt8](repeating: 0, count: 512)
        var size = bytes.count
        let result = bytes.withUnsafeMutableBytes { buffer in
            retryingInterrupts { zmq_getsockopt(handle, option, buffer.baseAddress, &size) }
        }
        if result != 0 { throw .last("zmq_getsockopt", name) }
        return String(decoding: bytes.prefix(size).prefix { $0 != 0 }, as: UTF8.self)
    }
}
