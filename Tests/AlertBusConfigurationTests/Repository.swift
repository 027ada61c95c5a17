#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files of the repository, found from the place of this source file.
enum Repository {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    static let fixtures = root + "/Tests/AlertBusConfigurationTests/Fixtures"

    /// When set, the tests write the generated files instead of comparing them.
    static var regenerates: Bool { getenv("ALERTBUS_REGENERATE") != nil }

    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = getc(file)
            if byte == EOF { return bytes }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
    }

    static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates the directories that are missing.
    static func write(_ text: String, to path: String) -> Bool {
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            mkdir(directory, 0o755)
        }
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(text, file) >= 0
        return fclose(file) == 0 && isWritten
    }

    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
