import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import Testing

/// A lock whose owner is gone may be held for a moment by a process that was being started just then.
struct LockTests {
    let directory = JournalDirectory()

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The descriptor by which this process holds the lock.
    private func lockDescriptor() throws -> Int32 {
        for descriptor in 3..<1024 as Range<Int32> {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = buffer.withUnsafeMutableBytes {
                readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
            if String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == directory.journal + ".lock" { return descriptor }
        }
        throw JournalError(.missing, detail: "no descriptor of the lock")
    }

    /// A process with a copy of the lock, which it keeps for a while.
    private final class Heir {
        private var process = pid_t()

        init(_ descriptor: Int32, seconds: String) throws {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
            var arguments = [strdup("sleep"), strdup(seconds), nil]
            defer { arguments.forEach { free($0) } }
            let code = posix_spawn(&process, "/bin/sleep", &actions, nil, &arguments, nil)
            try #require(code == 0, "sleep: errno \(code)")
        }

        deinit {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    @Test func aLockThatAChildHasForAMomentIsWaitedFor() throws {
        let store = try SQLiteJournal(path: directory.journal)
        let heir = try Heir(lockDescriptor(), seconds: "0.3")
        store.close()
        let again = try SQLiteJournal(path: directory.journal)
        #expect(again.head == JournalHead())
        withExtendedLifetime(heir) {}
    }

    @Test func aLockThatSomebodyKeepsIsRefusedAfterASecond() throws {
        let store = try SQLiteJournal(path: directory.journal)
        let heir = try Heir(lockDescriptor(), seconds: "60")
        store.close()
        let begin = now()
        let error = #expect(throws: JournalError.self) { _ = try SQLiteJournal(path: directory.journal) }
        #expect(error?.kind == .locked(by: 0))
        #expect(now() - begin >= 900)
        withExtendedLifetime(heir) {}
    }

    @Test func anOwnerThatDiedIsNotBelieved() throws {
        let store = try SQLiteJournal(path: directory.journal)
        let heir = try Heir(lockDescriptor(), seconds: "0.3")
        store.close()
        // As a process that was killed leaves it: an id that no process has.
        let descriptor = Glibc.open(directory.journal + ".lock", O_WRONLY | O_CLOEXEC)
        #expect(pwrite(descriptor, "4194999         ", 16, 0) == 16)
        close(descriptor)
        #expect(try SQLiteJournal(path: directory.journal).head == JournalHead())
        withExtendedLifetime(heir) {}
    }

    @Test func aLivingOwnerIsNamedAtOnce() throws {
        let store = try SQLiteJournal(path: directory.journal)
        let begin = now()
        let error = #expect(throws: JournalError.self) { _ = try SQLiteJournal(path: directory.journal) }
        #expect(error?.kind == .locked(by: getpid()))
        #expect(now() - begin < 900)
        withExtendedLifetime(store) {}
    }

    /// What is started while a journal is open gets none of its files.
    @Test func aProcessThatIsStartedInheritsNothing() throws {
        let store = try SQLiteJournal(path: directory.journal)
        _ = store.append(expected: store.head, batches: [sampleBatch(first: 0, count: 1)])
        let names = Set(["", "-wal", "-shm", ".lock"].map { directory.journal + $0 })
        var found = 0
        for descriptor in 0..<1024 as Range<Int32> {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = buffer.withUnsafeMutableBytes {
                readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
            guard names.contains(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)) else { continue }
            found += 1
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(found >= 4)
    }
}
