import AlertBus
import AlertBusCore
import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusModel
import AlertBusService
import AlertBusWire
import Glibc
import TestSupport
import Testing

/// `kill -9` of the arbiter at random points under load, again and again on one journal.
@Suite(.serialized)
struct KillTests {
    /// `ALERTBUS_KILLS` sets another number.
    static var rounds: Int { getenv("ALERTBUS_KILLS").flatMap { Int(String(cString: $0)) } ?? 50 }

    static let surfaces = ["hall/a", "hall/b", "yard"]

    @Test func nothingAcknowledgedIsLostAndNothingComesTwice() throws {
        let directory = JournalDirectory()
        let address = "ipc://\(directory.directory)/requests"
        let configuration = directory.directory + "/configuration"
        writeFile(
            configuration,
            Array(
                """
                [journal]
                snapshot_every = 100
                max_bytes = 0
                max_age_days = 0
                [[policy]]
                surfaces = "**"
                activation_delay_ms = 0

                """.utf8))
        let words = [
            "arbiter", "--config", configuration, "--requests", address, "--feed", "none", "--journal", directory.journal, "--json",
        ]
        let swarm = Swarm(address: address, surfaces: Self.surfaces)
        var options = ClientOptions()
        options.reconnect = .milliseconds(10)
        options.longestReconnect = .milliseconds(50)
        let screen = try Subscriber(requests: address, "/", options: options)
        defer { screen.close() }
        var chance = SplitMix64(seed: UInt64(getpid()))
        var epoch: UInt64 = 0
        var digests = 0
        for round in 0..<Self.rounds {
            let process = try ArbiterProcess(words, place: directory.directory + "/arbiter")
            run(swarm, until: chance.next() % 4 == 0 ? .time(Int64(chance.next() % 150)) : .replies(Int(chance.next() % 200))) {
                #expect(process.end(SIGKILL) == 128 + SIGKILL, "round \(round): \(process.errors)")
            }
            let (summary, state) = try replay(directory.journal)
            digests += summary.checked
            #expect(summary.epoch >= epoch, "round \(round)")
            epoch = summary.epoch
            let ledger = swarm.state
            let newest = Int(state.newestInstance)
            #expect((ledger.acknowledged.values.max() ?? 0) <= newest, "round \(round): an acknowledged alert is missing")
            #expect((ledger.keys.keys.max() ?? 0) <= newest, "round \(round): an alert was shown that is not journaled")
            #expect(ledger.faults == [], "round \(round)")
            if !ledger.faults.isEmpty { return }
        }
        #expect(digests >= Self.rounds / 5, "the digest of the living state was compared with that of a replay")

        let last = try ArbiterProcess(words, place: directory.directory + "/arbiter")
        try drain(swarm)
        try settle(screen, address)
        let shown = Dictionary(uniqueKeysWithValues: screen.screens.map { ($0.surface, $0.shown.map(\.instance)) })
        #expect(last.end(SIGTERM) == 0, "\(last.errors)")
        let (summary, state) = try replay(directory.journal)
        let digest = try SQLiteJournalReader(path: directory.journal, contentFormat: 1).snapshots().first
        #expect(digest?.position == summary.end && digest?.digest == Array(summary.digest.utf8), "the state saved at the end")
        for snapshot in state.snapshots(in: .all) {
            #expect(shown[snapshot.surface] == snapshot.shown.map(\.instance), "the screen of \(snapshot.surface)")
        }
        try checkStory(directory, swarm.state, state)
    }

    private enum Moment {
        case time(Int64)
        case replies(Int)
    }

    /// Lets everybody work until a moment comes, carries something out, and waits for all to end.
    private func run(_ swarm: Swarm, until moment: Moment, then body: () -> Void) {
        swarm.setStopping(false)
        let threads = Threads()
        for name in ["p0", "p1", "p2"] { threads.start { swarm.produce(name, upTo: 100) } }
        threads.start { swarm.operate(upTo: 100) }
        threads.start { swarm.watch() }
        let begin = milliseconds()
        let replies = swarm.replies
        while milliseconds() < begin + 20_000, !isOver(moment, begin, swarm.replies - replies) { usleep(200) }
        body()
        swarm.setStopping(true)
        threads.join()
    }

    private func isOver(_ moment: Moment, _ begin: Int64, _ replies: Int) -> Bool {
        switch moment {
        case .time(let span): milliseconds() - begin >= span
        case .replies(let count): replies >= count
        }
    }

    /// Everything that was raised gets its acknowledgement.
    private func drain(_ swarm: Swarm) throws {
        swarm.setStopping(false)
        let threads = Threads()
        for name in ["p0", "p1", "p2"] { threads.start { swarm.produce(name, upTo: 0) } }
        threads.start { swarm.watch() }
        defer {
            swarm.setStopping(true)
            threads.join()
        }
        try poll("the last acknowledgements") {
            let ledger = swarm.state
            return ledger.acknowledged.count == ledger.raised.values.reduce(0) { $0 + $1.count }
        }
        #expect(swarm.state.faults == [])
    }

    /// Until the long-lived screen has heard of everything: its positions are those of a snapshot asked for now.
    private func settle(_ screen: Subscriber, _ address: String) throws {
        let peer = try Peer(address)
        var ref = 0
        try poll("the screen to be up to date") {
            ref += 1
            let snapshot = try peer.ask(ref, #"{"v":1,"op":"sync","ref":"\#(ref)","surface":"/"}"#)
            let known = screen.screens
            return (snapshot["surfaces"]?.array ?? []).allSatisfy { surface in
                known.contains {
                    $0.surface == surface["surface"]?.string && Int($0.epoch) == snapshot["epoch"]?.integer
                        && Int($0.seq) == surface["seq"]?.integer
                }
            }
        }
    }

    /// Runs the journal in this process: independent of the arbiter's state.
    private func replay(_ path: String) throws -> (JournalReplay.Summary, Arbiter) {
        // Killed before it made one.
        guard access(path, F_OK) == 0 else { return (JournalReplay.Summary(), Arbiter()) }
        let replay = try JournalReplay(path: path)
        return (try replay.run(), replay.arbiter)
    }

    private struct Life {
        var accepted = 0
        var shown = 0
        var ended = 0
        var instance: Int?
    }

    /// The whole story, as `alertbus replay` tells it: each acknowledged alert was accepted once, and is there or has its end.
    private func checkStory(_ directory: JournalDirectory, _ ledger: Swarm.Ledger, _ state: Arbiter) throws {
        let process = try ArbiterProcess(
            ["replay", directory.journal, "--surface", "/", "--json"], place: directory.directory + "/replay")
        #expect(process.wait(seconds: 300) == 0, "\(process.errors)")
        var lives: [String: Life] = [:]
        for text in process.output.split(separator: "\n") {
            let line = try JSONValue(parsing: String(text))
            guard let key = line["key"]?.string, let event = line["event"]?.string else { continue }
            switch event {
            case "accepted":
                lives[key, default: Life()].accepted += 1
                lives[key]?.instance = line["instance"]?.integer
                if line["detail"]?.string == "shown" { lives[key]?.shown += 1 }
            case "shown": lives[key, default: Life()].shown += 1
            case "ended": lives[key, default: Life()].ended += 1
            default: break
            }
        }
        let living = Dictionary(uniqueKeysWithValues: state.alerts(in: .all).map { ($0.key, Int($0.instance)) })
        #expect(ledger.acknowledged.count > Self.rounds)
        for (key, instance) in ledger.acknowledged {
            let life = lives[key] ?? Life()
            #expect(life.accepted == 1 && life.instance == instance, "\(key): \(life)")
            #expect(life.shown <= 1 && life.ended <= 1, "\(key): \(life)")
            #expect(living[key] == (life.ended == 0 ? instance : nil), "\(key): \(life)")
        }
    }
}
