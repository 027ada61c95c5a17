import AlertBusJournalTestSupport
import AlertBusWire
import Glibc
import TestSupport

/// A short life of an arbiter in which nearly everything happens that can happen, with a kill and a restart.
struct JournalRecorder {
    let directory: JournalDirectory
    private var address: String { "ipc://\(directory.directory)/requests" }

    private static let policies = """
        [[policy]]
        surfaces = "hall/**"
        covered = "hide"
        preempt = "higher"
        slots = 2
        activation_delay_ms = 20
        [[policy]]
        surfaces = "desk"
        capacity = 4
        overflow = "evict_lowest"
        activation_delay_ms = 0
        [[policy]]
        surfaces = "yard"
        order = "arrival"
        max_batch = 4
        activation_delay_ms = 5
        min_show_ms = 5

        """

    private func start() throws -> ArbiterProcess {
        let configuration = directory.directory + "/configuration"
        let settings = """
            [liveness]
            owner_timeout_ms = 300
            owner_grace_ms = 300
            [journal]
            snapshot_every = 60
            max_bytes = 0
            max_age_days = 0

            """
        writeFile(configuration, Array((settings + Self.policies).utf8))
        let process = try ArbiterProcess(
            [
                "arbiter", "--config", configuration, "--requests", address, "--feed", "none", "--journal", directory.journal,
                "--json",
            ], place: directory.directory + "/arbiter")
        try poll("the arbiter to be ready; \(process.errors)") { process.output.contains("\n") }
        return process
    }

    func record() throws {
        var chance = SplitMix64(seed: 20)
        let first = try start()
        try live(&chance, commands: 130)
        first.end(SIGKILL)
        let second = try start()
        try live(&chance, commands: 110)
        guard second.end(SIGTERM) == 0 else { throw Late("an orderly end: \(second.errors)") }
    }

    private func live(_ chance: inout SplitMix64, commands: Int) throws {
        let peers = try (0..<3).map { _ in try Peer(address) }
        // One that leaves without a word.
        var leaver: Peer? = try Peer(address)
        let provider = try Peer(address)
        _ = try provider.ask(1, #"{"v":1,"op":"provide","ref":"1","name":"regions"}"#)
        for (place, message) in Self.first.enumerated() {
            _ = try peers[0].ask(place + 2, #"{"v":1,"ref":"\#(place + 2)","surface":"desk",\#(message)}"#)
        }
        for number in 10..<commands + 10 {
            let chosen = Int(chance.next() % 3)
            let command = command(&chance, number, producer: chosen)
            let isLeaver = number % 9 == 0 && leaver != nil
            let message = isLeaver ? leaving(number) : command
            _ = try (isLeaver ? leaver! : peers[chosen]).ask(number, message)
            if number == commands / 2 { leaver = nil }
            try serve(provider, number)
        }
        // What waits for time gets some.
        let end = milliseconds() + 800
        try poll("time to pass") {
            for peer in peers { try peer.send(#"{"v":1,"op":"ping"}"#) }
            try serve(provider, 0)
            return milliseconds() > end
        }
    }

    /// What chance may leave out: one is evicted, one is updated, one is withdrawn.
    private static let first = [
        #""op":"hold""#, #""op":"raise","key":"one","priority":1"#, #""op":"raise","key":"two","priority":2"#,
        #""op":"raise","key":"three","priority":2"#, #""op":"raise","key":"four","priority":2"#,
        #""op":"raise","key":"five","priority":3"#, #""op":"update","key":"five","params":{"n":5}"#,
        #""op":"withdraw","key":"four""#,
    ]

    private func leaving(_ number: Int) -> String {
        #"{"v":1,"op":"raise","ref":"\#(number)","surface":"yard","key":"left-\#(number)","producer":"leaver","on_owner_loss":"close"}"#
    }

    private func serve(_ provider: Peer, _ number: Int) throws {
        while let message = try provider.receive(milliseconds: 1) {
            guard message["op"]?.string == "load", let load = message["load"]?.integer else { continue }
            let answer =
                load % 3 == 0
                ? #""error":"the registry does not answer""# : #""rows":[{"id":1,"name":"North"},{"id":2,"name":"South"}]"#
            try provider.send(#"{"v":1,"op":"loaded","load":\#(load),\#(answer)}"#)
        }
    }

    private func command(_ chance: inout SplitMix64, _ number: Int, producer: Int) -> String {
        func pick(_ words: [String]) -> String { words[Int(chance.next() % UInt64(words.count))] }
        let surface = pick(["hall/a", "hall/b", "desk", "yard"])
        let key = pick(["door", "lift", "rain", "fire", "bell", "filter"]) + pick(["", "", "-2", "-3"])
        let place = #""ref":"\#(number)","surface":"\#(surface)""#
        let named = #"\#(place),"key":"\#(key)","producer":"gate-\#(producer)""#
        switch chance.next() % 24 {
        case 0: return #"{"v":1,"op":"update",\#(named),"priority":3,"params":{"n":\#(number)}}"#
        case 1: return #"{"v":1,"op":"withdraw",\#(named)}"#
        case 2, 3: return #"{"v":1,"op":"dismiss",\#(place)}"#
        case 4: return #"{"v":1,"op":"dismiss",\#(named)}"#
        case 5, 6: return #"{"v":1,"op":"answer",\#(place),"answer":{"ok":true,"n":\#(number)}}"#
        case 7 where number % 3 == 0: return #"{"v":1,"op":"clear",\#(place),"shown":\#(number % 2 == 0)}"#
        case 8 where number % 2 == 0: return #"{"v":1,"op":"hold",\#(place)}"#
        case 8, 9: return #"{"v":1,"op":"release",\#(place)}"#
        default:
            var fields = [named, #""priority":\#(1 + chance.next() % 3)"#, #""params":{"title":"Grüße \#(key)"}"#]
            if chance.next() % 3 == 0 { fields.append(#""intercept":false"#) }
            if chance.next() % 4 == 0 { fields.append(#""activate":false"#) }
            if chance.next() % 4 == 0 { fields.append(#""ttl_ms":\#(5 + chance.next() % 60)"#) }
            if chance.next() % 3 == 0 { fields.append(#""display_ms":\#(2 + chance.next() % 30)"#) }
            if chance.next() % 4 == 0 { fields.append(#""update":true"#) }
            if chance.next() % 5 == 0 { fields.append(#""once":"token-\#(number)""#) }
            if key.hasPrefix("filter") {
                fields.append(#""load_timeout_ms":200,"sources":[{"name":"regions","request":{"country":"se"}},{"name":"none"}]"#)
            } else if chance.next() % 6 == 0 {
                fields.append(#""sources":[{"name":"regions","request":{"n":\#(number)},"selected":[2]}]"#)
            }
            return "{\"v\":1,\"op\":\"raise\"," + fields.joined(separator: ",") + "}"
        }
    }
}
