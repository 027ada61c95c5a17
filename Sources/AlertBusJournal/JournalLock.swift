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

    let path: String
    private let descriptor: Int32

    /// - Throws: `locked` with the id of the process that holds it.
    init(journal: String) throws(JournalError) {
        let path = journal + ".lock"
        let descriptor = Int32(
            try systemCall("opening the lock", path) { Int(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)) })
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            defer { _ = Glibc.close(descriptor) }
            guard number == EWOULDBLOCK else { throw .system(number, path: path, doing: "locking") }
            let holder = Self.readHolder(descriptor)
            let who = holder == 0 ? "another process" : "process \(holder)"
            throw JournalError(.locked(by: holder), path: journal, detail: "\(who) has it open")
        }
        self.path = path
        self.descriptor = descriptor
        writeHolder(getpid())
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
