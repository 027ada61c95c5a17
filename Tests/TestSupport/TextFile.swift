import Glibc

/// Whole files.
package enum TextFile {
    /// Nil when it cannot be opened.
    package static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    package static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { preconditionFailure("cannot write \(path): errno \(errno)") }
        let isWritten = fputs(text, file) >= 0
        precondition(fclose(file) == 0 && isWritten, "cannot write \(path): errno \(errno)")
    }
}
