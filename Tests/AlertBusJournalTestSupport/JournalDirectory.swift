import AlertBusJournal
import Glibc

/// A directory of a test's own, with the files of one journal. It goes when this goes.
public final class JournalDirectory {
    public let directory: String
    public var journal: String { directory + "/journal" }

    public init() {
        // In memory where there is such a place: these tests synchronise thousands of times, and what they show does not
        // hang on the disk.
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/alertbus-journal-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink(directory + "/" + name) }
        rmdir(directory)
    }

    /// The files in it, sorted.
    public var names: [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != "." && name != ".." { found.append(name) }
        }
        return found.sorted()
    }

    /// The bytes of the journal, its log and its lock, by path. The shared index is left out: a restart makes it anew.
    public func files() -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in names where !name.hasSuffix("-shm") { found[directory + "/" + name] = readFile(directory + "/" + name) }
        return found
    }

    /// Replaces everything in the directory.
    public func replace(with files: [String: [UInt8]]) {
        for name in names { unlink(directory + "/" + name) }
        for (path, bytes) in files { writeFile(path, bytes) }
    }
}

public func readFile(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, count)))
}

public func writeFile(_ path: String, _ bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { fatalError("\(path): errno \(errno)") }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
        fatalError("\(path): errno \(errno)")
    }
}
