import AlertBusJournal
import AlertBusJournalTestSupport
import AlertBusWire
import CSQLite
import Glibc
import Testing

/// A whole arbiter whose storage is full, read-only, damaged, or in use.
@Suite(.serialized)
struct StorageTests {
    let directory = JournalDirectory()
    var address: String { "ipc://\(directory.directory)/requests" }
    var words: [String] { ["arbiter", "--requests", address, "--feed", "none", "--journal", directory.journal, "--json"] }

    private func start(_ journal: String? = nil) throws -> ArbiterProcess {
        var words = words
        if let journal { words[words.firstIndex(of: directory.journal)!] = journal }
        return try ArbiterProcess(words, place: directory.directory + "/arbiter")
    }

    private func ready(_ journal: String? = nil) throws -> ArbiterProcess {
        let process = try start(journal)
        try poll("the arbiter to be ready; \(process.errors)") { process.output.contains("\n") }
        return process
    }

    /// Starts one that must not start, and says what it told.
    private func refusal() throws -> String {
        let process = try start()
        #expect(process.wait() == 1)
        #expect(process.output == "")
        return process.errors
    }

    private func raise(_ peer: Peer, _ key: String, bytes: Int = 10) throws -> JSONValue {
        let text = String(repeating: "x", count: bytes)
        return try peer.ask(
            1, #"{"v":1,"op":"raise","ref":1,"surface":"a","key":"\#(key)","params":{"t":"\#(text)"}}"#)
    }

    /// Fills the storage, frees it again, and looks that everything that was accepted is there.
    private func fillAndFree(_ process: ArbiterProcess, _ journal: String, saying: String, free: () throws -> Void) throws {
        let peer = try Peer(address)
        var accepted: [String] = []
        var refusal: JSONValue?
        for number in 0..<2000 where refusal == nil {
            let reply = try raise(peer, "k\(number)", bytes: 30_000)
            if reply["op"]?.string == "accepted" { accepted.append("k\(number)") } else { refusal = reply }
        }
        #expect(!accepted.isEmpty)
        #expect(refusal?["reason"]?.string == "over_limit")
        let message = refusal?["message"]?.string ?? ""
        #expect(message.contains(saying) && message.contains(journal), "\(message)")
        // The screens stay, and can still be asked for.
        let snapshot = try peer.ask(2, #"{"v":1,"op":"sync","ref":2,"surface":"/"}"#)
        #expect(snapshot["surfaces"]?.array?.first?["shown"]?.array?.first?["key"]?.string == "k0")
        try free()
        try poll("the arbiter to accept again") { try raise(peer, "again")["op"]?.string == "accepted" }
        #expect(process.errors.contains("takes writes again"))
        process.end(SIGKILL)
        let next = try ready(journal)
        let listed = try peer.ask(3, #"{"v":1,"op":"list","ref":3,"surface":"/"}"#)
        let keys = (listed["alerts"]?.array ?? []).compactMap { $0["key"]?.string }
        #expect(keys.sorted() == (accepted + ["again"]).sorted())
        #expect(next.end(SIGTERM) == 0)
    }

    /// Of the size of files, soft and hard.
    private func limit(_ process: ArbiterProcess, _ value: String) throws {
        let setting = try ArbiterProcess(
            ["--pid", "\(process.pid)", "--fsize=\(value)"], place: directory.directory + "/prlimit", binary: "/usr/bin/prlimit")
        #expect(setting.wait() == 0, "\(setting.errors)")
    }

    @Test func aLimitOfTheFileSizeStopsItAndHealsWithoutARestart() throws {
        let process = try ready()
        try limit(process, "400000:unlimited")
        try fillAndFree(process, directory.journal, saying: "limits of the process") {
            try limit(process, "unlimited:unlimited")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "mounting a file system takes root"))
    func aFullDiskStopsItAndHealsWithoutARestart() throws {
        let place = directory.directory + "/disk"
        mkdir(place, 0o700)
        defer { rmdir(place) }
        guard mount("tmpfs", place, "tmpfs", 0, "size=2m") == 0 else {
            // A container may keep even root from mounting; the limit of the file size shows the same there.
            #expect(errno == EPERM)
            return
        }
        defer { umount2(place, Int32(MNT_DETACH)) }
        let journal = place + "/journal"
        // More than what the log holds then: it has to be moved before it can be written again.
        writeFile(place + "/ballast", [UInt8](repeating: 1, count: 1_200_000))
        let process = try ready(journal)
        try fillAndFree(process, journal, saying: "Free space") { unlink(place + "/ballast") }
    }

    @Test func aSecondOneIsRefusedWithTheIdOfTheFirst() throws {
        let first = try ready()
        #expect(try refusal().contains("process \(first.pid) has it open"))
        #expect(first.end(SIGTERM) == 0)
        #expect(try ready().end(SIGTERM) == 0)
    }

    @Test func modesThatLetOthersInAreRefused() throws {
        #expect(try ready().end(SIGTERM) == 0)
        var status = stat()
        stat(directory.journal, &status)
        #expect(status.st_mode & 0o777 == 0o600)
        chmod(directory.journal, 0o644)
        let errors = try refusal()
        #expect(errors.contains("its mode 0644 lets others in") && errors.contains("mode 0600"))
        chmod(directory.journal, 0o600)
        #expect(try ready().end(SIGTERM) == 0)
    }

    @Test func aTruncatedFileIsRefused() throws {
        try fill()
        let bytes = readFile(directory.journal)
        writeFile(directory.journal, Array(bytes.prefix(bytes.count / 2)))
        let errors = try refusal()
        #expect(errors.contains(directory.journal) && (errors.contains("Keep a copy") || errors.contains("Restore")), "\(errors)")
    }

    @Test func aDamagedPageIsRefused() throws {
        try fill()
        var bytes = readFile(directory.journal)
        // The page in the middle is full of entries.
        let middle = bytes.count / 2
        for index in middle..<middle + 2000 { bytes[index] ^= 0x5A }
        writeFile(directory.journal, bytes)
        let errors = try refusal()
        #expect(errors.contains("Keep a copy"), "\(errors)")
    }

    @Test func anOlderFileThatWasPutBackIsRefused() throws {
        #expect(try ready().end(SIGTERM) == 0)
        let old = readFile(directory.journal)
        try fill()
        writeFile(directory.journal, old)
        #expect(try refusal().contains("was acknowledged"))
    }

    @Test func somethingElseIsLeftAsItIs() throws {
        let bytes = Array("This is a letter, not a journal. It is long enough to be one, though.".utf8)
        writeFile(directory.journal, bytes)
        #expect(try refusal().contains("journal \(directory.journal)"))
        #expect(readFile(directory.journal) == bytes)
    }

    @Test func aReadOnlyFileSystemIsRefused() throws {
        try fill()
        guard geteuid() == 0 else {
            chmod(directory.journal, 0o400)
            #expect(try refusal().contains("writable"))
            return
        }
        // Root may write to every file, so the file system itself has to say no.
        let place = directory.directory + "/disk"
        mkdir(place, 0o700)
        defer { rmdir(place) }
        guard mount(directory.directory, place, nil, UInt(MS_BIND), nil) == 0 else { return #expect(errno == EPERM) }
        defer { umount2(place, Int32(MNT_DETACH)) }
        guard mount(nil, place, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0 else {
            return #expect(errno == EPERM)
        }
        let process = try start(place + "/journal")
        #expect(process.wait() == 1)
        #expect(process.errors.contains("read-write"), "\(process.errors)")
    }

    @Test func aNewerFormatOfTheEntriesIsRefusedAndAnOlderOneIsRead() throws {
        try fill()
        try change("UPDATE meta SET value=99 WHERE key='content'")
        let errors = try refusal()
        #expect(errors.contains("its entries have format 99") && errors.contains("Use the version"))
        let replay = try ArbiterProcess(["replay", directory.journal], place: directory.directory + "/replay")
        #expect(replay.wait() == 1)
        #expect(replay.errors.contains("format 99"))
        // As before the format was noted.
        try change("DELETE FROM meta WHERE key='content'")
        let process = try ready()
        let listed = try Peer(address).ask(1, #"{"v":1,"op":"list","ref":1,"surface":"/"}"#)
        #expect(listed["alerts"]?.array?.count == 40)
        #expect(process.end(SIGTERM) == 0)
    }

    /// 40 alerts of 3,000 bytes, killed, and its log moved into the one file.
    private func fill() throws {
        let process = try ready()
        let peer = try Peer(address)
        for number in 0..<40 { #expect(try raise(peer, "k\(number)", bytes: 3000)["op"]?.string == "accepted") }
        process.end(SIGKILL)
        try change("UPDATE meta SET value=value WHERE key='probe'")
    }

    private func change(_ sql: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(directory.journal, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        sqlite3_close_v2(database)
    }
}
