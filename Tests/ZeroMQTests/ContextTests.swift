import Glibc
import TestSupport
import Testing
import ZeroMQ

@Suite(.serialized) struct ContextTests {
    @Test func hasItsLimits() throws {
        let context = try Context(ioThreads: 2, maxSockets: 3)
        #expect(context.ioThreads == 2)
        #expect(context.maxSockets == 3)
        #expect(context.socketLimit > 1_000)
        let sockets = try (0..<3).map { _ in try PairSocket(context) }
        #expect(throws: ZMQError.tooManyOpenFiles) { _ = try PairSocket(context) }
        #expect(sockets.count == 3)
        #expect(throws: ZMQError.invalidArgument) { _ = try Context(ioThreads: -1) }
    }

    /// The number of the policy is the 41st field of a thread's status; 3 is SCHED_BATCH.
    @Test func threadsForBatchesDoNotInterrupt() throws {
        func policies() -> [String: Int] {
            var found: [String: Int] = [:]
            guard let tasks = opendir("/proc/self/task") else { return found }
            defer { closedir(tasks) }
            while let entry = readdir(tasks) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                guard let status = TextFile.read("/proc/self/task/\(name)/stat"), let end = status.lastIndex(of: ")") else {
                    continue
                }
                let fields = status[status.index(after: end)...].split(separator: " ")
                let command = status[..<end].split(separator: "(").last.map(String.init) ?? ""
                if command.hasPrefix("ZMQbg/IO"), fields.count > 38 { found[name] = Int(fields[38]) }
            }
            return found
        }
        let before = policies()
        let context = try Context(ioThreads: 2, ioScheduling: .batch)
        // A thread gives itself its name.
        #expect(eventually { policies().filter { before[$0.key] == nil }.values.sorted() == [3, 3] })
        #expect(sched_getscheduler(0) == SCHED_OTHER, "only those threads")
        #expect(context.ioThreads == 2)
    }

    @Test func endsAtOnceWithUnsentMessages() throws {
        let begin = now()
        do {
            let context = try Context()
            let dealer = try DealerSocket(context)
            try dealer.connect(.tcp(host: "127.0.0.1", port: 1))
            for _ in 0..<500 { try dealer.send([UInt8](repeating: 0, count: 1_000)) }
        }
        #expect(now() - begin < Int64(patience))
    }

    @Test func lingerBoundsTheEnd() throws {
        let begin = now()
        do {
            let context = try Context()
            let dealer = try DealerSocket(context)
            try dealer.setLinger(milliseconds: 100)
            try dealer.connect(.tcp(host: "127.0.0.1", port: 1))
            try dealer.send("nobody hears")
        }
        let lasted = now() - begin
        #expect(lasted >= 90)
        #expect(lasted < Int64(patience))
    }

    @Test func shutdownFromAnotherThreadEndsABlockingReceive() throws {
        let context = try Context()
        let socket = try PairSocket(context)
        // Whether the receive has begun by then or not, it ends.
        let thread = TestThread { context.shutdown() }
        #expect(throws: ZMQError.terminated) { _ = try socket.receive() }
        thread.join()
        context.shutdown()
        #expect(throws: ZMQError.terminated) { _ = try PairSocket(context) }
    }

    @Test func twoHundredOpensAndClosesLeakNoDescriptor() throws {
        let context = try Context()
        func cycle() throws {
            let router = try RouterSocket(context)
            let endpoint = try router.bindAnywhere()
            let dealer = try DealerSocket(context)
            let monitor = try Monitor(of: dealer)
            try dealer.connect(endpoint)
            try dealer.send("hello")
            var body = Message()
            _ = try router.next(into: &body)
            #expect(monitor.isOpen)
        }
        // Other tests open sockets at the same time, so the growth may be theirs: 200 leaks of several each would show.
        try cycle()
        let before = try FileDescriptorLimit.openCount()
        for _ in 0..<200 { try cycle() }
        #expect(try eventually { try FileDescriptorLimit.openCount() < before + 150 })
    }

    @Test func theSoftLimitRisesToTheHardOne() throws {
        let raised = try FileDescriptorLimit.raise()
        #expect(raised.soft == raised.hard)
        #expect(try FileDescriptorLimit.current() == raised)
    }

    @Test func saysItsVersion() {
        #expect(Library.version.split(separator: ".").count == 3)
        #expect(!Library.has("no such thing"))
    }
}
