import Glibc

/// Reads a whole file, or standard input for `-`.
enum InputFile {
    /// Bigger files are wrong files.
    static let sizeLimit = 256 << 20

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure(path, errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path, errno)
            }
            bytes += buffer[..<count]
            if bytes.count > sizeLimit { throw failure(path, EFBIG) }
        }
    }

    private static func failure(_ path: String, _ error: CInt) -> CommandFailure {
        .refused("\(Quoting.safe(path)): cannot be read: \(String(cString: strerror(error))) (errno \(error))")
    }
}
