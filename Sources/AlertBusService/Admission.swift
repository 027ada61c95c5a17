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
    /// Keys that were refused: not listed, or no observer at the feed.
    private(set) var refusedKeys: UInt64 = 0
    var connections: ConnectionTable
    /// In place of what `judge` says, to prove that the canary notices.
    private let override: ZAPDecision?

    /// Descriptors that are not for connections: the journal and its files while they are changed, libzmq's own, logs, and
    /// those that have been accepted and are about to be turned away.
    static func reserved(of limit: Int) -> Int { min(max(limit / 8, 64), 1024) }

    /// Starts the handler; this has to come before any bind, or libzmq admits every key.
    init(_ context: Context, _ configuration: Configuration, override: ZAPDecision? = nil) throws(ServiceError) {
        do throws(BindError) { handler = try ZAPHandler(context) } catch {
            throw ServiceError.bind(role: "authentication", endpoint: "inproc://zeromq.zap.01", "\(error)")
        }
        self.override = override
        connections = ConnectionTable(limit: Self.limit(configuration))
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
            permissionsStamp = FileStamp(path: permissionsPath)
            access.permissions = try Permissions.load(path: permissionsPath)
        } catch {
            throw ServiceError.security("The permissions file cannot be used:\n\(error)")
        }
    }

    /// What the configuration allows, as far as the process has descriptors: at their end libzmq spins and says nothing.
    static func limit(_ configuration: Configuration) -> Int {
        let wanted = configuration.peerLimits.connections
        guard let limit = try? FileDescriptorLimit.current() else { return wanted }
        let soft = Int(clamping: limit.soft)
        return max(1, min(wanted, soft - reserved(of: soft)))
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
        let decision = override ?? judge(request)
        if case .refuse = decision { refusedKeys += 1 }
        return decision
    }

    /// Whoever is admitted is known by the key from then on: a name may get another key, an admitted key stays what it is.
    private func judge(_ request: ZAPRequest) -> ZAPDecision {
        guard keys != nil else { return .admit(userID: "") }
        guard request.mechanism == "CURVE", let key = request.publicKey?.z85 else {
            return .refuse("this arbiter wants CURVE")
        }
        guard let permissions = access.permissions else { return .admit(userID: key) }
        guard let client = permissions.client(key: key) else { return .refuse("this key is not listed") }
        // The feed has every surface, and what a subscriber asks for there cannot be refused piece by piece.
        if request.domain == Self.feedDomain && !client.observer { return .refuse("this key is no observer") }
        return .admit(userID: key)
    }

    /// What a key may do; nil when it is not listed, or there is no list.
    func client(key: String) -> ClientPermissions? { access.permissions?.client(key: key) }

    /// What became of the permissions file since it was last looked at.
    enum News {
        case changed(from: Permissions)
        /// The old ones stay in force.
        case faulty(ConfigurationFaults)
    }

    /// Reads the permissions again if the file has changed.
    func refresh() -> News? {
        guard let before = access.permissions else { return nil }
        let stamp = FileStamp(path: permissionsPath)
        guard stamp != permissionsStamp else { return nil }
        permissionsStamp = stamp
        do throws(ConfigurationFaults) {
            access.permissions = try Permissions.load(path: permissionsPath)
            return .changed(from: before)
        } catch {
            return .faulty(error)
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
