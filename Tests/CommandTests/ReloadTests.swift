import AlertBusModel
import AlertBusWire
import Glibc
import TestSupport
import Testing
import ZeroMQ

@Suite("SIGHUP")
struct ReloadTests {
    /// A subscriber of everything that says what it was sent.
    final class Watcher {
        private let socket: DealerSocket
        private let decoder = ServerMessageDecoder()
        private var pings = 0

        init(_ address: String) throws {
            socket = try DealerSocket(try Context())
            try socket.setReceiveHighWaterMark(0)
            try socket.connect(try Endpoint(address))
            try socket.send(#"{"v":1,"op":"subscribe","surface":"/"}"#)
        }

        /// Everything that was sent before the answer to a ping that is asked now.
        func messages() async throws -> [ServerMessage] {
            pings += 1
            try socket.send(#"{"v":1,"op":"ping","ref":\#(pings)}"#)
            var messages: [ServerMessage] = []
            var isAnswered = false
            try await poll(seconds: 20, "a pong") {
                while let message = try socket.tryReceive() {
                    let message = try decoder.decode(message.bytes)
                    if case .pong(let pong) = message {
                        isAnswered = isAnswered || pong.ref == Array("\(pings)".utf8)
                    } else {
                        messages.append(message)
                    }
                }
                return isAnswered
            }
            return messages
        }
    }

    static func policy(slots: Int, extra: String = "") -> String {
        "[[policy]]\nsurfaces = \"lobby/**\"\nslots = \(slots)\n\(extra)"
    }

    @Test("A reload that changes nothing emits nothing, one that changes a rule applies it, a faulty file keeps the old ones")
    func reload() async throws {
        let directory = TemporaryDirectory("command")
        let file = directory.file("alertbus.toml", Self.policy(slots: 1))
        let arbiter = try await TestArbiter(["--config", file])
        #expect(try await arbiter.run("raise", "lobby/a", "first").code == 0)
        #expect(try await arbiter.run("raise", "lobby/a", "second").code == 0)
        let watcher = try Watcher(arbiter.address)
        #expect(try await watcher.messages().count == 1, "the snapshot")

        arbiter.process.send(SIGHUP)
        try await arbiter.process.waitForErrors("\(file) was read again")
        #expect(try await watcher.messages() == [])

        TextFile.write(Self.policy(slots: 2, extra: "frames = 7\norder = \"age\"\n"), to: file)
        arbiter.process.send(SIGHUP)
        try await arbiter.process.waitForErrors("the rules stay as they were")
        #expect(arbiter.process.errors.contains("\(file):4:1: policy[0].frames"))
        #expect(arbiter.process.errors.contains("\(file):5:9: policy[0].order"))
        #expect(try await watcher.messages() == [])

        TextFile.write(Self.policy(slots: 2, extra: "activation_delay_ms = 0\n"), to: file)
        arbiter.process.send(SIGHUP)
        var shown: [String] = []
        try await poll(seconds: 20, "the second one to be shown") {
            for case .stream(let message) in try await watcher.messages() {
                guard case .show(let alert) = message.change else { continue }
                shown.append(alert.key)
            }
            return !shown.isEmpty
        }
        #expect(shown == ["second"])
        #expect(try await arbiter.states() == ["second:shown", "first:shown"])
    }

    @Test("Without a file it says so and serves on; with other addresses it says when they take effect")
    func otherCases() async throws {
        let arbiter = try await TestArbiter()
        arbiter.process.send(SIGHUP)
        try await arbiter.process.waitForErrors("there is no configuration file")
        #expect(try await arbiter.run("list").code == 0)

        let directory = TemporaryDirectory("command")
        let file = directory.file("alertbus.toml", "[arbiter]\nio_threads = 1\n")
        let other = try await TestArbiter(["--config", file])
        TextFile.write("[arbiter]\nio_threads = 2\n", to: file)
        other.process.send(SIGHUP)
        try await other.process.waitForErrors("changes in [arbiter] take effect at the next start")
        unlink(file)
        other.process.send(SIGHUP)
        try await other.process.waitForErrors("cannot be read")
        #expect(try await other.run("list").code == 0)
    }
}
