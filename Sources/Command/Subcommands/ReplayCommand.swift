import AlertBusConfiguration
import AlertBusJournal
import AlertBusModel
import AlertBusService

/// `alertbus replay`: runs a journal again, checks it, and explains.
enum ReplayCommand {
    static let definition = Subcommand(
        name: "replay", summary: "Run a journal again, check it, and tell what happened and why",
        operands: [.optional("JOURNAL", "The file; without one the standard journal of this user")],
        options: [
            .option("surface", "SCOPE", "Tell the story of a surface, or of all below a path such as lobby/"),
            .option("key", "KEY", "Only of the alerts with this key; needs --surface"),
            .option("instance", "NUMBER", "Only of this occurrence; needs --surface"),
            .option("until", "TIME", "Stop at this time: 2026-07-06T08:43:38Z, or milliseconds since 1970"),
            .option("policy", "FILE", "A configuration file: tell which alerts would have fared differently under its policies"),
        ],
        notes: [
            "It starts from the oldest state that the journal holds, and compares the digest of the state with that of the "
                + "arbiter wherever a snapshot was stored; the snapshot is read as well. It only reads, and works while an arbiter "
                + "writes the journal. Every build prints the same bytes for the same journal.",
            "A line of a story is TIME SURFACE \"KEY\" INSTANCE EVENT REASON, and who asked for it. The summary comes last: the "
                + "entries, the time from the first to the last, the snapshots that were compared, and the digest at the end.",
            "With --policy each alert that would have fared differently is printed with what happened to it and what would "
                + "have; people's answers stay what they were.",
            "If a digest differs or an entry cannot be read it says at which position, and the exit code is 1.",
        ],
        examples: [
            "alertbus replay /var/lib/alertbus/journal",
            "alertbus replay --surface lobby/kiosk-1/modal --key door --until 2026-07-06T08:43:38Z",
            "alertbus replay --policy Config/alertbus.toml --json",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        let path = try path(arguments)
        let filter = try filter(arguments)
        let until = try until(arguments)
        let policies = try policies(arguments)
        let printer = ReplayPrinter(wantsJSON: arguments.wantsJSON)
        do {
            let replay = try JournalReplay(path: path)
            var comparison = policies.map {
                PolicyComparison(start: replay.arbiter, policies: $0, filter: filter ?? StoryFilter(scope: .all))
            }
            let tells = filter != nil && comparison == nil
            let summary = try replay.run(until: until, splitsTime: filter != nil || comparison != nil) { step in
                comparison?.take(step)
                if tells, let filter { Storyteller.lines(of: step).filter(filter.contains).forEach(printer.line) }
            }
            comparison?.finish()
            if let comparison { printer.differences(comparison) }
            printer.summary(summary, path: path)
            return .done
        } catch let fault as JournalReplay.Fault {
            printer.fault(fault, path: path)
            throw .refused("\(Quoting.safe(path)): \(Quoting.safe(fault.description))")
        } catch {
            throw .refused("\(error)")
        }
    }

    private static func path(_ arguments: Arguments) throws(CommandFailure) -> String {
        if let path = arguments.operand("JOURNAL") { return path }
        do throws(JournalError) { return try JournalPath.standard() } catch { throw .refused("\(error)") }
    }

    private static func filter(_ arguments: Arguments) throws(CommandFailure) -> StoryFilter? {
        let instance: UInt64? = try arguments.integer("instance", 1...(1 << 63))
        guard let text = arguments.text("surface") else {
            if arguments.has("key") || instance != nil { throw .usage("--key and --instance need --surface") }
            return nil
        }
        do throws(NameFault) {
            return StoryFilter(scope: try SurfaceScope(text), key: arguments.text("key"), instance: instance)
        } catch {
            throw .usage("--surface \(Quoting.quoted(text)) \(error)")
        }
    }

    private static func until(_ arguments: Arguments) throws(CommandFailure) -> Milliseconds? {
        guard let text = arguments.text("until") else { return nil }
        if let time = Timestamp.milliseconds(text) { return time }
        throw .usage(
            "--until takes a time such as 2026-07-06T08:43:38Z, or milliseconds since 1970, got \(Quoting.quoted(text))")
    }

    private static func policies(_ arguments: Arguments) throws(CommandFailure) -> PolicySet? {
        guard let file = arguments.text("policy") else { return nil }
        do throws(ConfigurationFaults) { return try Configuration.load(path: file).policies } catch {
            throw .refused("the policies cannot be used\n\(error)")
        }
    }
}
