import AlertBus
import AlertBusWire
import Synchronization
import TestSupport
import Testing

extension HealingTests {
    @Test("1. Late joiner: after 10,000 changes a new subscriber has the right screen from one snapshot")
    func lateJoiner() async throws {
        let arbiter = try await ArbiterProcess()
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(10_000) { number in
            number % 2 == 0 ? Self.raise("lobby/a", "k\(number / 2)") : Self.withdraw("lobby/a", "k\(number / 2)")
        }
        try await producer.flood(3) { Self.raise("lobby/a", "stays\($0)") }

        let joiner = try RawClient(arbiter.requests)
        try joiner.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"lobby/a"}"#)
        let heard = try await joiner.settle()
        guard heard.count == 2, case .snapshot(let part) = heard[0], let surface = part.surfaces.first else {
            throw Failure("one snapshot was expected, got \(heard)")
        }
        #expect(part.last && part.surfaces.count == 1)
        #expect(surface.seq == 10_003)
        #expect(surface.shown.map(\.key) == ["stays0", "stays1", "stays2"])

        let screens = try ScreenProcess(arbiter.requests, ["lobby/a"])
        let drawn = try await settled(screens, arbiter.requests)[0]
        #expect(drawn.screens["lobby/a"]?.seq == 10_003)
        #expect(drawn.repairCount == 0, "\(drawn.causes)")
    }

    @Test("1. Late joiner: on a surface with 100,000 waiting it is on screen within 1 s")
    func lateJoinerOnLongQueue() async throws {
        let directory = TemporaryDirectory("healing")
        let configuration = directory.file("a.toml", "[default_policy]\ncapacity = 200000\n")
        let arbiter = try await ArbiterProcess(configuration: configuration)
        let producer = try RawClient(arbiter.requests)
        try await producer.flood(100_001, window: 2048) {
            #"{"v":1,"op":"raise","ref":1,"surface":"lobby/a","key":"k\#($0)","params":{"title":"Alert number \#($0)"}}"#
        }
        // The machine may be busy with other things; three joiners, and one has to show what the arbiter can do.
        var times: [Int] = []
        for _ in 0..<3 {
            let start = ContinuousClock.now
            let shown = Mutex<Int?>(nil)
            let subscriber = try Subscriber(requests: arbiter.requests, "lobby/a") { event in
                if case .show(_, let alert, _) = event, alert.key == "k0" { shown.withLock { $0 = milliseconds(since: start) } }
            }
            try await poll(seconds: 20, "the first screen") { shown.withLock { $0 != nil } }
            times.append(shown.withLock { $0 ?? .max })
            #expect(subscriber.shown(on: "lobby/a").count == 1)
            subscriber.close()
        }
        var patient = ClientOptions()
        patient.timeout = .seconds(120)
        let all = try await Operator(requests: arbiter.requests, options: patient).list("lobby/")
        #expect(all.count == 100_001, "in a hundred parts")
        report("1 late joiner with 100,000 waiting: on screen after \(times) ms")
        #expect(times.min() ?? .max <= 1000)
    }
}
