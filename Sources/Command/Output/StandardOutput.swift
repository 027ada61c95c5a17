import Glibc

/// Writes to standard output and standard error without a buffer, whole or not at all.
enum StandardOutput {
    /// Ends the process quietly when nobody reads any more, as at the end of `alertbus list | head -1`.
    static func write(_ text: String) {
        guard let error = writeAll(text, to: STDOUT_FILENO) else { return }
        if error == EPIPE { exit(ExitCode.done.rawValue) }
        StandardError.line("cannot write to standard output: \(String(cString: strerror(error)))")
        exit(ExitCode.refused.rawValue)
    }

    static func line(_ text: String) { write(text + "\n") }

    /// For a service, whose work goes on when nobody reads what it prints.
    static func offerLine(_ text: String) {
        guard let error = writeAll(text + "\n", to: STDOUT_FILENO), error != EPIPE else { return }
        StandardError.line("cannot write to standard output: \(String(cString: strerror(error)))")
    }

    /// Takes the descriptors 0 to 2 if the parent closed them, so that no socket or journal becomes standard output.
    static func guardDescriptors() {
        // Read only: what is written to a closed standard output is still an error.
        var descriptor = open("/dev/null", O_RDONLY)
        while descriptor >= 0 && descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDONLY) }
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// - Returns: the errno of the write that failed.
    fileprivate static func writeAll(_ text: String, to descriptor: CInt) -> CInt? {
        var text = text
        return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    fileprivate static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt? {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                // A pipe that another program made non-blocking: wait until it takes more.
                guard errno == EAGAIN else { return errno }
                var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&item, 1, -1)
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }
}

enum StandardError {
    /// What cannot be written there is lost: there is no other place to say so.
    static func line(_ text: String) { _ = StandardOutput.writeAll(text + "\n", to: STDERR_FILENO) }

    /// What another program wrote, as it came.
    static func write(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { StandardOutput.writeAll($0, to: STDERR_FILENO) }
    }
}
