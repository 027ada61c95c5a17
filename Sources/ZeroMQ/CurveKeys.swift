import CZeroMQ

/// A CURVE public key: 32 bytes, written as 40 characters of Z85.
public struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// nil unless the text is 40 characters of Z85.
    public init?(z85 text: String) {
        guard let bytes = Z85.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    public var z85: String { Z85.encode32(bytes) }
    public var description: String { z85 }
}

/// A CURVE secret key. Its description does not show it.
public struct CurveSecretKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public let bytes: [UInt8]

    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    public init?(z85 text: String) {
        guard let bytes = Z85.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The key itself, for the file that keeps it.
    public var z85: String { Z85.encode32(bytes) }
    public var description: String { "a secret key" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The public key that belongs to it.
    ///
    /// - Throws: `notSupported` when libzmq was built without CURVE.
    public func publicKey() throws(ZMQError) -> CurvePublicKey {
        var text = [CChar](repeating: 0, count: 41)
        if zmq_curve_public(&text, z85) != 0 { throw .last("zmq_curve_public") }
        return try CurveKeyPair.key(from: text)
    }
}

/// A CURVE public key and its secret.
public struct CurveKeyPair: Hashable, Sendable {
    public let publicKey: CurvePublicKey
    public let secretKey: CurveSecretKey

    public init(secretKey: CurveSecretKey) throws(ZMQError) {
        self.secretKey = secretKey
        publicKey = try secretKey.publicKey()
    }

    /// Whether libzmq was built with CURVE.
    public static var isAvailable: Bool { Library.has("curve") }

    /// A new pair from the system's source of randomness.
    ///
    /// - Throws: `notSupported` when libzmq was built without CURVE.
    public static func generate() throws(ZMQError) -> CurveKeyPair {
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = [CChar](repeating: 0, count: 41)
        if zmq_curve_keypair(&publicText, &secretText) != 0 { throw .last("zmq_curve_keypair") }
        guard let secret = CurveSecretKey(z85: Z85.text(secretText)) else {
            throw ZMQError(rawValue: ZMQError.invalidArgument.rawValue, call: "zmq_curve_keypair", subject: "")
        }
        return CurveKeyPair(publicKey: try key(from: publicText), secretKey: secret)
    }

    private init(publicKey: CurvePublicKey, secretKey: CurveSecretKey) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    fileprivate static func key(from text: [CChar]) throws(ZMQError) -> CurvePublicKey {
        guard let key = CurvePublicKey(z85: Z85.text(text)) else {
            throw ZMQError(rawValue: ZMQError.invalidArgument.rawValue, call: "zmq_z85_decode", subject: "a public key")
        }
        return key
    }
}
