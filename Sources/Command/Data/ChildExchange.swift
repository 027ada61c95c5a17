import AlertBusModel
import Glibc

/// Writes a child's input and reads its outputs as they become ready, so that neither side waits for the other for ever.
struct ChildExchange {
    private(set) var output: [UInt8] = []
    private var pipes: ChildPipes
    private var input: ArraySlice<UInt8>
    private var lastErrors: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// What is kept of its standard error, for the cause.
    private static let errorBytes = 2048

    init(_ pipes: ChildPipes, input: [UInt8]) {
        self.pipes = pipes
        self.input = input[...]
    }

    /// Both outputs have ended.
    var isOver: Bool { pipes.output < 0 && pipes.errors < 0 }

    /// Waits for at most so long and moves what can be moved.
    mutating func step(milliseconds: Milliseconds) {
        // A negative descriptor is left out by `poll`.
        var items = [
            pollfd(fd: pipes.input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: pipes.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipes.errors, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 3, CInt(milliseconds)) > 0 else { return }
        if items[0].revents != 0 { writeInput() }
        if items[1].revents != 0 { readOutput() }
        if items[2].revents != 0 { readErrors() }
    }

    mutating func close() {
        Self.close(&pipes.input)
        Self.close(&pipes.output)
        Self.close(&pipes.errors)
    }

    /// The last line of its standard error that is not empty.
    var lastErrorLine: String {
        let lines = lastErrors.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let line = lines.last { !$0.allSatisfy { $0 == UInt8(ascii: " ") } } ?? []
        return Quoting.safe(String(decoding: line.prefix(500), as: UTF8.self))
    }

    private mutating func writeInput() {
        let count = input.withUnsafeBytes { write(pipes.input, $0.baseAddress, $0.count) }
        if count > 0 { input = input.dropFirst(count) }
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        // A command need not read what it was asked.
        if count < 0 || input.isEmpty { Self.close(&pipes.input) }
    }

    private mutating func readOutput() {
        let count = buffer.withUnsafeMutableBytes { read(pipes.output, $0.baseAddress, $0.count) }
        if count > 0 {
            output += buffer[..<count]
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            Self.close(&pipes.output)
        }
    }

    /// Its standard error goes where this program's goes.
    private mutating func readErrors() {
        let count = buffer.withUnsafeMutableBytes { read(pipes.errors, $0.baseAddress, $0.count) }
        if count > 0 {
            StandardError.write(buffer[..<count])
            lastErrors = (lastErrors + buffer[..<count]).suffix(Self.errorBytes)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            Self.close(&pipes.errors)
        }
    }

    private static func close(_ descriptor: inout CInt) {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
