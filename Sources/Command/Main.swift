import Glibc

@main
struct Main {
    static func main() {
        StandardOutput.guardDescriptors()
        // A reader that went away is noticed where it is written to.
        signal(SIGPIPE, SIG_IGN)
        let code = CommandTable.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
