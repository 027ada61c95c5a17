import AlertBusCore
import AlertBusModel
import AlertBusService
import AlertBusWire
import Testing

/// A short run of a producer, an operator and a screen against an arbiter whose journal may fail at any point.
final class FaultyRun {
    private let producer: Peer
    private let screen: Peer
    private let comment: Comment
    private var ref = 0
    /// By key.
    private(set) var accepted: [String: Int] = [:]
    private(set) var refused: [String] = []
    /// Where something was accepted.
    private var surfaces: Set<String> = []
    /// Commands that have no answer because the journal is in doubt, with the key of those that raise.
    private var open: [Int: String] = [:]
    private var pings = 0
    private var shown: [Int: String] = [:]
    private var stack: [String: [Int]] = [:]
    private var positions: [String: (epoch: Int, seq: Int)] = [:]
    static let surfaces = ["a", "b"]

    init(_ address: String, _ comment: Comment) throws {
        producer = try Peer(address)
        screen = try Peer(address)
        self.comment = comment
        try screen.send(#"{"v":1,"op":"subscribe","surface":"/","ref":"0"}"#)
        try poll("the subscription") { try self.hearScreen() }
    }

    /// Raises and dismisses one after the other; each gets exactly one answer.
    func work(_ prefix: String) throws {
        for number in 0..<4 { try raise("\(prefix)\(number)", on: Self.surfaces[number % 2]) }
        ref += 1
        try ask(#"{"v":1,"op":"dismiss","ref":"\#(ref)","surface":"a"}"#, key: "")
        // A question meanwhile shows nothing that is not journaled; `check` compares.
        ref += 1
        try ask(#"{"v":1,"op":"sync","ref":"\#(ref)","surface":"/"}"#, key: "")
        try raise("\(prefix)last", on: "b")
    }

    private func raise(_ key: String, on surface: String) throws {
        ref += 1
        try ask(#"{"v":1,"op":"raise","ref":"\#(ref)","surface":"\#(surface)","key":"\#(key)","intercept":false}"#, key: key)
    }

    /// Sends, and waits for the answer, or for a pong that overtakes it: then the journal is in doubt, and it comes later.
    private func ask(_ json: String, key: String) throws {
        open[ref] = key
        try producer.send(json)
        var nextPing = milliseconds() + 20
        let begin = nextPing
        while open[ref] != nil {
            if milliseconds() >= nextPing {
                pings += 1
                try producer.send(#"{"v":1,"op":"ping","ref":"p\#(pings)"}"#)
                nextPing += 20
            }
            if milliseconds() > begin + 20_000 { throw Late("an answer or a pong after \(json)") }
            guard let message = try producer.receive(milliseconds: 5) else { continue }
            if message["op"]?.string == "pong" { break }
            hear(message)
        }
        try hearScreen()
    }

    private func hear(_ reply: JSONValue) {
        guard let ref = reply["ref"]?.string.flatMap({ Int($0) }) else { return }
        guard let key = open.removeValue(forKey: ref) else {
            Issue.record("\(comment): a second answer: \(reply.text)")
            return
        }
        for surface in reply["surfaces"]?.array ?? [] {
            for alert in surface["shown"]?.array ?? [] { see(alert) }
        }
        switch reply["op"]?.string {
        case "accepted":
            accepted[key] = reply["instance"]?.integer ?? 0
            surfaces.insert(reply["surface"]?.string ?? "")
        case "refused":
            // Where nothing was accepted there is nothing to dismiss.
            if key.isEmpty, !surfaces.contains("a"), reply["reason"]?.string == "unknown_alert" { break }
            checkRefusal(reply)
            if !key.isEmpty { refused.append(key) }
        default: break
        }
    }

    private func checkRefusal(_ reply: JSONValue) {
        let message = reply["message"]?.string ?? ""
        #expect(reply["reason"]?.string == "over_limit", comment)
        #expect(message.contains("Nothing is accepted because the journal cannot be written"), comment)
        #expect(reply["retry_after_ms"]?.integer == 1000, comment)
    }

    /// Tries until the arbiter accepts again: it needs no restart. Everything that was in doubt is answered by then.
    func waitUntilHealthy() throws {
        var number = 0
        try poll("the arbiter to accept again", seconds: 20) {
            number += 1
            try raise("again\(number)", on: "a")
            return accepted["again\(number)"] != nil
        }
        #expect(open.isEmpty, comment)
    }

    // MARK: The screen

    /// - Returns: whether something came.
    @discardableResult
    private func hearScreen(patience: Int = 1) throws -> Bool {
        var hasHeard = false
        while let message = try screen.receive(milliseconds: patience) {
            hasHeard = true
            for snapshot in message["surfaces"]?.array ?? [] where message["op"]?.string == "snapshot" {
                let surface = snapshot["surface"]?.string ?? ""
                let alerts = snapshot["shown"]?.array ?? []
                alerts.forEach(see)
                stack[surface] = alerts.map { $0["instance"]?.integer ?? 0 }
                positions[surface] = (message["epoch"]?.integer ?? 0, snapshot["seq"]?.integer ?? 0)
            }
            guard let surface = message["surface"]?.string, let seq = message["seq"]?.integer,
                let epoch = message["epoch"]?.integer
            else { continue }
            if let last = positions[surface] { #expect(epoch != last.epoch || seq == last.seq + 1, comment) }
            positions[surface] = (epoch, seq)
            if let alert = message["alert"], message["op"]?.string == "show" {
                see(alert)
                stack[surface, default: []].append(alert["instance"]?.integer ?? 0)
            } else if message["op"]?.string == "hide" {
                stack[surface]?.removeAll { $0 == message["instance"]?.integer }
            }
        }
        return hasHeard
    }

    private func see(_ alert: JSONValue) {
        let key = alert["key"]?.string ?? ""
        let instance = alert["instance"]?.integer ?? 0
        if let first = shown[instance] { #expect(first == key, comment) }
        shown[instance] = key
    }

    // MARK: Afterwards

    /// Until the screen has caught up, then compares everything that was told with what the journal holds.
    func check(_ replay: () throws -> JournalReplay, stop: () -> Void) throws {
        let now = try producer.ask(0, #"{"v":1,"op":"sync","ref":"0","surface":"/"}"#)
        try poll("the screen to catch up") {
            try self.hearScreen()
            return (now["surfaces"]?.array ?? []).allSatisfy { surface in
                let position = self.positions[surface["surface"]?.string ?? ""] ?? (0, 0)
                return position.seq >= surface["seq"]?.integer ?? 0
            }
        }
        stop()
        let replay = try replay()
        var journaled: [Int: String] = [:]
        _ = try replay.run { step in
            for line in Storyteller.lines(of: step) where line.event == "accepted" {
                journaled[Int(line.instance)] = line.key
            }
        }
        for (instance, key) in shown { #expect(journaled[instance] == key, "\(comment): shown, but not journaled") }
        for (key, instance) in accepted { #expect(journaled[instance] == key, "\(comment): accepted, but not journaled") }
        for key in refused { #expect(!journaled.values.contains(key), "\(comment): \(key) was refused, but is journaled") }
        for snapshot in replay.arbiter.snapshots(in: .all) {
            #expect(stack[snapshot.surface] == snapshot.shown.map { Int($0.instance) }, "\(comment): the screen")
        }
    }
}
