import ZeroMQ

/// The keys of an encrypted connection: the client's own pair, and the key by which it knows the arbiter.
public struct Security: Hashable, Sendable {
    public var keys: CurveKeyPair
    public var serverKey: CurvePublicKey

    public init(keys: CurveKeyPair, serverKey: CurvePublicKey) {
        self.keys = keys
        self.serverKey = serverKey
    }

    /// From a file that `alertbus keygen` wrote.
    ///
    /// - Parameters:
    ///   - path: the client's key file, readable by its owner alone.
    ///   - serverKey: the arbiter's public key, 40 characters; nil when the file holds it too.
    /// - Throws: `keys` when the file cannot be used, or nobody says the arbiter's key.
    public init(keyFile path: String, serverKey text: String? = nil) throws(ClientError) {
        let file: CurveKeyFile
        do throws(CurveKeyFile.Fault) {
            file = try CurveKeyFile.read(path: path)
            keys = try file.pair(path: path)
        } catch {
            throw .keys("\(error)")
        }
        guard let key = try text.map(Self.serverKey) ?? file.serverKey else {
            throw .keys("\(path) does not hold the arbiter's key, and nothing else names it: add a line server = \"KEY\"")
        }
        serverKey = key
    }

    /// With a pair of its own that nobody has listed: for an arbiter that admits every key.
    public init(serverKey text: String) throws(ClientError) {
        serverKey = try Self.serverKey(text)
        do throws(ZMQError) { keys = try CurveKeyPair.generate() } catch { throw .socket(error) }
    }

    private static func serverKey(_ text: String) throws(ClientError) -> CurvePublicKey {
        guard let key = CurvePublicKey(z85: text) else {
            throw .keys("the arbiter's key \"\(text)\" is not one of 40 characters; quote it for the shell")
        }
        return key
    }
}
