import AlertBus
import Glibc
import Synchronization

/// What other threads have for the one that draws, and a pipe that wakes it.
final class Mailbox: Sendable {
    enum Item: Sendable {
        case event(ScreenEvent, ScreenPosition?)
        /// What became of a deed.
        case verdict(TerminalScreen.Deed, ClientError?)
        case signal(CInt)
    }

    private let items = Mutex<[Item]>([])
    let readEnd: CInt
    private let writeEnd: CInt

    init() throws(CommandFailure) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw .refused("no pipe can be made: \(String(cString: strerror(errno))) (errno \(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func put(_ item: Item) {
        items.withLock { $0.append(item) }
        // A pipe that is full wakes as well.
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    func take() -> [Item] {
        var bytes = [UInt8](repeating: 0, count: 512)
        while read(readEnd, &bytes, bytes.count) > 0 {}
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
