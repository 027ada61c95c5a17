import AlertBusConfiguration
import AlertBusService
import TestSupport
import Testing
import ZeroMQ

/// A screen that was behind for a moment gets what it missed as fast as it takes it.
struct CatchUpTests {
    @Test func aScreenThatReadsAgainDoesNotWaitForEachThousand() throws {
        var configuration = Configuration()
        configuration.arbiter.requests = try ListenAddress("tcp://127.0.0.1:*")
        configuration.arbiter.feed = nil
        configuration.arbiter.journal = .memory
        let time = SimulatedTime(1_000_000)
        let service = try Service(configuration: configuration, time: time)
        let context = try service.admitPeers(as: "peers")
        try service.beginServing()
        let (screen, producer) = (try DealerSocket(context), try DealerSocket(context))
        for peer in [screen, producer] { try peer.connect(.inproc(name: "peers")) }
        try screen.send(#"{"v":1,"op":"subscribe","ref":"s","surface":"hall"}"#)
        try service.serve()

        // More than libzmq holds for it.
        let count = 20_000
        var message = Message()
        for start in stride(from: 0, to: count, by: 200) {
            for number in start..<start + 200 {
                try producer.send(
                    #"{"v":1,"op":"raise","ref":"\#(number)","surface":"hall","key":"k","update":true,"params":{"n":\#(number)}}"#)
            }
            try service.serve()
            while try producer.tryReceive(into: &message) {}
        }
        var taken = 0
        let began = time.now
        while taken < count + 1, time.now < began + 1000 {
            while try screen.tryReceive(into: &message) { taken += 1 }
            time.now += 1
            try service.serve()
        }
        #expect(taken == count + 1, "a snapshot, and all that was published")
        // One interval of those who take nothing, and then it is asked each millisecond.
        #expect(time.now - began < 70, "it took \(time.now - began) ms")
    }
}
