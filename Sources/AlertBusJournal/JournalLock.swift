import Glibc

/// The file beside the journal that only one writer can hold. The kernel gives it back when the process ends, however it
/// ends.
///
/// It also notes how far the journal has been acknowledged, after each commit and without waiting for the disk. The note
/// never runs ahead of what is durable, so a journal that ends before it has lost something. After a power cut the note
/// may be older than the journal, which only means that it proves less.
final class JournalLock {
    /// What the note says.
    struct Acknowledged: Equatable {
        var journal: UInt64
        var head: JournalHead
    }

    private static let noteOffset = off_t(64)
    private static let noteWords = 4
    /// Milliseconds for which a lock without a living holder is waited for.
    private static let patience: Int64 = 1000

    let path: String
    /// For `fdatasync` on another thread.
    let descriptor: Int32

    /// - Throws: `locked` with the id of the process that holds it, at once when that is alive, and otherwise after a second.
    init(journal: String) throws(JournalError) {
        let path = journal + ".lock"
        let descriptor = Int32(
            try systemCall("opening the lock", path) { Int(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)) })
        do throws(JournalError) { try Self.acquire(descriptor, path, journal) } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        writeHolder(getpid())
    }

    /// A lock that nobody alive holds is given back in a moment: a process that is being started has a copy of every
    /// descriptor of the one that starts it, until it runs its own program.
    private static func acquire(_ descriptor: Int32, _ path: String, _ journal: String) throws(JournalError) {
        let deadline = now() + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK else { throw .system(number, path: path, doing: "locking") }
            let holder = readHolder(descriptor)
            if isAlive(holder) || now() >= deadline {
                let who = holder == 0 ? "another process" : "process \(holder)"
                throw JournalError(.locked(by: holder), path: journal, detail: "\(who) has it open")
            }
            _ = poll(nil, 0, 5)
        }
    }

    private static func isAlive(_ process: pid_t) -> Bool {
        process > 0 && (kill(process, 0) == 0 || errno == EPERM)
    }

    /// In milliseconds, on a clock that nobody sets.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    deinit {
        writeHolder(0)
        _ = Glibc.close(descriptor)
    }

    /// Notes what has become durable.
    func note(_ acknowledged: Acknowledged) {
        var words = [acknowledged.journal, acknowledged.head.position, acknowledged.head.epoch].map(\.littleEndian)
        words.append(words.withUnsafeBytes { XXH64.hash($0) }.littleEndian)
        // A note that could not be written only proves less.
        _ = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, Self.noteOffset) }
    }

    /// What was noted; nil when nothing was, or when the note is damaged.
    func acknowledged() -> Acknowledged? {
        var words = [UInt64](repeating: 0, count: Self.noteWords)
        let size = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, Self.noteOffset) }
        guard size == Self.noteWords * 8 else { return nil }
        let check = words.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0.prefix(24))) }
        guard UInt64(littleEndian: words[3]) == check, words[0] != 0 else { return nil }
        let head = JournalHead(position: UInt64(littleEndian: words[1]), epoch: UInt64(littleEndian: words[2]))
        return Acknowledged(journal: UInt64(littleEndian: words[0]), head: head)
    }

    /// Makes the note durable. Not in the way of a commit.
    func synchronise() { _ = fdatasync(descriptor) }

    /// The process id as text in the first line, for people and for the one who is refused.
    private func writeHolder(_ process: pid_t) {
        var line = Array("\(process)".utf8)
        line += [UInt8](repeating: UInt8(ascii: " "), count: 16 - line.count) + [UInt8(ascii: "\n")]
        _ = line.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func readHolder(_ descriptor: Int32) -> pid_t {
        var line = [UInt8](repeating: 0, count: 16)
        let size = line.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        let digits = line.prefix(max(0, size)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return pid_t(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}
