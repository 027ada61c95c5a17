/// The name that libzmq gives one connection of a ROUTER: a zero byte and four bytes.
///
/// A reconnected peer gets a new one. Never tell a peer its own or another one's id, nor anything that it can be
/// computed from: libzmq 4.3.4 numbers connections in order from a random start, a peer may claim any id at its
/// handshake, and the process aborts when the next number in order is taken.
public struct RoutingID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// nil when the bytes are not of the form that libzmq assigns.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 5, bytes[0] == 0 else { return nil }
        rawValue = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    }

    /// The five bytes on the wire, as the first ones in memory of this word: a zero, and the number in network order.
    var frame: UInt64 { (UInt64(rawValue.byteSwapped) << 8).littleEndian }

    public var description: String { String(rawValue, radix: 16) }
}
