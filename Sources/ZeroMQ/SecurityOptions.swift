import CZeroMQ

// CURVE and ZAP. Set them before bind or connect: endpoints take the options that stand at that time.
extension TransportSocket {
    /// Every connection to this socket must know the public key that belongs to this secret one.
    ///
    /// Alone it admits any client key. Start a `ZAPHandler` first, and set a domain and its enforcement.
    public final func setCurveServer(secretKey: CurveSecretKey) throws(ZMQError) {
        try set(ZMQ_CURVE_SERVER, true, "ZMQ_CURVE_SERVER")
        try set(ZMQ_CURVE_SECRETKEY, bytes: secretKey.bytes, "ZMQ_CURVE_SECRETKEY")
    }

    /// Connects only to the server that holds the secret key of `serverKey`, and shows it `keys`.
    ///
    /// With a wrong server key sends still succeed and vanish: watch the monitor for failed handshakes.
    public final func setCurveClient(keys: CurveKeyPair, serverKey: CurvePublicKey) throws(ZMQError) {
        try set(ZMQ_CURVE_SERVERKEY, bytes: serverKey.bytes, "ZMQ_CURVE_SERVERKEY")
        try set(ZMQ_CURVE_PUBLICKEY, bytes: keys.publicKey.bytes, "ZMQ_CURVE_PUBLICKEY")
        try set(ZMQ_CURVE_SECRETKEY, bytes: keys.secretKey.bytes, "ZMQ_CURVE_SECRETKEY")
    }

    /// The name that the ZAP handler is told, so that one handler can serve several sockets.
    public final func setZAPDomain(_ domain: String) throws(ZMQError) {
        try set(ZMQ_ZAP_DOMAIN, bytes: Array(domain.utf8), "ZMQ_ZAP_DOMAIN \(domain)")
    }

    /// Refuses every connection while no ZAP handler runs; without it a CURVE server then admits any key.
    public final func setZAPEnforceDomain(_ on: Bool) throws(ZMQError) {
        // zmq.h hides the name behind the draft interface, though the library takes the option.
        try set(93, on, "ZMQ_ZAP_ENFORCE_DOMAIN")
    }
}
