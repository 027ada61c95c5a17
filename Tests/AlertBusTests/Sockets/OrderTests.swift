import AlertBusConfiguration
import AlertBusService
import AlertBusWire
import TestSupport
import Testing
import ZeroMQ

/// Of one batch each peer gets what is for it in the order in which it asked, whoever else is in the batch.
struct OrderTests {
    /// A whole arbiter on this thread, so that what is sent before it is served is one batch.
    private final class Bus {
        private let service: Service
        private let context: Context

        init(journal: ArbiterSettings.Journal = .memory) throws {
            var configuration = Configuration()
            configuration.arbiter.requests = try ListenAddress("tcp://127.0.0.1:*")
            configuration.arbiter.feed = nil
            configuration.arbiter.journal = journal
            service = try Service(configuration: configuration)
            context = try service.admitPeers(as: "peers")
            try service.beginServing()
        }

        func peer() throws -> DealerSocket {
            let peer = try DealerSocket(context)
            try peer.connect(.inproc(name: "peers"))
            return peer
        }

        func serve() throws { try service.serve() }
    }

    /// What has come for a peer, in short: the ref of a reply, and of everything else its surface.
    private func taken(_ peer: DealerSocket) throws -> [String] {
        var result: [String] = []
        var message = Message()
        while try peer.tryReceive(into: &message) {
            let value = try JSONValue(parsing: message.text)
            let op = value["op"]?.string ?? ""
            if let ref = value["ref"]?.string, !ref.isEmpty {
                result.append("\(op) \(ref)")
            } else {
                result.append("\(op) \(value["surface"]?.string ?? "")")
            }
        }
        return result
    }

    private func raise(_ ref: String, _ surface: String) -> String {
        #"{"v":1,"op":"raise","ref":"\#(ref)","surface":"\#(surface)","key":"\#(ref)","intercept":false}"#
    }

    @Test func producersThatSendInTurnGetTheirRepliesInOrder() throws {
        let bus = try Bus()
        let producers = try (0..<5).map { _ in try bus.peer() }
        for number in 0..<20 {
            for (index, producer) in producers.enumerated() { try producer.send(raise("\(number)", "hall/\(index)")) }
        }
        try bus.serve()
        for producer in producers {
            let replies = try taken(producer).filter { $0.hasPrefix("accepted") }
            #expect(replies == (0..<20).map { "accepted \($0)" })
        }
    }

    @Test func longRepliesAndShortOnesKeepTheirOrder() throws {
        let bus = try Bus()
        let producer = try bus.peer()
        let other = try bus.peer()
        for number in stride(from: 0, to: 30, by: 3) {
            try producer.send(raise("\(number)", "hall"))
            try other.send(raise("\(number)", "yard"))
            try producer.send(#"{"v":1,"op":"list","ref":"\#(number + 1)"}"#)
            try producer.send(#"{"v":1,"op":"sync","ref":"\#(number + 2)","surface":"hall"}"#)
        }
        try bus.serve()
        let replies = try taken(producer).filter { $0.contains(where: \.isNumber) && !$0.hasPrefix("event") }
        let numbers = replies.compactMap { Int($0.split(separator: " ").last ?? "") }
        #expect(numbers == Array(0..<30), "\(replies)")
    }

    /// It begins and ends to listen in the middle of the batch.
    @Test func aScreenThatAlsoRaisesGetsItsStreamAndItsRepliesInOrder() throws {
        let bus = try Bus()
        let screen = try bus.peer()
        try screen.send(raise("1", "hall"))
        try screen.send(#"{"v":1,"op":"subscribe","ref":"2","surface":"hall"}"#)
        try screen.send(raise("3", "hall"))
        try screen.send(raise("4", "yard"))
        try screen.send(#"{"v":1,"op":"unsubscribe","ref":"5","surface":"hall"}"#)
        try screen.send(raise("6", "hall"))
        try bus.serve()
        let heard = try taken(screen).filter { !$0.hasPrefix("event") }
        #expect(heard == ["accepted 1", "snapshot 2", "show hall", "accepted 3", "accepted 4", "done 5", "accepted 6"])
    }

    /// While the disk has one batch, others are decided, and what they say is sent together.
    @Test func batchesThatAreCommittedTogetherKeepTheOrderOfEachPeer() throws {
        let folder = TemporaryDirectory("order")
        let bus = try Bus(journal: .file(path: folder.path("journal")))
        let producers = try (0..<4).map { _ in try bus.peer() }
        let screen = try bus.peer()
        try screen.send(#"{"v":1,"op":"subscribe","ref":"first","surface":"hall/"}"#)
        try bus.serve()
        #expect(try taken(screen) == ["snapshot first"])

        func change(_ number: Int, _ surface: String) -> String {
            #"{"v":1,"op":"raise","ref":"\#(number)","surface":"hall/\#(surface)","key":"k","update":true,"params":{"n":\#(number)}}"#
        }
        // More than three batches.
        for number in 0..<250 {
            for (index, producer) in producers.enumerated() { try producer.send(change(number, "\(index)")) }
            if number % 50 == 0 { try screen.send(change(number, "own")) }
        }
        try bus.serve()
        for producer in producers {
            let replies = try taken(producer).filter { $0.hasPrefix("accepted") }
            #expect(replies == (0..<250).map { "accepted \($0)" })
        }
        let heard = try taken(screen).filter { !$0.hasPrefix("event") }
        for index in producers.indices {
            #expect(
                heard.filter { $0.hasSuffix(" hall/\(index)") } == ["show hall/\(index)"]
                    + Array(repeating: "update hall/\(index)", count: 249))
        }
        let own = heard.filter { $0.hasPrefix("accepted") || $0.hasSuffix(" hall/own") }
        let published = ["show"] + Array(repeating: "update", count: 4)
        #expect(own == zip(published, [0, 50, 100, 150, 200]).flatMap { ["\($0) hall/own", "accepted \($1)"] })
    }
}
