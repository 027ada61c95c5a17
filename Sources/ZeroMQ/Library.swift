import CZeroMQ

/// The libzmq that is loaded, and what it was built with.
public enum Library {
    /// Such as "4.3.4".
    public static var version: String {
        var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
        zmq_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    /// Whether the library was built with a capability: `curve`, `ipc`, `draft`.
    public static func has(_ capability: String) -> Bool { zmq_has(capability) == 1 }
}
