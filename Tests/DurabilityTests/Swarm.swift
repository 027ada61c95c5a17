import AlertBusWire
import Synchronization
import ZeroMQ

/// What producers, an operator and a screen sent and heard, over the life of many arbiters.
final class Swarm: Sendable {
    struct Ledger {
        /// Keys by producer: all that was raised, and the instance of those that were acknowledged.
        var raised: [String: [String]] = [:]
        var acknowledged: [String: Int] = [:]
        /// Tokens of dismissals that were sent and not acknowledged yet, and how many were sent in all.
        var dismissals: [Int: Bool] = [:]
        var replies = 0
        /// Of the screen: which key each instance had, and what was shown and hidden by messages.
        var keys: [Int: String] = [:]
        var shown: Set<Int> = []
        var hidden: Set<Int> = []
        var faults: [String] = []
    }

    let address: String
    let surfaces: [String]
    private let ledger = Mutex(Ledger())
    private let stopping = Mutex(false)

    init(address: String, surfaces: [String]) {
        self.address = address
        self.surfaces = surfaces
    }

    var state: Ledger { ledger.withLock { $0 } }
    var replies: Int { ledger.withLock { $0.replies } }
    private var isStopping: Bool { stopping.withLock { $0 } }
    func setStopping(_ on: Bool) { stopping.withLock { $0 = on } }
    private func note(_ fault: String) { ledger.withLock { $0.faults.append(fault) } }

    // MARK: A producer

    /// Sends again what was never acknowledged, then raises new ones with a few outstanding.
    func produce(_ name: String, upTo limit: Int) {
        do {
            let peer = try Peer(address)
            var outstanding: Set<String> = []
            let old = ledger.withLock { ledger in (ledger.raised[name] ?? []).filter { ledger.acknowledged[$0] == nil } }
            for key in old {
                try raise(key, name, peer)
                outstanding.insert(key)
            }
            var count = 0
            while !isStopping {
                while outstanding.count < 8, count < limit {
                    let key = ledger.withLock { ledger in
                        let key = "\(name)-\(ledger.raised[name]?.count ?? 0)"
                        ledger.raised[name, default: []].append(key)
                        return key
                    }
                    try raise(key, name, peer)
                    outstanding.insert(key)
                    count += 1
                }
                guard let reply = try peer.receive(milliseconds: 5), let ref = reply["ref"]?.string else { continue }
                hear(ref, reply)
                outstanding.remove(ref)
            }
        } catch {
            note("\(name): \(error)")
        }
    }

    private func raise(_ key: String, _ name: String, _ peer: Peer) throws {
        let number = Int(key.split(separator: "-").last ?? "") ?? 0
        let surface = surfaces[number % surfaces.count]
        let intercept = number % 7 != 0
        try peer.send(
            #"{"v":1,"op":"raise","ref":"\#(key)","once":"\#(key)","surface":"\#(surface)","key":"\#(key)","priority":\#(number % 3 + 1),"intercept":\#(intercept),"producer":"\#(name)","params":{"n":\#(number)}}"#
        )
    }

    private func hear(_ key: String, _ reply: JSONValue) {
        ledger.withLock { ledger in
            guard reply["op"]?.string == "accepted", let instance = reply["instance"]?.integer else {
                ledger.faults.append("\(key): \(reply.text)")
                return
            }
            ledger.replies += 1
            if let first = ledger.acknowledged[key], first != instance {
                ledger.faults.append("\(key) was acknowledged as \(first) and as \(instance)")
            }
            ledger.acknowledged[key] = instance
        }
    }

    // MARK: An operator

    /// Dismisses the top of each surface in turn, one at a time, with a token that makes sending again safe.
    func operate(upTo limit: Int) {
        do {
            let peer = try Peer(address)
            var count = 0
            while !isStopping && count < limit {
                let number = ledger.withLock { ledger in
                    let open = ledger.dismissals.filter { !$0.value }.keys.min()
                    let number = open ?? ledger.dismissals.count
                    ledger.dismissals[number] = false
                    return number
                }
                let surface = surfaces[number % surfaces.count]
                try peer.send(
                    #"{"v":1,"op":"dismiss","ref":"\#(number)","once":"d\#(number)","surface":"\#(surface)","producer":"operator"}"#
                )
                while !isStopping {
                    guard let reply = try peer.receive(milliseconds: 5), reply["ref"]?.string == "\(number)" else { continue }
                    ledger.withLock {
                        $0.dismissals[number] = true
                        $0.replies += 1
                    }
                    count += 1
                    break
                }
            }
        } catch {
            note("operator: \(error)")
        }
    }

    // MARK: A screen

    /// Follows everything, and notes what must never happen.
    func watch() {
        do {
            let peer = try Peer(address)
            try peer.send(#"{"v":1,"op":"subscribe","surface":"/","ref":"s"}"#)
            var positions: [String: (epoch: Int, seq: Int)] = [:]
            while !isStopping {
                guard let message = try peer.receive(milliseconds: 5) else { continue }
                for snapshot in message["surfaces"]?.array ?? [] where message["op"]?.string == "snapshot" {
                    positions[snapshot["surface"]?.string ?? ""] = (message["epoch"]?.integer ?? 0, snapshot["seq"]?.integer ?? 0)
                    for alert in snapshot["shown"]?.array ?? [] { see(alert, in: "a snapshot") }
                }
                guard let surface = message["surface"]?.string, let epoch = message["epoch"]?.integer,
                    let seq = message["seq"]?.integer
                else { continue }
                if let last = positions[surface], epoch != last.epoch || seq != last.seq + 1 {
                    note("\(surface): \(epoch)/\(seq) follows \(last)")
                }
                positions[surface] = (epoch, seq)
                follow(message)
            }
        } catch {
            note("screen: \(error)")
        }
    }

    private func follow(_ message: JSONValue) {
        if let alert = message["alert"], message["op"]?.string == "show" {
            see(alert, in: "a message")
            let instance = alert["instance"]?.integer ?? 0
            ledger.withLock { if !$0.shown.insert(instance).inserted { $0.faults.append("\(instance) was shown twice") } }
        } else if message["op"]?.string == "hide" {
            let instance = message["instance"]?.integer ?? 0
            ledger.withLock { if !$0.hidden.insert(instance).inserted { $0.faults.append("\(instance) was hidden twice") } }
        }
    }

    private func see(_ alert: JSONValue, in place: String) {
        let instance = alert["instance"]?.integer ?? 0
        let key = alert["key"]?.string ?? ""
        ledger.withLock { ledger in
            if ledger.hidden.contains(instance) { ledger.faults.append("\(instance) was hidden, and shown in \(place)") }
            if let first = ledger.keys[instance], first != key {
                ledger.faults.append("instance \(instance) was \(first) and is \(key): what was shown was not journaled")
            }
            ledger.keys[instance] = key
        }
    }
}
