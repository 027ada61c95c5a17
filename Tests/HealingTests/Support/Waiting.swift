import Glibc

struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Looks again and again until something is so, or throws when it takes too long.
func poll(seconds: Int, _ what: @autoclosure () -> String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        if ContinuousClock.now > end { throw Failure("\(seconds) s were not enough for \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Milliseconds that something took.
func milliseconds(since start: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
}

/// What a case of the report has measured, beside that it passed.
func report(_ line: String) { print("healing: \(line)") }

/// A directory that goes with the test that made it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/alertbus-healing-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp failed with errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }

    /// The path of a new file with this text.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(path)/\(name)"
        guard let file = fopen(path, "w") else { throw Failure("cannot write \(path): errno \(errno)") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failure("cannot write \(path): errno \(errno)") }
        return path
    }
}
