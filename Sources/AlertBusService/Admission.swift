import AlertBusConfiguration
import AlertBusModel
import Glibc
import ZeroMQ

/// Who may connect at all: answers libzmq's questions, counts connections, and follows the permissions file.
final class Admission {
    static let requestsDomain = "requests"
    static let feedDomain = "feed"

    let handler: ZAPHandler
    /// Nil when connections are not encrypted.
    let keys: CurveKeyPair?
    private(set) var access = Access()
    private let permissionsPath: String
    private var permissionsStamp = FileStamp()
    private(set) var refusedConnections: UInt64 = 0
    var connections = 0
    var limit: Int

    /// Starts the handler; this has to come before any bind, or libzmq admits every key.
    init(_ context: Context, _ configuration: Configuration) throws(ServiceError) {
        do throws(BindError) { handler = try ZAPHandler(context) } catch {
            throw ServiceError.bind(role: "authentication", endpoint: "inproc://zeromq.zap.01", "\(error)")
        }
        limit = configuration.peerLimits.connections
        permissionsPath = configuration.security.permissionsFile
        let keyPath = configuration.security.curveKeyFile
        guard !keyPath.isEmpty else {
            keys = nil
            return
        }
        do throws(CurveKeyFile.Fault) {
            keys = try CurveKeyFile.read(path: keyPath).pair(path: keyPath)
        } catch {
            throw ServiceError.security("The arbiter's key cannot be used: \(error)")
        }
        guard !permissionsPath.isEmpty else { return }
        do throws(ConfigurationFaults) {
            access.permissions = try Permissions.load(path: permissionsPath)
            permissionsStamp = FileStamp(path: permissionsPath)
        } catch {
            throw ServiceError.security("The permissions file cannot be used:\n\(error)")
        }
    }

    /// Before the bind.
    func protect(_ socket: TransportSocket, domain: String) throws(ZMQError) {
        if let keys { try socket.setCurveServer(secretKey: keys.secretKey) }
        try socket.setZAPDomain(domain)
        // Without it a server admits any key should the handler be missing.
        try socket.setZAPEnforceDomain(true)
    }

    func answer() throws(ZMQError) {
        _ = try handler.answerPending { decide($0) }
    }

    private func decide(_ request: ZAPRequest) -> ZAPDecision {
        let decision = judge(request)
        if case .refuse = decision { refusedConnections += 1 }
        return decision
    }

    private func judge(_ request: ZAPRequest) -> ZAPDecision {
        // The one that asks has been counted already.
        if connections > limit { return .refuse("too many connections (limits.connections)") }
        guard keys != nil else { return .admit(userID: "") }
        guard request.mechanism == "CURVE", let key = request.publicKey else {
            return .refuse("this arbiter wants CURVE")
        }
        guard let permissions = access.permissions else { return .admit(userID: "") }
        guard let client = permissions.client(key: key.z85) else { return .refuse("this key is not listed") }
        // The feed has every surface, and what a subscriber asks for there cannot be refused piece by piece.
        if request.domain == Self.feedDomain && !client.observer { return .refuse("this key is no observer") }
        return .admit(userID: client.name)
    }

    /// Reads the permissions again if the file has changed.
    /// - Returns: what an operator should know; nil when nothing changed.
    func refresh() -> String? {
        guard keys != nil, !permissionsPath.isEmpty else { return nil }
        let stamp = FileStamp(path: permissionsPath)
        guard stamp != permissionsStamp else { return nil }
        permissionsStamp = stamp
        do throws(ConfigurationFaults) {
            access.permissions = try Permissions.load(path: permissionsPath)
            return "The permissions have changed and are in force."
        } catch {
            return "The permissions have changed but cannot be used; the old ones stay in force.\n\(error)"
        }
    }
}

/// Tells whether a file was written since.
struct FileStamp: Equatable {
    private var inode: UInt = 0
    private var size: Int = -1
    private var seconds: Int = 0
    private var nanoseconds: Int = 0

    init() {}

    init(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }
}
