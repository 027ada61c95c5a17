import Glibc
import ZeroMQ

/// What a whole arbiter takes in the situations that people ask about, each in a process of its own. Prints one JSON object a line.
///
/// usage: ServiceBenchmark ALERTBUS FOLDER [late-joiner|restart|idle|preempting]… [--load LOAD]
@main
struct ServiceBenchmark {
    static func main() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        var load = ""
        if let place = words.firstIndex(of: "--load"), place + 1 < words.count {
            load = words[place + 1]
            words.removeSubrange(place...place + 1)
        }
        guard words.count >= 2 else {
            fail("usage: ServiceBenchmark ALERTBUS FOLDER [late-joiner|restart|idle|preempting]… [--load LOAD]")
        }
        let program = words[0]
        let names = words.count > 2 ? Array(words[2...]) : ["late-joiner", "restart", "idle", "preempting"]
        for name in names {
            let folder = "\(words[1])/\(name)"
            guard mkdir(folder, 0o700) == 0 else { fail("cannot make \(folder)") }
            let arbiter = ArbiterProcess(program: program, folder: folder)
            let context = try Context()
            switch name {
            case "late-joiner": try lateJoiner(arbiter, context)
            case "restart": try restart(arbiter, context)
            case "idle": try idle(arbiter, context)
            case "preempting": try preempting(arbiter, context, load: load)
            default: fail("\(name) is not understood")
            }
            arbiter.stop()
        }
    }

    /// A subscriber comes to a surface on which 100,000 alerts wait: the time until it has the whole screen, connecting included.
    static func lateJoiner(_ arbiter: ArbiterProcess, _ context: Context) throws {
        let waiting = 100_000
        arbiter.start(journal: "memory")
        let before = arbiter.residentBytes
        let producer = try Peer(context, arbiter.requests)
        try producer.fill("hall/board", waiting + 1)
        let bytes = (arbiter.residentBytes - before) / waiting
        var times: [Int64] = []
        for _ in 0..<5 {
            let start = microseconds()
            let screen = try Peer(context, arbiter.requests)
            try screen.send(#"{"v":1,"op":"subscribe","ref":1,"surface":"hall/board"}"#)
            let text = try screen.wait(for: #""op":"snapshot""#, #""last":true"#)
            guard text.contains(#""key":"key-0""#) else { fail("the snapshot has no alert: \(text.prefix(200))") }
            times.append(microseconds() - start)
        }
        print(
            #"{"late_joiner":{"waiting":\#(waiting),"on_screen_ms":\#(milliseconds(times.sorted()[2])),"most_ms":\#(milliseconds(times.max()!)),"resident_bytes_per_waiting_alert":\#(bytes)}}"#
        )
    }

    /// A start with a million commands in the journal, after an end and after a kill.
    static func restart(_ arbiter: ArbiterProcess, _ context: Context) throws {
        let commands = 1_000_000
        arbiter.start()
        let producer = try Peer(context, arbiter.requests)
        let surfaces = 100
        for surface in 0..<surfaces { try producer.fill("hall/board-\(surface)", commands / surfaces) }
        arbiter.stop(SIGKILL)
        let afterKill = arbiter.start()
        arbiter.stop()
        let afterEnd = arbiter.start()
        print(
            #"{"restart":{"journaled_commands":\#(commands),"alerts_waiting":\#(commands - surfaces),"ready_after_kill_ms":\#(milliseconds(afterKill)),"ready_after_end_ms":\#(milliseconds(afterEnd)),"journal_bytes":\#(size(of: arbiter.folder + "/journal"))}}"#
        )
    }

    /// What an arbiter with a hundred quiet screens takes of a processor.
    static func idle(_ arbiter: ArbiterProcess, _ context: Context) throws {
        arbiter.start()
        let producer = try Peer(context, arbiter.requests)
        try producer.fill("hall/board", 10)
        let screen = try Peer(context, arbiter.requests)
        try screen.send(#"{"v":1,"op":"subscribe","ref":1,"surface":"hall/"}"#)
        _ = try screen.wait(for: #""op":"snapshot""#)
        let seconds = 30
        let before = arbiter.processorTicks
        for _ in 0..<seconds {
            try screen.send(#"{"v":1,"op":"ping"}"#)
            _ = try screen.wait(for: #""op":"pong""#)
            sleep(1)
        }
        let ticks = arbiter.processorTicks - before
        print(
            #"{"idle":{"seconds":\#(seconds),"part_of_a_core":\#(Double(ticks) / Double(seconds * sysconf(CInt(_SC_CLK_TCK))))}}"#)
    }

    static func milliseconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1000 }
}
