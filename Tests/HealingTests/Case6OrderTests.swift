import AlertBus
import AlertBusWire
import Glibc
import TestSupport
import Testing

extension HealingTests {
    @Test("6. Show and clear inside one millisecond arrive in order")
    func showAndClear() async throws {
        let arbiter = try await ArbiterProcess()
        let watcher = try RawClient(arbiter.requests)
        try watcher.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"lobby/"}"#)
        _ = try await watcher.settle()
        let screens = try ScreenProcess(arbiter.requests, ["lobby/"])
        try await settled(screens, arbiter.requests)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(2000, window: 2) { number in
            number % 2 == 0
                ? Self.raise("lobby/a", "k\(number)") : #"{"v":1,"op":"clear","ref":1,"surface":"lobby/a","shown":true}"#
        }
        var expected: UInt64 = 1
        var shown: UInt64?
        for case .stream(let message) in try await watcher.settle() {
            #expect(message.seq == expected)
            expected += 1
            switch message.change {
            case .show(let alert):
                #expect(shown == nil)
                shown = alert.instance
            case .hide(_, let instance):
                #expect(shown == instance && message.reason == .cleared)
                shown = nil
            case .update: Issue.record("nothing was updated")
            }
        }
        #expect(expected == 2001 && shown == nil)
        #expect(try await settled(screens, arbiter.requests)[0].repairCount == 0)
    }

    @Test("6. Equal priorities are first come, first served")
    func firstComeFirstServed() async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[default_policy]\nactivation_delay_ms = 0\n")
        let arbiter = try await ArbiterProcess(configuration: configuration)
        let watcher = try RawClient(arbiter.requests)
        try watcher.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"lobby/"}"#)
        _ = try await watcher.settle()
        // Several producers, each on its own connection, in turn; the arbiter's order of acceptance is the one that counts.
        let producers = try (0..<4).map { _ in try RawClient(arbiter.requests) }
        var keys: [String] = []
        for number in 0..<60 {
            keys.append("k\(number * 37 % 60)")
            try await producers[number % 4].flood(1) { _ in
                #"{"v":1,"op":"raise","ref":1,"surface":"lobby/a","key":"\#(keys[number])","producer":"p\#(number % 4)"}"#
            }
        }
        var shown: [String] = []
        try await poll(seconds: 60, "sixty alerts in turn") {
            for case .stream(let message) in try await watcher.settle() {
                if case .show(let alert) = message.change {
                    shown.append(alert.key)
                    try watcher.send(#"{"v":1,"op":"dismiss","surface":"lobby/a","instance":\#(alert.instance)}"#)
                }
            }
            return shown.count == keys.count
        }
        #expect(shown == keys)
    }

    @Test("6. A reload emits nothing")
    func reload() async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[default_policy]\nslots = 1\n")
        let errors = "\(directory.path)/errors"
        let arbiter = try await ArbiterProcess(configuration: configuration, errors: errors)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(300) { number in
            number % 3 == 0
                ? Self.raise("lobby/\(number % 20)", "k\(number)")
                : #"{"v":1,"op":"raise","ref":1,"surface":"lobby/\#(number % 20)","key":"k\#(number)"}"#
        }
        let watcher = try RawClient(arbiter.requests)
        try watcher.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"/"}"#)
        _ = try await watcher.settle()
        for round in 1...3 {
            arbiter.process.send(SIGHUP)
            try await poll(seconds: 20, "the file to be read again") {
                guard let file = fopen(errors, "r") else { return false }
                defer { fclose(file) }
                var bytes = [CChar](repeating: 0, count: 1 << 16)
                let count = fread(&bytes, 1, bytes.count - 1, file)
                let text = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
                return text.split(separator: "\n").filter { $0.contains("was read again") }.count == round
            }
            let heard = try await watcher.settle()
            #expect(heard.count == 1, "only the pong was expected, got \(heard)")
        }
    }
}
