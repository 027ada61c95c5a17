import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusWire
import Glibc
import Testing

/// Steady traffic on one surface: how large the journal gets, and how long a start takes after it.
///
/// `ALERTBUS_COMMANDS` sets how many commands are sent. The processor time of a start is judged when
/// `ALERTBUS_BINARY` names a release build: what other programs take on the same machine is none of its business.
@Suite(.serialized)
struct TrafficTests {
    static var commands: Int { getenv("ALERTBUS_COMMANDS").flatMap { Int(String(cString: $0)) } ?? 20_000 }

    let directory = JournalDirectory()
    var address: String { "ipc://\(directory.directory)/requests" }

    private func start(_ settings: String) throws -> (ArbiterProcess, milliseconds: Int64) {
        let configuration = directory.directory + "/configuration"
        writeFile(configuration, Array(settings.utf8))
        let begin = milliseconds()
        let process = try ArbiterProcess(
            [
                "arbiter", "--config", configuration, "--requests", address, "--feed", "none", "--journal", directory.journal,
                "--json",
            ], place: directory.directory + "/arbiter")
        try poll("the arbiter to be ready; \(process.errors)", seconds: 120) { process.output.contains("\n") }
        return (process, milliseconds() - begin)
    }

    /// Raises, and dismisses what it raised 50 raises before; 256 at a time without a reply.
    private func send(_ count: Int, _ measure: () -> Void) throws {
        let peer = try Peer(address)
        let text = String(repeating: "x", count: 120)
        var sent = 0
        var answered = 0
        while answered < count {
            while sent < count && sent - answered < 256 {
                let number = sent / 2
                if sent % 2 == 0 {
                    try peer.send(
                        #"{"v":1,"op":"raise","ref":\#(sent),"surface":"lobby/kiosk-1/modal","key":"k\#(number)","params":{"t":"\#(text)"}}"#
                    )
                } else {
                    try peer.send(
                        #"{"v":1,"op":"dismiss","ref":\#(sent),"surface":"lobby/kiosk-1/modal","key":"k\#(max(0, number - 50))"}"#)
                }
                sent += 1
            }
            guard try peer.skip(milliseconds: 20_000) else { throw Late("a reply") }
            // Of those that raised, an event may come too: it is not an answer.
            answered += 1
            if answered % 1000 == 0 { measure() }
        }
    }

    private func size(_ name: String = "journal") -> Int {
        var status = stat()
        return stat(directory.directory + "/" + name, &status) == 0 ? Int(status.st_size) : 0
    }

    @Test func theJournalStaysBounded() throws {
        // A third of what all commands take; the kept snapshots, with the outcomes that are remembered, need a part of it.
        let bound = max(4 << 20, Self.commands * 64)
        let (process, _) = try start("[journal]\nmax_bytes = \(bound)\nsnapshot_every = \(max(500, Self.commands / 40))\n")
        var largest = 0
        var largestLog = 0
        let begin = milliseconds()
        try send(Self.commands) {
            largest = max(largest, size())
            largestLog = max(largestLog, size("journal-wal"))
        }
        print(
            "\(Self.commands) commands in \(milliseconds() - begin) ms; bound \(bound), journal \(largest), log \(largestLog) bytes"
        )
        #expect(largest <= bound)
        // The ceiling of 32 MiB, and what arrives while the log is moved.
        #expect(largestLog <= 64 << 20)
        process.end(SIGKILL)
        let (second, time) = try start("")
        print("ready after \(time) ms")
        let replay = try ArbiterProcess(["replay", directory.journal], place: directory.directory + "/replay")
        #expect(replay.wait(seconds: 300) == 0, "\(replay.errors)")
        second.end(SIGKILL)
    }

    /// Without a snapshot everything is replayed.
    @Test(arguments: [true, false])
    func aStartAfterManyCommandsIsQuick(savesState: Bool) throws {
        let every = savesState ? 100_000 : 1_000_000_000
        let settings = "[journal]\nmax_bytes = 0\nmax_age_days = 0\nsnapshot_every = \(every)\n"
        let (process, _) = try start(settings)
        try send(Self.commands) {}
        process.end(SIGKILL)
        let (second, time) = try start(settings)
        print(
            "\(Self.commands) commands journaled, \(size()) bytes, saves its state: \(savesState); ready after \(time) ms, \(second.cpuMilliseconds) ms of a processor"
        )
        if getenv("ALERTBUS_BINARY") != nil { #expect(second.cpuMilliseconds <= 5000) }
        second.end(SIGKILL)
    }

    /// Everything waits, so the state is as large as what was sent; it is saved meanwhile.
    @Test func savingALargeStateStopsNobody() throws {
        let (process, _) = try start(
            """
            [journal]
            snapshot_every = \(Self.commands / 10)
            [[policy]]
            surfaces = "**"
            capacity = 2000000

            """)
        let peer = try Peer(address)
        var sent = 0
        var answered = 0
        var last = milliseconds()
        var gaps: [Int64] = []
        while answered < Self.commands {
            while sent < Self.commands && sent - answered < 64 {
                try peer.send(#"{"v":1,"op":"raise","ref":\#(sent),"surface":"lobby/kiosk-1/modal","key":"k\#(sent)"}"#)
                sent += 1
            }
            guard try peer.skip(milliseconds: 20_000) else { throw Late("a reply") }
            answered += 1
            let now = milliseconds()
            gaps.append(now - last)
            last = now
        }
        gaps.sort()
        print(
            "\(Self.commands) waiting; longest pauses between replies \(gaps.suffix(5)) ms, memory \(process.residentBytes >> 20) MiB"
        )
        process.end(SIGKILL)
        let reader = try SQLiteJournalReader(path: directory.journal, contentFormat: 1)
        #expect(try !reader.snapshots().isEmpty)
        // Far above what is seen: a copy of the whole state in one piece would not pass.
        if getenv("ALERTBUS_BINARY") != nil { #expect(gaps.last! < 1000) }
    }
}
