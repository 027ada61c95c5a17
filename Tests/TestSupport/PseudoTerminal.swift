import Glibc

/// A terminal without a screen, for what a command does only on one.
package final class PseudoTerminal {
    private let descriptor: CInt
    package let path: String
    package private(set) var text = ""

    package init(columns: UInt16 = 80) throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        // TIOCSPTLCK and TIOCGPTN: the functions of stdlib.h are hidden from Swift.
        var isLocked: CInt = 0
        var number: CUnsignedInt = 0
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw Failure("no pseudo-terminal: errno \(errno)") }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(descriptor) }

    package func waitFor(_ wanted: String) async throws {
        try await poll(seconds: 30, "\"\(wanted)\" on the terminal; got \(text)") {
            read()
            return text.contains(wanted)
        }
    }

    /// Takes what was written.
    package func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count <= 0 { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
