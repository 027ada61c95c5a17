import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusService
import AlertBusWire
import CSQLite
import Glibc
import Testing

/// A start does without a damaged snapshot as long as what came before it is there, and says so.
@Suite(.serialized)
struct SnapshotDamageTests {
    let directory = JournalDirectory()
    var address: String { "ipc://\(directory.directory)/requests" }

    private func start(keep: Int = 2) throws -> ArbiterProcess {
        let configuration = directory.directory + "/configuration"
        // As little history as there may be.
        let settings = "[journal]\nsnapshot_every = 50\nkeep_snapshots = \(keep)\nmax_bytes = 4096\n"
        writeFile(configuration, Array(settings.utf8))
        return try ArbiterProcess(
            [
                "arbiter", "--config", configuration, "--requests", address, "--feed", "none", "--journal", directory.journal,
                "--json",
            ], place: directory.directory + "/arbiter")
    }

    private func ready(keep: Int = 2) throws -> ArbiterProcess {
        let process = try start(keep: keep)
        try poll("the arbiter to be ready; \(process.errors)") { process.output.contains("\n") }
        return process
    }

    /// The state as a replay of the whole journal has it.
    private func digest() throws -> String { try replayed().arbiter.digest() }

    private func replayed() throws -> Replay {
        let reader = try SQLiteJournalReader(path: directory.journal, contentFormat: 1)
        return try Replay.run(reader, until: reader.readHead().position).get()
    }

    /// Lives until there are so many snapshots and some inputs after the last one, and is killed.
    private func live(snapshots: Int = 2) throws {
        let process = try ready()
        let peer = try Peer(address)
        var number = 0
        try poll("\(snapshots) snapshots, and that the history before them is gone") {
            for _ in 0..<20 {
                number += 1
                _ = try peer.ask(number, #"{"v":1,"op":"raise","ref":\#(number),"surface":"a","key":"k\#(number)"}"#)
            }
            let reader = try SQLiteJournalReader(path: directory.journal, contentFormat: 1)
            let kept = try reader.snapshots()
            let oldest = try reader.oldestPosition()
            return try kept.count >= snapshots && oldest > 0 && reader.readHead().position > kept[0].position
        }
        process.end(SIGKILL)
    }

    private func change(_ sql: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.journal, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
        #expect(sqlite3_changes(database) > 0, "\(sql)")
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        sqlite3_close_v2(database)
    }

    enum Damage: String, CaseIterable, Sendable {
        case bytes = "UPDATE chunks SET bytes=zeroblob(length(bytes)) WHERE id>=ID*1048576 AND id<(ID+1)*1048576"
        case missingPart = "DELETE FROM chunks WHERE id>=ID*1048576 AND id<(ID+1)*1048576"
        case position = "UPDATE snapshots SET position=position+1000000 WHERE id=ID"
        case digest = "UPDATE snapshots SET digest=x'00' WHERE id=ID"

        func sql(_ id: Int64) -> String { rawValue.replacing("ID", with: "\(id)") }
    }

    private func newest() throws -> [SnapshotDescription] {
        try SQLiteJournalReader(path: directory.journal, contentFormat: 1).snapshots()
    }

    @Test(arguments: Damage.allCases) func theOlderOneAndTheInputsAfterItDoInstead(_ damage: Damage) throws {
        try live()
        let expected = try digest()
        let kept = try newest()
        try change(damage.sql(kept[0].id.number))
        #expect(try digest() == expected)
        #expect(try replayed().start == kept[1].position)
        let process = try ready()
        let warning = process.errors
        #expect(warning.contains("is damaged and was passed over"), "\(warning)")
        #expect(warning.contains(directory.journal) && warning.contains("snapshot \(kept[0].id.number)"), "\(warning)")
        #expect(warning.contains("was replayed from the one at position \(kept[1].position)"), "\(warning)")
        if damage != .position { #expect(warning.contains("The snapshot at position \(kept[0].position) ")) }
        let alerts = try Peer(address).ask(1, #"{"v":1,"op":"list","ref":1,"surface":"/"}"#)["alerts"]?.array ?? []
        #expect(try alerts.count == replayed().arbiter.alertCount)
        #expect(process.end(SIGTERM) == 0)
        // It is told once: the damaged one is out of the way.
        let next = try ready()
        #expect(!next.errors.contains("damaged"))
        #expect(try !newest().contains(kept[0]))
        #expect(next.end(SIGTERM) == 0)
    }

    @Test func twoDamagedOnesAreRefusedAndLeftAsTheyAre() throws {
        try live()
        let kept = try newest()
        for snapshot in kept { try change(Damage.bytes.sql(snapshot.id.number)) }
        for _ in 0..<2 {
            let process = try start()
            #expect(process.wait() == 1)
            #expect(process.errors.contains("snapshot \(kept[0].id.number) is not what was written"), "\(process.errors)")
            #expect(process.errors.contains("Keep a copy"))
        }
        #expect(try newest() == kept)
    }

    @Test func aDamagedInputBetweenThemIsRefused() throws {
        try live()
        let kept = try newest()
        try change(Damage.bytes.sql(kept[0].id.number))
        let between = "first>=\(kept[1].position) AND first<\(kept[0].position)"
        try change("UPDATE batches SET bytes=zeroblob(length(bytes)) WHERE first=(SELECT max(first) FROM batches WHERE \(between))")
        let process = try start()
        #expect(process.wait() == 1)
        #expect(process.errors.contains("is not what was written"), "\(process.errors)")
        #expect(process.errors.contains("it is needed because the snapshot at \(kept[0].position) is damaged"), "\(process.errors)")
        #expect(try newest() == kept)
    }

    /// Where everything is still there no snapshot is needed.
    @Test func theBeginningDoesInsteadOfTheOnlySnapshot() throws {
        let process = try ArbiterProcess(
            ["arbiter", "--requests", address, "--feed", "none", "--journal", directory.journal, "--json"],
            place: directory.directory + "/arbiter")
        try poll("the arbiter to be ready") { process.output.contains("\n") }
        for number in 0..<5 {
            _ = try Peer(address).ask(number, #"{"v":1,"op":"raise","ref":\#(number),"surface":"a","key":"k\#(number)"}"#)
        }
        #expect(process.end(SIGTERM) == 0)
        let expected = try digest()
        try change(Damage.bytes.sql(newest()[0].id.number))
        #expect(try digest() == expected)
        let next = try ready()
        #expect(next.errors.contains("was replayed from the beginning of the journal"), "\(next.errors)")
        #expect(next.end(SIGTERM) == 0)
    }

    @Test func aReplayNamesTheDamagedSnapshot() throws {
        try live()
        let kept = try newest()
        try change(Damage.bytes.sql(kept[0].id.number))
        let replay = try ArbiterProcess(["replay", directory.journal], place: directory.directory + "/replay")
        #expect(replay.wait() == 1)
        #expect(replay.errors.contains("snapshot \(kept[0].id.number) is not what was written"), "\(replay.errors)")
    }
}
