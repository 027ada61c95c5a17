import AlertBusWire

// What any peer may send. The fuzzer is single-threaded, and only it calls the entry point.
nonisolated(unsafe) private let requests = RequestDecoder(limits: WireLimits(messageBytes: 1 << 16))
nonisolated(unsafe) private let messages = ServerMessageDecoder(limits: WireLimits(messageBytes: 1 << 16))

/// Bytes are read as a request and as a message of the arbiter. What is understood must be the same when it is written and
/// read again, and what is not must be refused with a sentence.
@_cdecl("LLVMFuzzerTestOneInput")
public func decoderOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    do throws(WireFault) {
        let request = try requests.decode(bytes)
        var writer = MessageWriter()
        writer.request(request)
        let again = try requests.decode(writer.bytes)
        precondition(again == request, "a request changed on its way")
    } catch {
        precondition(!error.message.isEmpty, "a refusal says nothing")
        var writer = MessageWriter()
        writer.refused(error)
        precondition((try? messages.decode(writer.bytes)) != nil, "a refusal cannot be read")
    }
    do throws(WireFault) {
        let message = try messages.decode(bytes)
        var writer = MessageWriter()
        writer.message(message)
        let again = try messages.decode(writer.bytes)
        precondition(again == message, "a message changed on its way")
    } catch {
        precondition(!error.message.isEmpty, "a fault says nothing")
    }
    return 0
}
