import AlertBusMeasure
import AlertBusModel
import AlertBusSwarm
import Glibc
import ZeroMQ

/// `alertbus swarm`: a load test that checks what it sees.
enum SwarmCommand {
    static let definition = Subcommand(
        name: "swarm", summary: "Load an arbiter with many producers and screens, and check that nothing is lost",
        operands: [
            OperandDefinition(name: "FILE", isOptional: true, isRepeatable: true, help: "More reports, for --compare and --join")
        ],
        options: [
            .option("producers", "N", "Connections that raise alerts; default 10"),
            .option("subscribers", "N", "Connections that follow surfaces as screens do; default 4"),
            .option("surfaces", "N", "Surfaces that the alerts are for; default 4"),
            .option(
                "rate", "R", "Messages a second of all producers together, or max for as fast as the replies come; default 1000"),
            .option("duration", "TIME", "How long the load lasts; default 10s"),
            .option(
                "mix", "FILE", "The profile: which alerts, how they go on, what screens and people are like; default a plain mix"),
            .option("processes", "N", "Processes that share the work, each with surfaces of its own; default 1"),
            .option("window", "N", "Commands of one producer that may wait for their reply; default 32"),
            .option(
                "drain", "TIME",
                "How long after the load the last alert may take to end; default its lifetime, 10s, and longer while something comes"
            ),
            .option("prefix", "NAME", "In front of the names of surfaces and producers; default swarm"),
            .option("at", "TIME", "When the load begins, such as 2026-07-06T08:30:00Z, so that several machines begin together"),
            .option("seed", "N", "Another number gives another order of the same mix; default 1"),
            .option(
                "start", "JOURNAL", "Start an arbiter for this run, with the journal memory or in this file, and end it afterwards"),
            .flag("curve", "With --start: make keys and encrypt all connections"),
            .flag("quiet", "Show no progress on the terminal"),
            .option("json", "FILE", "Write the report as JSON"),
            .option("html", "FILE", "Write the report as a page with plots"),
            .option("compare", "FILE", "Compare this report with the one that follows, and run nothing"),
            .option("join", "FILE", "Join this report with those that follow into one, and run nothing"),
        ],
        notes: [
            "It checks while it runs: that nothing is lost, shown twice or out of order, that every accepted alert ends, and that every "
                + "answer reaches the producer that asked. The report says what was looked at and names the first findings. With any "
                + "finding the exit code is 4.",
            "Times are given as measured, and corrected for coordinated omission: from the moment a message was due, not from when the "
                + "swarm came to send it. The page Swarm of the documentation explains profiles, checks and percentiles, and how several "
                + "machines make one report.",
            "The first SIGINT ends the load early and still waits for the alerts to end, the second one ends at once. An arbiter that it "
                + "started ends in every case. --compare ends with 4 when a figure of the second report is worse by more than a tenth.",
        ],
        examples: [
            "alertbus swarm --start memory --duration 5s",
            "alertbus swarm --mix Config/swarm/bursts.toml --rate 5000 --html report.html",
            "alertbus swarm --start journal.db --producers 1000 --subscribers 200 --surfaces 100 --rate 20000",
            "alertbus swarm --compare before.json after.json", "alertbus swarm --join a.json b.json --html both.html",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        if arguments.has("compare") { return try SwarmReports.compare(arguments) }
        if arguments.has("join") { return try SwarmReports.join(arguments) }
        if let word = arguments.operand("FILE") { throw .usage("unexpected word \(Quoting.quoted(word))") }
        var settings = try SwarmSettings(arguments)
        if let share = SwarmWorker.share { return try SwarmWorker.run(settings, share, arguments) }
        let interruptions = Interruptions()
        var started: StartedArbiter?
        if let journal = settings.journal {
            let arbiter = try StartedArbiter(journal: journal, settings, arguments)
            settings.options.requests = arbiter.requests
            settings.options.keys = arbiter.keys
            interruptions.kill(arbiter.process)
            started = arbiter
        } else {
            _ = try RequestClient(arguments).ask(.ping)
        }
        defer { started?.stop() }
        let progress = ProgressLine(isQuiet: arguments.has("quiet"))
        defer { progress.end() }
        var report =
            settings.processes > 1
            ? try SwarmProcesses(settings, arguments, started).run(progress, interruptions)
            : try alone(settings, progress, interruptions)
        progress.end()
        report.setup.journal = settings.journal.map { $0 == "memory" ? "memory" : "sqlite" }
        report.parts = [SwarmReports.part(report)]
        try SwarmReports.publish(report, arguments)
        return report.passed ? .done : .faultsFound
    }

    private static func alone(
        _ settings: SwarmSettings, _ progress: ProgressLine, _ interruptions: Interruptions
    ) throws(CommandFailure) -> SwarmReport {
        var hooks = SwarmHooks()
        hooks.progress = { progress.show($0, settings.options) }
        hooks.interruptions = { interruptions.count }
        do throws(SwarmError) {
            return try Swarm(settings.options, hooks).run()
        } catch {
            throw .refused("\(error)")
        }
    }
}
