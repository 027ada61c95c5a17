import CZeroMQ
import Glibc

/// A failed call of libzmq or of the system, with the whole errno, libzmq's own codes included.
///
/// Two errors are equal when their codes are; the call and its subject are there for people.
public struct ZMQError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The errno of the failed call.
    public let rawValue: CInt
    /// The call that failed, such as `zmq_bind`; "" when it is not known.
    public let call: String
    /// The endpoint, option or path that the call was about; "" when there is none.
    public let subject: String

    public init(rawValue: CInt) {
        self.init(rawValue: rawValue, call: "", subject: "")
    }

    init(rawValue: CInt, call: String, subject: String) {
        self.rawValue = rawValue
        self.call = call
        self.subject = subject
    }

    /// The error of the call that has just failed on this thread.
    ///
    /// The arguments must not call the system before errno is read, so they are closures.
    @inline(never)
    static func last(_ call: @autoclosure () -> String, _ subject: @autoclosure () -> String = "") -> ZMQError {
        let code = zmq_errno()
        return ZMQError(rawValue: code, call: call(), subject: subject())
    }

    /// What the system or libzmq calls this code.
    public var message: String { String(cString: zmq_strerror(rawValue)) }

    public var description: String {
        var text = call
        if !subject.isEmpty { text += text.isEmpty ? subject : " \(subject)" }
        text += text.isEmpty ? "\(message) (errno \(rawValue))" : ": \(message) (errno \(rawValue))"
        if let advice { text += "; \(advice)" }
        return text
    }

    /// What to do about the codes that people meet.
    private var advice: String? {
        switch self {
        case .addressInUse: "another process listens there: stop it or choose another endpoint"
        case .noSuchDevice: "no such local address or interface: bind to a numeric address, an interface name or *"
        case .tooManyOpenFiles: "raise the limit of open files (ulimit -n), or the context's limit of sockets"
        case .terminated: "the context was shut down"
        case .wrongState: "the operation does not fit the state of the socket: a request and its reply take turns"
        case .accessDenied: "check the owner and the mode of the file and of its directory"
        default: nil
        }
    }

    public static func == (a: ZMQError, b: ZMQError) -> Bool { a.rawValue == b.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The operation would have to wait.
    public static let wouldBlock = ZMQError(rawValue: EAGAIN)
    public static let interrupted = ZMQError(rawValue: EINTR)
    public static let invalidArgument = ZMQError(rawValue: EINVAL)
    public static let addressInUse = ZMQError(rawValue: EADDRINUSE)
    public static let addressNotAvailable = ZMQError(rawValue: EADDRNOTAVAIL)
    public static let noSuchDevice = ZMQError(rawValue: ENODEV)
    public static let noSuchFile = ZMQError(rawValue: ENOENT)
    public static let accessDenied = ZMQError(rawValue: EACCES)
    public static let tooManyOpenFiles = ZMQError(rawValue: EMFILE)
    public static let unreachable = ZMQError(rawValue: EHOSTUNREACH)
    public static let notSupported = ZMQError(rawValue: ENOTSUP)
    /// The socket is closed.
    public static let notASocket = ZMQError(rawValue: ENOTSOCK)
    /// The context was shut down (libzmq's ETERM).
    public static let terminated = ZMQError(rawValue: 156_384_712 + 53)
    /// The operation does not fit the socket's state (libzmq's EFSM).
    public static let wrongState = ZMQError(rawValue: 156_384_712 + 51)
    /// No I/O thread is available (libzmq's EMTHREAD).
    public static let noThread = ZMQError(rawValue: 156_384_712 + 54)
}

/// Calls again as long as a signal interrupts the call: every call of libzmq may return EINTR.
@inline(__always)
func retryingInterrupts(_ call: () -> CInt) -> CInt {
    while true {
        let result = call()
        if result != -1 || zmq_errno() != EINTR { return result }
    }
}
