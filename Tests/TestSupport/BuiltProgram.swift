import Glibc

/// Programs of this package that the build put beside the test bundle.
package enum BuiltProgram {
    package static func path(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Depending on the toolchain a helper of its own runs the tests, and the bundle is among its arguments.
        for start in [own] + CommandLine.arguments.filter({ $0.contains(".xctest") }) {
            let parts = start.split(separator: "/", omittingEmptySubsequences: false)
            for depth in 1...4 where parts.count > depth {
                let program = parts.dropLast(depth).joined(separator: "/") + "/" + name
                if access(program, X_OK) == 0 { return program }
            }
        }
        preconditionFailure("\(name) is not beside \(own): build it with `swift build`")
    }
}
