import AlertBusJournal
import Glibc

// journal-crasher append PATH         appends until it is killed, and prints each position when it is acknowledged
// journal-crasher measure PATH        measures durable commits, in batches of several sizes
// journal-crasher checkpoints PATH    measures what moving the log costs commits that come without a pause

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: JournalCrasher append|measure|checkpoints PATH")
    exit(2)
}
switch arguments[1] {
case "append": appendUntilKilled(path: arguments[2])
case "measure": measure(path: arguments[2])
case "checkpoints": measureCheckpoints(path: arguments[2], seconds: 12)
default: exit(2)
}
