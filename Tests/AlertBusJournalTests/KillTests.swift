import AlertBusJournal
import AlertBusJournalTestSupport
import Glibc
import TestSupport
import Testing

/// `kill -9` at random points of a process that appends, on the same journal again and again.
struct KillTests {
    @Test func whatWasAcknowledgedIsThere() throws {
        let directory = JournalDirectory()
        var chance = SplitMix64(seed: 9)
        var last = JournalHead()
        for round in 0..<30 {
            let told = try runUntilKilled(directory.journal, microseconds: 5_000 + chance.next() % 60_000)
            let store = try SQLiteJournal(path: directory.journal)
            #expect(store.head.position >= max(told.position, last.position), "round \(round)")
            #expect(store.head.epoch >= max(told.epoch, last.epoch), "round \(round)")
            last = store.head
            var follower = JournalFollower(store, from: try store.oldestPosition())
            while case let records = try follower.next(), !records.isEmpty {
                for entry in records.flatMap({ Array($0.batch.entries) }) {
                    #expect(isWhole(entry.bytes, position: entry.position), "round \(round), entry \(entry.position)")
                }
            }
            #expect(follower.position == store.head.position, "round \(round)")
            for snapshot in try store.snapshots() {
                let byte = UInt8(truncatingIfNeeded: snapshot.position)
                #expect(try store.readSnapshot(snapshot.id) == [UInt8](repeating: byte, count: 300_000))
            }
        }
        #expect(last.position > 1_000)
    }

    private func isWhole(_ bytes: ArraySlice<UInt8>, position: UInt64) -> Bool {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
        return Array(bytes) == number + [UInt8](repeating: UInt8(truncatingIfNeeded: position), count: Int(position % 700))
    }

    /// Starts the helper, kills it some time after its first acknowledgement, and returns the last one that it printed.
    private func runUntilKilled(_ path: String, microseconds: UInt64) throws -> JournalHead {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        // Closed in the child as well, so that the pipe ends with it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments = [strdup(helper), strdup("append"), strdup(path), nil]
        var process = pid_t()
        let code = posix_spawn(&process, helper, &actions, nil, &arguments, environ)
        posix_spawn_file_actions_destroy(&actions)
        arguments.forEach { free($0) }
        close(ends[1])
        defer { close(ends[0]) }
        try #require(code == 0, "\(helper): errno \(code)")
        var text: [UInt8] = []
        var start: UInt64?
        while true {
            let elapsed = start.map { (now() - $0) / 1000 } ?? 0
            if elapsed >= microseconds || text.count > 1 << 20 { break }
            var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            let patience = start == nil ? 20_000 : Int32((microseconds - elapsed) / 1000) + 1
            if poll(&entry, 1, patience) <= 0 { break }
            if readMore(ends[0], into: &text) == 0 { break }
            start = start ?? now()
        }
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        while readMore(ends[0], into: &text) > 0 {}
        #expect(status & 0x7F == SIGKILL, "the helper ended by itself: \(String(decoding: text.suffix(300), as: UTF8.self))")
        // A line without its end may be cut.
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        let words = String(decoding: lines.last ?? [], as: UTF8.self).split(separator: " ")
        try #require(words.count == 3 && words[0] == "committed", "nothing was acknowledged")
        return JournalHead(position: UInt64(words[1]) ?? 0, epoch: UInt64(words[2]) ?? 0)
    }

    private func readMore(_ descriptor: Int32, into text: inout [UInt8]) -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { text += buffer.prefix(count) }
        return max(0, count)
    }

    private func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The helper lies beside the test bundle, or beside the program that runs it.
    private var helper: String {
        for argument in CommandLine.arguments {
            guard let slash = argument.lastIndex(of: "/") else { continue }
            let candidate = argument[..<slash] + "/JournalCrasher"
            if access(String(candidate), X_OK) == 0 { return String(candidate) }
        }
        return "JournalCrasher"
    }
}
