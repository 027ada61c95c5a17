import Glibc

/// Does a fixed number of things for a profiler that counts; `Config/count` runs it. The same words execute the same instructions, so the
/// difference between a run of 2N and one of N is what N messages cost, without the start. Prints a checksum so that nothing is
/// optimised away.
@main
struct MessageCost {
    static let usage = """
        usage: MessageCost KIND COUNT
        kinds: update, show              between the sockets: decode, step, record, encode
               arbiter-update            a raise with "update" through a whole arbiter, to one screen
               arbiter-show              a raise that is shown at once and its dismissal, through a whole arbiter, to one screen
               durable-update            like arbiter-update, with the SQLite journal
               screens-update            like arbiter-update, to three screens
        """

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count >= 0 else { fail() }
        switch arguments[1] {
        case "update": print(Program.run { $0.update(count) })
        case "show": print(Program.run { $0.showAndDismiss(count) })
        case "arbiter-update": print(try WholeArbiter.run { try $0.update(count) })
        case "arbiter-show": print(try WholeArbiter.run { try $0.showAndDismiss(count) })
        case "durable-update": print(try WholeArbiter.run(isDurable: true) { try $0.update(count) })
        case "screens-update": print(try WholeArbiter.run(screens: 3) { try $0.update(count) })
        default: fail()
        }
    }

    private static func fail() -> Never {
        print(usage)
        exit(2)
    }
}
