import AlertBusCore
import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusModel
import AlertBusService
import AlertBusWire
import CSQLite
import Glibc
import Testing

/// `alertbus replay`: the same journal gives the same bytes, and a changed one is found out.
@Suite(.serialized)
struct ReplayTests {
    let directory = JournalDirectory()
    var address: String { "ipc://\(directory.directory)/requests" }

    private func replay(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
        let process = try ArbiterProcess(["replay", directory.journal] + words, place: directory.directory + "/replay")
        let code = process.wait() ?? -1
        return (code, process.output, process.errors)
    }

    /// A day in the life of two surfaces.
    private func live(_ words: [String] = []) throws {
        let process = try ArbiterProcess(
            ["arbiter", "--requests", address, "--feed", "none", "--journal", directory.journal, "--json"] + words,
            place: directory.directory + "/arbiter")
        try poll("the arbiter to be ready; \(process.errors)") { process.output.contains("\n") }
        let peer = try Peer(address)
        var ref = 0
        func ask(_ fields: String) throws -> JSONValue {
            ref += 1
            return try peer.ask(ref, #"{"v":1,"ref":\#(ref),\#(fields)}"#)
        }
        _ = try ask(#""op":"raise","surface":"lobby/a","key":"door","producer":"gate-7","display_ms":300"#)
        _ = try ask(#""op":"raise","surface":"lobby/a","key":"lift","producer":"gate-7","priority":3"#)
        _ = try ask(#""op":"raise","surface":"lobby/a","key":"rude","activate":false"#)
        _ = try ask(#""op":"raise","surface":"yard","key":"rain","intercept":false"#)
        _ = try ask(#""op":"update","surface":"lobby/a","key":"lift","priority":2,"producer":"gate-7""#)
        try poll("the next to be shown") {
            try ask(#""op":"status","surface":"lobby/a","key":"lift","producer":"gate-7""#)["event"]?.string == "shown"
        }
        _ = try ask(#""op":"hold","surface":"yard""#)
        _ = try ask(#""op":"answer","surface":"lobby/a","key":"lift","answer":{"ok":true}"#)
        #expect(process.end(SIGTERM) == 0, "\(process.errors)")
    }

    @Test func twoReplaysGiveTheSameBytes() throws {
        try live()
        for words in [[], ["--json"], ["--surface", "/"], ["--surface", "/", "--json"]] {
            let first = try ArbiterProcess(["replay", directory.journal] + words, place: directory.directory + "/replay")
            #expect(first.wait() == 0, "\(first.errors)")
            let output = first.output
            let second = try ArbiterProcess(["replay", directory.journal] + words, place: directory.directory + "/replay")
            #expect(second.wait() == 0)
            #expect(second.output == output)
            #expect(output.contains("digest"))
        }
    }

    @Test func itTellsTheStoryWithReasons() throws {
        try live()
        let all = try replay("--surface", "lobby/a", "--json")
        #expect(all.code == 0, "\(all.errors)")
        let lines = try all.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let told = lines.compactMap { line in
            line["key"].map { "\($0.string ?? "") \(line["event"]?.string ?? "") \(line["reason"]?.string ?? "-")" }
        }
        #expect(
            told == [
                "door accepted -", "lift accepted -", "rude refused intercepted", "lift updated -", "door ended timed_out",
                "lift shown dequeued", "lift ended answered",
            ])
        #expect(lines.first { $0["event"]?.string == "accepted" }?["by"]?["producer"]?.string == "gate-7")
        let summary = try #require(lines.last)
        #expect(summary["ok"]?.boolean == true)
        #expect(summary["snapshots"]?.integer == 1, "the state saved at the end is compared")
        let one = try replay("--surface", "lobby/a", "--key", "door")
        #expect(one.output.contains(#"lobby/a "door" #1 accepted (shown) · raise by "gate-7" session 16777217"#), "\(one.output)")
        #expect(one.output.contains("ended timed_out · time"))
        #expect(!one.output.contains("lift"))
    }

    @Test func itStopsAtATime() throws {
        try live()
        let lines = try replay("--surface", "/", "--json").output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let door = try #require(lines.first { $0["key"]?.string == "lift" && $0["event"]?.string == "shown" })
        let until = try #require(door["time"]?.integer) - 1
        let part = try replay("--surface", "/", "--json", "--until", "\(until)")
        #expect(part.code == 0)
        #expect(part.output.contains(#""event":"ended","reason":"timed_out""#))
        #expect(!part.output.contains(#""reason":"dequeued""#))
        #expect(try replay("--until", "yesterday").code == 2)
        #expect(try replay("--key", "door").code == 2)
    }

    @Test func anotherPolicyWouldHaveChangedIt() throws {
        try live()
        let file = directory.directory + "/policy"
        writeFile(file, Array("[[policy]]\nsurfaces = \"lobby/**\"\nslots = 2\n".utf8))
        let found = try replay("--policy", file)
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.output.contains(#"lobby/a "lift""#) && found.output.contains("  would  "), "\(found.output)")
        #expect(!found.output.contains("yard") && !found.output.contains("rude"))
        #expect(found.output.contains("1 of 4 alerts would have fared differently"), "\(found.output)")
        // The rules that were in force change nothing.
        writeFile(file, [])
        #expect(try replay("--policy", file).output.contains("0 of 4 alerts"))
    }

    @Test func aChangedEntryMakesTheDetectorFire() throws {
        try live()
        let digest = try JSONValue(parsing: String(replay("--json").output.dropLast()))["digest"]?.string
        try poison { bytes in
            guard let place = find("\"key\":\"rain\"", in: bytes) else { return false }
            bytes[place + 8] = UInt8(ascii: "u")
            return true
        }
        let found = try replay("--json")
        #expect(found.code == 1)
        let report = try JSONValue(parsing: String(found.output.dropLast()))
        #expect(report["ok"]?.boolean == false)
        #expect((report["position"]?.integer ?? 0) > 0)
        #expect(report["message"]?.string?.contains("but the arbiter had \(digest ?? "?") there") == true, "\(report.text)")
    }

    @Test func anEntryThatCannotBeReadIsNamed() throws {
        try live()
        try poison { bytes in
            guard let place = find("\"op\":\"answer\"", in: bytes) else { return false }
            bytes[place + 6] = UInt8(ascii: "X")
            return true
        }
        let found = try replay()
        #expect(found.code == 1)
        #expect(found.errors.contains("position ") && found.errors.contains("cannot be decoded again"), "\(found.errors)")
    }

    private func find(_ text: String, in bytes: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: wanted) }
    }

    /// Changes the first batch that a body wants to change, as somebody would who knows the format.
    private func poison(_ change: (inout [UInt8]) -> Bool) throws {
        let reader = try SQLiteJournalReader(path: directory.journal, contentFormat: 1)
        let records = try reader.read(from: 0, maximumBytes: 1 << 30)
        for record in records {
            var bytes = record.batch.bytes
            guard change(&bytes) else { continue }
            let batch = try #require(
                JournalBatch(first: record.batch.first, count: record.batch.count, time: record.batch.time, bytes: bytes))
            var database: OpaquePointer?
            try #require(sqlite3_open(directory.journal, &database) == SQLITE_OK)
            defer { sqlite3_close_v2(database) }
            var statement: OpaquePointer?
            sqlite3_prepare_v2(database, "UPDATE batches SET bytes=?1, checksum=?2 WHERE first=?3", -1, &statement, nil)
            defer { sqlite3_finalize(statement) }
            _ = bytes.withUnsafeBytes {
                sqlite3_bind_blob(
                    statement, 1, $0.baseAddress, Int32($0.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
            sqlite3_bind_int64(statement, 2, Int64(bitPattern: SQLiteFormat.checksum(batch, epoch: record.epoch)))
            sqlite3_bind_int64(statement, 3, Int64(batch.first))
            #expect(sqlite3_step(statement) == SQLITE_DONE)
            return
        }
        Issue.record("no batch was changed")
    }
}
