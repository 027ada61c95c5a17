import AlertBusJournal
import AlertBusJournalTestSupport
import CSQLite
import Glibc
import Testing

struct OpeningTests {
    let directory = JournalDirectory()

    private func kind(_ path: String) -> JournalError.Kind? {
        do throws(JournalError) {
            _ = try SQLiteJournal(path: path)
            return nil
        } catch {
            #expect(error.path.hasPrefix(path) || path.hasPrefix(error.path))
            #expect(!error.detail.isEmpty)
            #expect(!error.remedy.isEmpty)
            return error.kind
        }
    }

    private func execute(_ sql: String) {
        var handle: OpaquePointer?
        sqlite3_open(directory.journal, &handle)
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        #expect(code == SQLITE_OK)
        sqlite3_close(handle)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        stat(path, &status)
        return status.st_mode & 0o7777
    }

    @Test func theFilesAreForTheirOwnerAlone() throws {
        let nested = directory.directory + "/a"
        let path = nested + "/journal"
        let old = umask(0)
        let store = try SQLiteJournal(path: path)
        umask(old)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        #expect(mode(nested) == 0o700)
        for ending in ["", "-wal", "-shm", ".lock"] { #expect(mode(path + ending) == 0o600, "\(ending)") }
        store.close()
        // What was committed is in one file.
        #expect(access(path + "-wal", F_OK) != 0)
        for ending in ["", ".lock"] { unlink(path + ending) }
        rmdir(nested)
    }

    @Test func itIsThereAgain() throws {
        var store: SQLiteJournal? = try SQLiteJournal(path: directory.journal)
        _ = store!.beginEpoch(expected: store!.head, time: 0)
        _ = store!.append(expected: store!.head, batches: [sampleBatch(first: 0, count: 5)])
        let head = store!.head
        store = nil
        #expect(try SQLiteJournal(path: directory.journal).head == head)
    }

    @Test func aSecondWriterIsRefusedWithTheFirstOnesProcess() throws {
        let store = try SQLiteJournal(path: directory.journal)
        #expect(kind(directory.journal) == .locked(by: getpid()))
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        #expect(try SQLiteJournalReader(path: directory.journal).readHead() == store.head)
    }

    @Test func aNewerFormatIsRefused() throws {
        try SQLiteJournal(path: directory.journal).close()
        execute("PRAGMA user_version=2")
        #expect(kind(directory.journal) == .newerFormat(found: 2, supported: 1))
        let error = #expect(throws: JournalError.self) { try SQLiteJournalReader(path: directory.journal) }
        #expect(error?.description.contains("this program reads up to 1") == true)
    }

    @Test func somethingElseIsRefusedAndLeftAlone() throws {
        let text = Array(repeating: UInt8(ascii: "x"), count: 5000)
        writeFile(directory.journal, text)
        #expect(kind(directory.journal) == .notAJournal)
        #expect(readFile(directory.journal) == text)
        unlink(directory.journal)
        execute("CREATE TABLE other(x)")
        chmod(directory.journal, 0o600)
        #expect(kind(directory.journal) == .notAJournal)
        #expect(kind(directory.directory) == .notAJournal)
        unlink(directory.directory + ".lock")
    }

    @Test func filesThatDoNotFitAreRefused() throws {
        let store = try SQLiteJournal(path: directory.journal)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 5)])
        let files = directory.files()
        store.close()
        directory.replace(with: files)
        unlink(directory.journal)
        #expect(kind(directory.journal) == .corrupt)
        directory.replace(with: files)
        writeFile(directory.journal, [])
        #expect(kind(directory.journal) == .truncated)
        directory.replace(with: files)
        chmod(directory.journal, 0o640)
        #expect(kind(directory.journal) == .permissions)
        chmod(directory.journal, 0o600)
        #expect(kind(directory.journal) == nil)
    }

    @Test func anOlderFileInItsPlaceIsRefused() throws {
        var store = try SQLiteJournal(path: directory.journal)
        store.close()
        let old = readFile(directory.journal)
        store = try SQLiteJournal(path: directory.journal + "")
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 5)])
        store.close()
        writeFile(directory.journal, old)
        withExtendedLifetime(store) {}
        store = try SQLiteJournal(path: directory.directory + "/other")
        #expect(kind(directory.journal) == .truncated)
        unlink(directory.journal + ".lock")
        #expect(kind(directory.journal) == nil)
    }

    @Test func aDeletedFileStopsTheWriter() throws {
        let store = try SQLiteJournal(path: directory.journal)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        let hidden = directory.directory + "/hidden"
        rename(directory.journal, hidden)
        guard case .failed(let error) = store.append(expected: store.head, batches: [sampleBatch(first: 1, count: 1)]) else {
            Issue.record("a file without a name took a batch")
            return
        }
        #expect(error.kind == .missing)
        #expect(throws: JournalError.self) { try store.probe() }
        rename(hidden, directory.journal)
        try store.probe()
        #expect(try faultInSamples(store) == nil)
    }

    @Test func theStandardPlaceFollowsTheUser() throws {
        let variables = ["XDG_STATE_HOME": "/state", "HOME": "/home/u"]
        #expect(try JournalPath.standard(isRoot: true, environment: { variables[$0] }) == "/var/lib/alertbus/journal")
        #expect(try JournalPath.standard(isRoot: false, environment: { variables[$0] }) == "/state/alertbus/journal")
        #expect(
            try JournalPath.standard(isRoot: false, environment: { $0 == "HOME" ? "/home/u" : "relative" })
                == "/home/u/.local/state/alertbus/journal")
        #expect(throws: JournalError.self) { try JournalPath.standard(isRoot: false, environment: { _ in nil }) }
    }
}
