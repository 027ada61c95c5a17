import AlertBusModel
import AlertBusWire

/// `alertbus list`: what is shown and what waits, or who watches.
enum ListCommand {
    static let definition = Subcommand(
        name: "list", summary: "List the alerts of a surface, or of all below a path",
        operands: [.optional("SCOPE", ScopeHelp.text + "; default /")],
        options: [
            .flag("subscribers", "Who watches there, and how far each one has drawn"),
            .flag("counters", "What the arbiter has counted since its start, such as refusals, and what it holds now"),
        ],
        notes: [
            "Per surface: what is shown from the top down, what waits by rank, what is loading. With --json each alert, or "
                + "each subscriber, is one line as in the protocol.",
            "Of each subscriber: the last position that it was SENT and has DRAWN, how long it is BEHIND, and TO SCREEN, the time "
                + "from sending to its last confirmation; P50 and P99 are percentiles of that over all its screens.",
        ],
        examples: [
            "alertbus list", "alertbus list lobby/ --subscribers", "alertbus list lobby/ --json", "alertbus list --counters",
        ],
        run: run)

    private static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        if arguments.has("counters") { return try counters(arguments) }
        let scope = try arguments.scope() ?? .all
        let isForSubscribers = arguments.has("subscribers")
        let answers = try RequestClient(arguments).ask(.list(scope, subscribers: isForSubscribers))
        for case .reply(_, .refused(let refusal), _) in answers.map(\.message) { throw Replies.failure(refusal) }
        if arguments.wantsJSON {
            try isForSubscribers
                ? printLines(answers, of: "subscribers", by: "session") : printLines(answers, of: "alerts", by: "instance")
        } else if isForSubscribers {
            printSubscribers(answers, scope)
        } else {
            printAlerts(answers, scope)
        }
        return .done
    }

    private static func counters(_ arguments: Arguments) throws(CommandFailure) -> ExitCode {
        if arguments.has("subscribers") { throw .usage("--subscribers and --counters exclude each other") }
        if arguments.operand("SCOPE") != nil { throw .usage("--counters is about the whole arbiter and takes no SCOPE") }
        let answers = try RequestClient(arguments).ask(.counters)
        for answer in answers {
            if case .reply(_, .refused(let refusal), _) = answer.message { throw Replies.failure(refusal) }
            guard case .counters(let report) = answer.message else { continue }
            if arguments.wantsJSON {
                StandardOutput.line((try? JSONValue(answer.json))?["counters"]?.text ?? "{}")
            } else {
                var table = TextTable([.init("COUNTER", isElastic: true), .init("VALUE", isNumber: true)])
                for counter in report.counters { table.add([counter.name, "\(counter.value)"]) }
                StandardOutput.write(table.text(width: Terminal.width))
            }
        }
        return .done
    }

    /// Each element as it came; of those with the same name the last one.
    private static func printLines(_ answers: [RequestClient.Answer], of field: String, by name: String) throws(CommandFailure) {
        var all: [JSONValue] = []
        for answer in answers {
            guard let value = try? JSONValue(answer.json), let elements = value[field]?.array else {
                throw .refused("the arbiter gave a reply that does not fit the request; is it of another version?")
            }
            all += elements
        }
        var seen = Set<String>()
        let newest = all.reversed().filter { seen.insert($0[name]?.text ?? "").inserted }
        StandardOutput.write(newest.reversed().map { $0.text + "\n" }.joined())
    }

    private static func printAlerts(_ answers: [RequestClient.Answer], _ scope: SurfaceScope) {
        let now = SystemClock.wall()
        var table = TextTable([
            .init("SURFACE", isElastic: true), .init("KEY", isElastic: true), .init("STATE"),
            .init("POS", isNumber: true), .init("PRI", isNumber: true), .init("INSTANCE", isNumber: true),
            .init("REV", isNumber: true), .init("AGE", isNumber: true), .init("EXPIRES", isNumber: true),
            .init("PRODUCER", isElastic: true),
        ])
        let alerts = answers.flatMap { answer -> [AlertSummary] in
            if case .alerts(let part) = answer.message { part.alerts } else { [] }
        }.newestOfEach()
        for alert in alerts {
            table.add([
                alert.surface, alert.key, alert.state.rawValue, alert.position > 0 ? "\(alert.position)" : "",
                "\(alert.priority)", "\(alert.instance)", "\(alert.revision)", TimeText.rough(max(0, now - alert.acceptedAt)),
                alert.expiresAt.map { TimeText.rough(max(0, $0 - now)) } ?? "", alert.producer,
            ])
        }
        show(table, alerts.count, "no alerts in \(scope)")
    }

    private static func printSubscribers(_ answers: [RequestClient.Answer], _ scope: SurfaceScope) {
        var table = TextTable([
            .init("SESSION"), .init("SCOPES", isElastic: true), .init("SURFACE", isElastic: true),
            .init("SENT", isNumber: true), .init("DRAWN", isNumber: true), .init("BEHIND", isNumber: true),
            .init("TO SCREEN", isNumber: true), .init("P50", isNumber: true), .init("P99", isNumber: true),
            .init("SILENT", isNumber: true), .init("BACKLOG", isNumber: true), .init("RESYNCS", isNumber: true),
            .init("IDENTITY", isElastic: true),
        ])
        var count = 0
        for case .subscribers(let part) in answers.map(\.message) {
            for subscriber in part.subscribers {
                count += 1
                let head = [
                    String(subscriber.session, radix: 16), subscriber.scopes.map(\.text).joined(separator: " "),
                ]
                let tail = [
                    subscriber.toScreen.map { TimeText.rough($0.p50) } ?? "",
                    subscriber.toScreen.map { TimeText.rough($0.p99) } ?? "",
                    TimeText.rough(subscriber.silence), "\(subscriber.backlog)", "\(subscriber.resyncs)",
                    subscriber.identity,
                ]
                if subscriber.screens.isEmpty { table.add(head + ["", "", "", "", ""] + tail) }
                for screen in subscriber.screens {
                    let drawn = screen.drawn.map(String.init) ?? "never"
                    table.add(
                        head + [
                            screen.surface, "\(screen.sent)", drawn, TimeText.rough(screen.behind),
                            screen.toScreen.map { TimeText.rough($0) } ?? "",
                        ] + tail)
                }
            }
        }
        show(table, count, "no subscribers in \(scope)")
    }

    private static func show(_ table: TextTable, _ count: Int, _ nothing: String) {
        if count == 0 { return StandardError.line(Quoting.safe(nothing)) }
        StandardOutput.write(table.text(width: Terminal.width))
    }
}
