import Glibc

/// A directory of a test's own, removed with all that is in it when its owner goes. Its path is short, because that of an ipc endpoint has
/// room for 107 characters.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(_ name: String = "test") {
        var template = Array("/tmp/alertbus-\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp failed with errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// The path of a file, written when there is a text for it.
    package func file(_ name: String, _ text: String? = nil) -> String {
        if let text { TextFile.write(text, to: path(name)) }
        return path(name)
    }

    /// What is in a file; "" while there is none.
    package func text(_ name: String) -> String { TextFile.read(path(name)) ?? "" }

    private static func remove(_ path: String) {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }
}
