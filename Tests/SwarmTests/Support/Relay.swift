import Glibc
import Synchronization
import TestSupport
import ZeroMQ

/// Stands between clients and an arbiter, passes every message on, and does one thing wrong on purpose.
final class Relay: Sendable {
    enum Fault: Sendable {
        case none
        /// Of a stream.
        case drop, swap, double
        /// A producer is not told that its alert ended, or gets no reply to a raise.
        case hideEnd, hideReply
    }

    let address: String
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter after: which message of its kind has the fault.
    init(to target: String, fault: Fault, after: Int = 40) throws {
        let context = try Context(maxSockets: 256)
        let router = try RouterSocket(context)
        try router.setSendHighWaterMark(0)
        try router.bind(.tcp(host: "127.0.0.1", port: 0))
        address = try router.boundEndpoint().description
        let parts = Parts(context, router, try Endpoint(target), fault, after)
        let relay = self
        TestThread { RelayLoop(parts).run { relay.isStopped.load(ordering: .relaxed) } }.detach()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// A socket belongs to one thread; these are given away before that begins.
    struct Parts: @unchecked Sendable {
        let context: Context
        let router: RouterSocket
        let target: Endpoint
        let fault: Fault
        let after: Int

        init(_ context: Context, _ router: RouterSocket, _ target: Endpoint, _ fault: Fault, _ after: Int) {
            (self.context, self.router, self.target, self.fault, self.after) = (context, router, target, fault, after)
        }
    }
}

private final class RelayLoop {
    private let parts: Relay.Parts
    private let poller = Poller()
    private let slot: Poller.Slot
    private var peers: [RoutingID: Int] = [:]
    private var links: [(peer: RoutingID, socket: DealerSocket, slot: Poller.Slot)] = []
    private var message = Message()
    private var seen = 0
    /// The message that another one of the same stream is to overtake.
    private var held: (peer: RoutingID, bytes: [UInt8])?

    init(_ parts: Relay.Parts) {
        self.parts = parts
        slot = poller.add(parts.router)
    }

    func run(until isStopped: () -> Bool) {
        do {
            while !isStopped() {
                _ = try poller.wait(milliseconds: 20)
                while let arrival = try parts.router.tryReceive(into: &message) {
                    if case .message(let peer, _) = arrival { try link(peer).send(&message) }
                }
                for link in links where poller.isReadable(link.slot) {
                    while try link.socket.tryReceive(into: &message) { try pass(message.bytes, to: link.peer) }
                }
            }
        } catch {
            print("relay: \(error)")
        }
    }

    private func link(_ peer: RoutingID) throws -> DealerSocket {
        if let place = peers[peer] { return links[place].socket }
        let socket = try DealerSocket(parts.context)
        try socket.setReceiveHighWaterMark(0)
        try socket.connect(parts.target)
        peers[peer] = links.count
        links.append((peer, socket, poller.add(socket)))
        return socket
    }

    private func pass(_ bytes: [UInt8], to peer: RoutingID) throws {
        guard isConcerned(bytes) else { return try send(bytes, peer) }
        seen += 1
        let isNow = seen == parts.after
        switch parts.fault {
        case .drop where isNow, .hideEnd where isNow, .hideReply where isNow: return
        case .swap where isNow:
            held = (peer, bytes)
            return
        case .double where isNow: try send(bytes, peer)
        case .none, .drop, .swap, .double, .hideEnd, .hideReply: break
        }
        try send(bytes, peer)
        if let held, held.peer == peer {
            self.held = nil
            try send(held.bytes, peer)
        }
    }

    private func isConcerned(_ bytes: [UInt8]) -> Bool {
        switch parts.fault {
        case .none, .drop, .swap, .double:
            [#"{"v":1,"op":"show""#, #"{"v":1,"op":"hide""#].contains { bytes.starts(with: $0.utf8) }
        case .hideEnd:
            bytes.starts(with: #"{"v":1,"op":"event""#.utf8) && String(decoding: bytes, as: UTF8.self).contains(#""event":"ended""#)
        case .hideReply: bytes.starts(with: #"{"v":1,"op":"accepted""#.utf8)
        }
    }

    private func send(_ bytes: [UInt8], _ peer: RoutingID) throws {
        _ = try parts.router.send(to: peer, bytes)
    }
}
