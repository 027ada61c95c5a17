#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads a whole file without Foundation.
enum ConfigurationFile {
    /// A configuration is written by hand; a bigger file is the wrong file.
    static let sizeLimit = 1 << 20

    /// - Throws: what the system said, with its number.
    static func read(_ path: String) throws(SystemFault) -> [UInt8] {
        let descriptor = try SystemFault.retrying { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try SystemFault.retrying { Int32(truncatingIfNeeded: Self.read(descriptor, &buffer)) }
            if count == 0 { return bytes }
            bytes += buffer[..<Int(count)]
            if bytes.count > sizeLimit { throw SystemFault(errno: EFBIG) }
        }
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { posixRead(descriptor, $0.baseAddress, $0.count) }
    }
}

/// Without a name of its own the call would find the function that it is called from.
private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// The number that a system call left behind.
struct SystemFault: Error, Equatable, CustomStringConvertible {
    var errno: Int32

    var description: String { "\(String(cString: strerror(errno))) (errno \(errno))" }

    /// Calls again while a signal interrupts.
    static func retrying(_ call: () -> Int32) throws(SystemFault) -> Int32 {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = systemErrno()
            if number != EINTR { throw SystemFault(errno: number) }
        }
    }
}

private func systemErrno() -> Int32 { errno }
