import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusWire
import Glibc
import Testing

/// What goes on over a restart: clocks, outcomes, generations, numbers of screens.
@Suite(.serialized)
struct RestartTests {
    let directory = JournalDirectory()
    var address: String { "ipc://\(directory.directory)/requests" }

    private func ready() throws -> ArbiterProcess {
        let process = try ArbiterProcess(
            ["arbiter", "--requests", address, "--feed", "none", "--journal", directory.journal, "--json"],
            place: directory.directory + "/arbiter")
        try poll("the arbiter to be ready") { process.output.contains("\n") }
        return process
    }

    @Test func aLifetimeThatPassedWhileDownEndsExpiredAndTheDisplayClockStoodStill() throws {
        let first = try ready()
        let peer = try Peer(address)
        _ = try peer.ask(1, #"{"v":1,"op":"raise","ref":1,"surface":"a","key":"short","ttl_ms":400}"#)
        _ = try peer.ask(2, #"{"v":1,"op":"raise","ref":2,"surface":"b","key":"long","display_ms":60000}"#)
        let shownAt = milliseconds()
        let epoch = try peer.ask(3, #"{"v":1,"op":"ping","ref":3}"#)["epoch"]?.integer ?? 0
        first.end(SIGKILL)
        let downAt = milliseconds()
        // The lifetime passes while nobody is there.
        try poll("the lifetime to pass") { milliseconds() > downAt + 1200 }
        let second = try ready()
        let upAt = milliseconds()
        let screen = try Peer(address)
        let snapshot = try screen.ask(4, #"{"v":1,"op":"subscribe","ref":4,"surface":"/"}"#)
        #expect(snapshot["epoch"]?.integer == epoch + 1)
        let surfaces = snapshot["surfaces"]?.array ?? []
        #expect(surfaces.first { $0["surface"]?.string == "a" }?["shown"]?.array?.count == 0)
        let long = surfaces.first { $0["surface"]?.string == "b" }?["shown"]?.array?.first
        #expect(long?["key"]?.string == "long")
        let left = Int64(long?["display_ms"]?.integer ?? 0)
        let onScreen = downAt - shownAt + (milliseconds() - upAt)
        #expect(left <= 60_000 && left >= 60_000 - onScreen - 1000, "\(left) ms are left; it was down for \(upAt - downAt)")
        // The producer gets what it missed by asking.
        let status = try peer.ask(5, #"{"v":1,"op":"status","ref":5,"surface":"a","instance":1}"#)
        #expect(status["event"]?.string == "ended" && status["reason"]?.string == "expired", "\(status.text)")
        let other = try peer.ask(6, #"{"v":1,"op":"status","ref":6,"surface":"b","key":"long"}"#)
        #expect(other["event"]?.string == "shown")
        // And hears of it from then on.
        _ = try screen.ask(7, #"{"v":1,"op":"answer","ref":7,"surface":"b","key":"long","answer":{"ok":true}}"#)
        var end: JSONValue?
        try poll("the outcome") {
            if let message = try peer.receive(milliseconds: 10), message["event"]?.string == "ended" { end = message }
            return end != nil
        }
        #expect(end?["answer"]?["ok"]?.boolean == true)
        #expect(second.end(SIGTERM) == 0)
    }

    @Test func theStateIsSavedAtTheEndSoThatAStartReplaysNothing() throws {
        let first = try ready()
        let peer = try Peer(address)
        for number in 0..<50 {
            _ = try peer.ask(number, #"{"v":1,"op":"raise","ref":\#(number),"surface":"a","key":"k\#(number)"}"#)
        }
        #expect(first.end(SIGTERM) == 0)
        let reader = try SQLiteJournalReader(path: directory.journal, contentFormat: 1)
        #expect(try reader.snapshots().first?.position == reader.readHead().position)
    }

    @Test func theStandardPlaceIsMadeForAnOrdinaryUser() throws {
        var settings = ["arbiter", "--requests", address, "--feed", "none", "--json"]
        guard geteuid() != 0 else {
            // Root's place is the system's: it is left alone here.
            #expect(try JournalPath.standard() == "/var/lib/alertbus/journal")
            return
        }
        let process = try ArbiterProcess(settings, place: directory.directory + "/arbiter")
        settings = []
        try poll("the arbiter to be ready") { process.output.contains("\n") || process.wait(seconds: 0) != nil }
        #expect(process.output.contains(".local/state/alertbus/journal") || process.errors.contains("has it open"))
    }
}
