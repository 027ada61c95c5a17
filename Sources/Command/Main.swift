import Glibc

// In place of malloc: messages are made on one thread and let go on another, and there the C library's locks cost most. A sanitizer
// brings an allocator of its own, and of two in one program each would free what is the other's.
#if !ALERTBUS_SYSTEM_MALLOC
    import CJemalloc
#endif

@main
struct Main {
    static func main() {
        StandardOutput.guardDescriptors()
        // A reader that went away is noticed where it is written to.
        signal(SIGPIPE, SIG_IGN)
        // A file that reached the limit of its size (RLIMIT_FSIZE) is an error of the journal, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let code = CommandTable.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
