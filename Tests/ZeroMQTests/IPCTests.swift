import Glibc
import TestSupport
import Testing
import ZeroMQ

@Suite struct IPCTests {
    let context: Context
    let directory: TemporaryDirectory

    init() throws {
        context = try Context()
        directory = TemporaryDirectory("zeromq")
    }

    func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func roundTripAndMode() throws {
        let path = directory.path + "/bus"
        let router = try RouterSocket(context)
        try router.bind(.ipc(path: path), fileMode: 0o600)
        #expect(mode(path) == 0o600)
        let dealer = try DealerSocket(context)
        try dealer.connect(try router.boundEndpoint())
        try dealer.send("hello")
        var body = Message()
        _ = try router.next(into: &body)
        #expect(body.text == "hello")
        router.close()
        // libzmq leaves the file; the next bind takes its place.
        let next = try RouterSocket(context)
        #expect(
            try eventually {
                do {
                    try next.bind(.ipc(path: path))
                    return true
                } catch {
                    // Closing goes on in the background.
                    if error as? BindError == .endpoint(.inUse(path: path)) { return false }
                    throw error
                }
            })
    }

    @Test func aStaleFileIsReplaced() throws {
        let path = directory.path + "/stale"
        try leaveStaleFile(path)
        #expect(mode(path) != nil)
        let router = try RouterSocket(context)
        try router.bind(.ipc(path: path))
        let dealer = try DealerSocket(context)
        try dealer.connect(.ipc(path: path))
        try dealer.send("hello")
        var body = Message()
        _ = try router.next(into: &body)
        #expect(body.text == "hello")
    }

    @Test func aLiveOneIsRefusedAndStaysAlive() throws {
        let path = directory.path + "/live"
        let first = try RouterSocket(context)
        try first.bind(.ipc(path: path))
        let second = try RouterSocket(context)
        #expect(throws: BindError.endpoint(.inUse(path: path))) { try second.bind(.ipc(path: path)) }
        let dealer = try DealerSocket(context)
        try dealer.connect(.ipc(path: path))
        try dealer.send("hello")
        var body = Message()
        _ = try first.next(into: &body)
        #expect(body.text == "hello")
    }

    @Test func aFileThatIsNoSocketIsNotDeleted() throws {
        let path = directory.path + "/notes"
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        let router = try RouterSocket(context)
        #expect(throws: BindError.endpoint(.notASocket(path: path))) { try router.bind(.ipc(path: path)) }
        #expect(mode(path) == 0o600)
    }

    @Test func aMissingDirectoryIsNamed() throws {
        let router = try RouterSocket(context)
        do {
            try router.bind(.ipc(path: directory.path + "/none/bus"))
            Issue.record("bound in a directory that does not exist")
        } catch {
            #expect(error == .endpoint(.system(.noSuchFile)))
            #expect(error.description.contains(directory.path + "/none"))
        }
    }

    @Test func theAbstractNamespaceNeedsNoFile() throws {
        let endpoint = Endpoint.ipc(path: "@zeromq-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
        let left = try PairSocket(context)
        try left.bind(endpoint, fileMode: 0o600)
        let right = try PairSocket(context)
        try right.connect(endpoint)
        try right.send("hello")
        #expect(try left.text() == "hello")
    }

    /// What a killed process leaves: a bound socket file without a listener.
    private func leaveStaleFile(_ path: String) throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        close(descriptor)
        try #require(result == 0)
    }
}
