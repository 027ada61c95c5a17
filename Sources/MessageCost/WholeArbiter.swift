import AlertBusConfiguration
import AlertBusService
import Glibc
import ZeroMQ

/// A whole arbiter and its clients on one thread, in batches of a fixed size: what a message costs with sockets, sessions and delivery, the
/// clients' sending and receiving included. The kernel's part is left out, and so is its chance.
final class WholeArbiter {
    private let arbiter: Service
    private let producer: DealerSocket
    private var screens: [DealerSocket] = []
    private var message = Message()
    private var checksum = 0

    /// Fewer than after which the arbiter looks at the clock: under a profiler time passes quickly.
    private static let batch = 30

    static func run(screens: Int = 1, isDurable: Bool = false, _ body: (WholeArbiter) throws -> Void) throws -> Int {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress("ipc://\(folder.path)/requests")
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = isDurable ? .file(path: "\(folder.path)/journal") : .memory
        let arbiter = try WholeArbiter(configuration, screens: screens)
        try body(arbiter)
        return arbiter.checksum
    }

    private init(_ configuration: Configuration, screens: Int) throws {
        arbiter = try Service(configuration: configuration)
        let context = try arbiter.admitPeers(as: Self.door)
        try arbiter.beginServing()
        producer = try Self.connect(context)
        for _ in 0..<screens {
            let screen = try Self.connect(context)
            try screen.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"hall/"}"#)
            self.screens.append(screen)
            while try !screen.tryReceive(into: &message) { try arbiter.serveOnce() }
        }
    }

    private static let door = "peers"

    private static func connect(_ context: Context) throws -> DealerSocket {
        let client = try DealerSocket(context)
        try client.connect(.inproc(name: door))
        return client
    }

    func update(_ count: Int) throws {
        var raise = Template.update
        try inBatches(count, of: Self.batch) { try producer.send(raise.filled($0)) }
    }

    func showAndDismiss(_ count: Int) throws {
        var raise = Template.raise
        var dismiss = Template.dismiss
        try inBatches(count, of: Self.batch / 2, replies: 2) {
            try producer.send(raise.filled($0))
            try producer.send(dismiss.filled($0))
        }
    }

    private func inBatches(_ count: Int, of size: Int, replies: Int = 1, _ send: (Int) throws -> Void) throws {
        for first in stride(from: 0, to: count, by: size) {
            let batch = first..<min(first + size, count)
            for number in batch { try send(number) }
            var awaited = batch.count * replies
            while awaited > 0 {
                try arbiter.serveOnce()
                while try producer.tryReceive(into: &message) { if isReply { awaited -= 1 } }
            }
            // What is published is sent before the replies.
            for screen in screens { while try screen.tryReceive(into: &message) { checksum &+= message.count } }
        }
    }

    /// The producer also hears what becomes of its alerts.
    private var isReply: Bool {
        message.withUnsafeBytes { bytes in
            checksum &+= bytes.count
            let place = #"{"v":1,"op":""#.utf8.count
            return bytes.count > place && bytes[place] != UInt8(ascii: "e")
        }
    }
}

/// A folder of its own, on the disk on which temporary files are.
private struct TemporaryFolder {
    let path: String

    struct Failure: Error {
        var code: CInt
    }

    init() throws(Failure) {
        var template = Array("/tmp/message-cost-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        for name in ["requests", "journal", "journal-wal", "journal-shm", "journal.lock", "journal-lock"] {
            unlink("\(path)/\(name)")
        }
        rmdir(path)
    }
}
