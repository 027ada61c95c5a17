import AlertBusMeasure
import AlertBusSwarm
import Glibc

/// A swarm of several processes: starts them, lets them begin together, and joins their reports.
final class SwarmProcesses {
    private let settings: SwarmSettings
    private var workers: [Worker] = []

    private final class Worker {
        let child: ChildProgram
        var isReady = false
        var isReporting = false
        var isOver = false
        var progress: SwarmProgress?
        var failure: String?

        init(_ child: ChildProgram) { self.child = child }
    }

    /// Options that mean the same for each process.
    private static let shared = [
        "producers", "subscribers", "surfaces", "rate", "duration", "mix", "window", "drain", "prefix", "seed", "timeout", "key",
        "server-key",
    ]

    init(_ settings: SwarmSettings, _ arguments: Arguments, _ arbiter: StartedArbiter?) throws(CommandFailure) {
        self.settings = settings
        var words = ["swarm", "--requests=\(settings.options.requests)"]
        for name in Self.shared { if let text = arguments.text(name) { words.append("--\(name)=\(text)") } }
        if let file = arbiter?.keyFile { words.append("--key=\(file)") }
        for index in 0..<settings.processes {
            let share = [SwarmWorker.variable: "\(index)/\(settings.processes)"]
            workers.append(Worker(try ChildProgram(words, settings: share)))
        }
    }

    func run(_ line: ProgressLine, _ interruptions: Interruptions) throws(CommandFailure) -> SwarmReport {
        var hasBegun = false
        var passedOn = 0
        while workers.contains(where: { !$0.isOver }) {
            listen(line)
            if let failure = workers.lazy.compactMap(\.failure).first { throw .refused(failure) }
            if !hasBegun && workers.allSatisfy(\.isReady) {
                hasBegun = true
                // Time enough to reach all of them.
                let start = settings.options.startAt ?? SystemClock.wall() + 200
                for worker in workers { worker.child.send("begin \(start)\n") }
            }
            let count = interruptions.count
            while passedOn < count {
                passedOn += 1
                for worker in workers where !worker.isOver { _ = kill(worker.child.process, SIGINT) }
            }
        }
        return try joined()
    }

    private func listen(_ line: ProgressLine) {
        var items = workers.map { pollfd(fd: $0.isOver ? -1 : $0.child.output, events: Int16(POLLIN), revents: 0) }
        _ = poll(&items, nfds_t(items.count), 100)
        for (worker, item) in zip(workers, items) where item.revents != 0 {
            if !worker.child.read() {
                worker.isOver = true
                if !worker.isReporting && worker.failure == nil { worker.failure = "a process of the swarm ended without a report" }
            }
            while !worker.isReporting, let text = worker.child.takeLine() { take(text, worker, line) }
        }
    }

    private func take(_ text: String, _ worker: Worker, _ line: ProgressLine) {
        if text == "ready" {
            worker.isReady = true
        } else if text == "report" {
            worker.isReporting = true
        } else if text.hasPrefix("failed ") {
            worker.failure = String(text.dropFirst(7))
        } else if text.hasPrefix("progress ") {
            worker.progress = WorkerProgress.read(text.dropFirst(9))
            let all = workers.compactMap(\.progress)
            if all.count == workers.count && worker === workers[0] { line.show(WorkerProgress.joined(all), settings.options) }
        }
    }

    private func joined() throws(CommandFailure) -> SwarmReport {
        var reports: [SwarmReport] = []
        for worker in workers {
            do throws(ReportError) {
                reports.append(try SwarmReport(json: worker.child.takeRest()))
            } catch {
                throw .refused("the report of a process of the swarm cannot be read: \(error)")
            }
        }
        return SwarmReport.joined(reports)
    }
}
