import Glibc

/// Wakes a thread that polls: any thread may ring, the poller drains.
final class WakeUp: Sendable {
    /// Readable after a ring.
    let descriptor: CInt
    private let writer: CInt

    /// - Throws: the errno when the process has no descriptors left.
    init() throws(WakeUpError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw WakeUpError(code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    func ring() {
        var one: UInt8 = 1
        // A full pipe is as good as a ring.
        _ = write(writer, &one, 1)
    }

    func drain() {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while read(descriptor, &bytes, 32) == 32 {}
    }
}

struct WakeUpError: Error { let code: CInt }
